"""Calls of invented services (services.txt), asked for as people ask: several requests with the same functions, optional
arguments left out, two calls at once, none that fits."""

import re
from functools import lru_cache
from pathlib import Path

from . import stock
from . import tools as older
from . import values as v
from .example import chat

CURRENCIES = {"MYR": ("ringgit", "ringgit", "马币"), "USD": ("dollars", "dolar", "美元"), "EUR": ("euros", "euro", "欧元"), "SGD": ("Singapore dollars", "dolar Singapura", "新元"), "CNY": ("yuan", "yuan", "人民币"), "JPY": ("yen", "yen", "日元"), "GBP": ("pounds", "paun", "英镑")}
TONGUES = {"French": ("French", "Perancis", "法语"), "Malay": ("Malay", "Melayu", "马来语"), "Chinese": ("Chinese", "Cina", "中文"), "German": ("German", "Jerman", "德语"), "Japanese": ("Japanese", "Jepun", "日语"), "Spanish": ("Spanish", "Sepanyol", "西班牙语"), "Tamil": ("Tamil", "Tamil", "泰米尔语")}
ROOMS = [("kitchen", "dapur", "厨房"), ("living room", "ruang tamu", "客厅"), ("bedroom", "bilik tidur", "卧室"), ("office", "pejabat", "办公室"), ("hall", "dewan", "大厅"), ("garage", "garaj", "车库"), ("bathroom", "bilik air", "浴室"), ("meeting room", "bilik mesyuarat", "会议室")]
COUNTRIES = [("Malaysia",) * 2 + ("马来西亚",), ("Japan", "Jepun", "日本"), ("Brazil", "Brazil", "巴西"), ("Kenya", "Kenya", "肯尼亚"), ("France", "Perancis", "法国"), ("India", "India", "印度")]
PHRASES = {"en": "buy milk|call the dentist|weekly review|pay the rent|water the plants|team lunch|bring the keys|birthday of mum|project kick-off|book the van|send the report|pick up the kids|budget talk|yoga class|new printer|return the books|too expensive|good morning|where is the station|thank you very much|changed plans|happy holidays|leave it at the door|no onions|school concert".split("|"), "ms": "beli susu|telefon doktor gigi|mesyuarat mingguan|bayar sewa|siram pokok|makan tengah hari|bawa kunci|hari jadi ibu|hantar laporan|ambil anak|kelas yoga|terima kasih|tukar rancangan|selamat pagi".split("|"), "zh": "买牛奶|打电话给牙医|每周例会|交房租|浇花|团队午餐|带钥匙|妈妈的生日|提交报告|接孩子|瑜伽课|谢谢|计划有变|早上好".split("|")}
SENTENCES = {"en": ("I will be ten minutes late.", "The meeting is moved to Friday.", "Please send me the latest figures.", "The lift is stuck between two floors.", "Dinner is ready.", "The printer does not work.", "I cannot log in since this morning.", "Can you pick me up at six?", "The order has arrived.", "Water is dripping from the ceiling.", "See you tomorrow!", "The door does not close."), "ms": ("Saya akan lewat sepuluh minit.", "Mesyuarat ditunda ke hari Jumaat.", "Pencetak rosak.", "Saya tidak boleh log masuk.", "Makan malam sudah siap.", "Air menitis dari siling."), "zh": ("我会晚到十分钟。", "会议改到星期五。", "打印机坏了。", "我无法登录。", "晚饭好了。", "天花板漏水。")}


class Service:
    def __init__(self, line):
        names, self.does, slots, *forms = [part.strip() for part in line.split(" | ")]
        self.names = names.split(",")
        self.forms = dict(zip(("en", "ms", "zh"), ([form.strip() for form in part.split(" / ")] for part in forms)))
        self.slots = {}
        for slot in slots.split(";"):
            name, rest = slot.strip().split("=", 1)
            keys, kind = rest.split(" ", 1)
            self.slots[name.rstrip("?")] = (keys.split(","), kind.strip(), name.endswith("?"))


@lru_cache(None)
def services():
    return [Service(line) for line in (Path(__file__).parent / "services.txt").read_text("utf-8").splitlines() if line and not line.startswith("#")]


TYPE = {"amountplain": "number", "decimal": "number", "decimalint": "number", "int": "integer", "year": "integer", "flag": "boolean", "people": "array", "numbers": "array"}


def slot_value(rng, kind, language, schema):
    """(text, value) of a slot; `schema` is told what the value allows."""
    name, _, rest = kind.partition(":")
    at = stock.AT[language]
    if name == "enum":
        options = schema.get("enum") or rest.split(",")
        chosen = rng.choice(options)
        return chosen, chosen
    if name == "flag":
        return rest, True
    if name == "int":
        text, value = stock.integer(rng, language, *map(int, rest.split("-")))
        return text, value
    if name in ("amountplain", "decimal", "decimalint"):
        value = rng.choice([rng.randint(2, 90), rng.randint(10, 999), rng.randint(1, 90) * 100]) if name != "decimal" and rng.chance(0.75) else round(rng.uniform(1, 20), rng.choice([1, 2]))
        value = int(value) if value == int(value) else value
        return (f"{value:,}" if isinstance(value, int) and value > 999 and rng.chance(0.5) else str(value)), value
    if name == "year":
        value = rng.randint(1950, 2030)
        return str(value), value
    if name in ("currency", "lang"):
        table = CURRENCIES if name == "currency" else TONGUES
        code = rng.choice(list(table))
        spoken = rng.chance(0.5) or name == "lang"
        if "description" in schema and name == "currency":
            return (table[code][at] if spoken else code), code
        return (table[code][at], table[code][at] if name == "lang" else code) if spoken else (code, code)
    if name == "roomname":
        return (lambda n: (n, n))(rng.choice(ROOMS)[at])
    if name == "country":
        return (lambda n: (n, n))(rng.choice(COUNTRIES)[at])
    if name == "phrase":
        return (lambda n: (n, n))(rng.choice(PHRASES[language]) if rng.chance(0.6) else f"{v.word(rng, language)}{'' if language == 'zh' else ' '}{v.word(rng, language)}")
    if name == "sentence":
        return (lambda n: (n, n))(rng.choice(SENTENCES[language]))
    if name == "first":
        return (lambda n: (n, n))(v.first_name(rng, language))
    if name == "word":
        return (lambda n: (n, n))(v.word(rng, language))
    if name == "ticker":
        return (lambda n: (n, n))("".join(rng.choice("ABCDEFGHIKLMNOPRSTUVX") for _ in range(rng.randint(2, 5))))
    if name == "file":
        return (lambda n: (n, n))(f"{v.word(rng, 'en')}{rng.choice(['', '_' + str(rng.randint(1, 99)), '-final'])}.{rng.choice(['pdf', 'png', 'csv', 'txt', 'jpg', 'docx'])}")
    if name in ("people", "numbers"):
        items = [v.first_name(rng, language) if name == "people" else rng.randint(1, 99) for _ in range(rng.randint(2, 5))]
        items = list(dict.fromkeys(items)) if name == "people" else items
        texts = [str(item) for item in items]
        last = {"en": " and ", "ms": " dan ", "zh": "和"}[language]
        joined = f"{', '.join(texts[:-1])}{last}{texts[-1]}" if len(texts) > 1 else texts[0]
        return (f"[{', '.join(texts)}]" if name == "numbers" and rng.chance(0.3) else joined), items
    if name in ("date", "clock"):
        text, value = stock.date(rng, language) if name == "date" else stock.clock(rng, language)
        return (text, value) if "description" in schema and "-" in schema["description"] or "HH" in schema.get("description", "") else (text, text)
    text, value = stock.make(rng, kind, language)
    return text, value


class Tool:
    """A service under one of its names, with keys of its own."""

    def __init__(self, rng, service, language):
        self.service, self.language = service, language
        style = rng.random()
        name = rng.choice(service.names)
        if style < 0.15:
            head, *rest = name.split("_")
            name = head + "".join(part.capitalize() for part in rest)
        elif style < 0.22:
            name = f"{rng.choice(['app', 'api', 'my', 'home', 'crm', 'shop', 'util', 'v1'])}_{name}"
        elif style < 0.25:
            name += rng.choice(["_v2", "_tool", "_api", "_now"])
        self.name = name
        self.keys, self.schemas, self.required = {}, {}, []
        used = set()
        for slot, (keys, kind, is_optional) in service.slots.items():
            key = next((k for k in [rng.choice(keys), *keys] if k not in used), None)
            if key is None:
                key = f"{keys[0]}_2"
            used.add(key)
            camel = style < 0.15 and "_" in key
            if camel:
                head, *rest = key.split("_")
                key = head + "".join(part.capitalize() for part in rest)
            base = kind.partition(":")[0]
            schema = {"type": TYPE.get(base, "string")}
            if base == "enum":
                schema["enum"] = kind.partition(":")[2].split(",")
                rng.shuffle(schema["enum"])
            if base == "people":
                schema["items"] = {"type": "string"}
            if base == "numbers":
                schema["items"] = {"type": rng.choice(["number", "integer"])}
            if base in ("amountplain", "decimalint") and rng.chance(0.3) and base == "decimalint":
                schema["type"] = "integer"
            said = rng.choice(keys).replace("_", " ")
            if base == "date" and rng.chance(0.5):
                schema["description"] = rng.choice(["The date, YYYY-MM-DD", "Date (YYYY-MM-DD)", "Day as YYYY-MM-DD"])
            elif base == "clock" and rng.chance(0.5):
                schema["description"] = rng.choice(["Time as HH:MM", "HH:MM, 24 hours"])
            elif base == "currency":
                schema["description"] = rng.choice(["Three-letter code", "ISO 4217 code such as USD", "Currency code"])
            elif rng.chance(0.75):
                schema["description"] = rng.choice([f"The {said}", f"{said.capitalize()}", f"The {said} to use", f"{said.capitalize()} of the {name.split('_')[-1]}", f"Which {said}"]) + (rng.choice([" (optional)", "", ". Optional."]) if is_optional else rng.choice(["", "."]))
            self.keys[slot], self.schemas[key] = key, schema
            if not is_optional:
                self.required.append(key)

    def schema(self, rng):
        parameters = {"type": "object", "properties": self.schemas}
        if self.required:
            parameters["required"] = self.required
        description = rng.choice([self.service.does, self.service.does + ".", f"This function serves to {self.service.does[0].lower()}{self.service.does[1:]}.", self.service.does + " and return the result."])
        return {"type": "function", "function": {"name": self.name, "description": description, "parameters": parameters}}

    def ask(self, rng):
        """(request, call)."""
        language = self.language
        form = rng.phrase(self.service.forms[language]).replace("{colour?} ", "")
        for part in re.findall(r"\[[^\]]*\]", form):
            form = form.replace(part, part[1:-1] if rng.chance(0.4) else "", 1)
        arguments, values = {}, {}
        for slot in re.findall(r"\{(\w+)\}", form):
            key = self.keys[slot]
            for _ in range(9):
                text, value = slot_value(rng, self.service.slots[slot][1], language, self.schemas[key])
                if value is not None and (value not in values.values() or isinstance(value, int)):
                    break
            if value is None:
                text = value = "2026-03-14"
            if self.schemas[key]["type"] == "integer" and isinstance(value, float):
                text, value = str(int(value)), int(value)
            values[slot], arguments[key] = value, value
            form = form.replace("{" + slot + "}", text, 1)
        form = re.sub(r" +", " ", form).replace(" .", ".").replace(" ,", ",").strip()
        if language == "en" and rng.chance(0.3):
            form = rng.choice(POLITE).replace("{x}", form if form.split(" ")[0] in ("I", "I'm", "I'd") else form[0].lower() + form[1:])
        if rng.chance(0.1):
            form = form.rstrip(".?")
        if rng.chance(0.06):
            form = form.lower() if not re.search(r"[A-Z]", str(list(arguments.values()))) else form
        ordered = {key: arguments[key] for key in self.schemas if key in arguments}
        return form, {"type": "function", "function": {"name": self.name, "arguments": ordered}}


POLITE = ("Hi, {x}", "Hey! {x}", "Could you help me? {x}", "Please {x}", "{x} Thanks!", "{x} Thank you.", "Hello there, {x}", "My boss asks: {x}", "I am in a hurry. {x}", "{x} That would be great.", "One more thing: {x}", "OK so {x}")
AND = {"en": (" Also, ", " And ", " Then ", "\n", " After that: "), "ms": (" Dan juga, ", " Kemudian ", "\n"), "zh": ("另外，", "然后", "\n")}
SYSTEMS = {"en": (*older.SYSTEMS["en"], "You are an assistant with access to functions.", "Use the tools when they fit; otherwise say that you cannot do it.", "You are a home assistant."), "ms": (*older.SYSTEMS["ms"], "Gunakan fungsi yang sesuai."), "zh": (*older.SYSTEMS["zh"], "请使用合适的工具。")}
NONE = {"en": "None of the given functions can do that.", "ms": "Tiada fungsi yang sesuai untuk itu.", "zh": "没有合适的函数可以完成这个请求。"}
CHATTER = {"en": ("Thank you!", "Hello!", "Who are you?", "Tell me a joke.", "What do you think about {}?", "Write a poem about {}.", "Good night."), "ms": ("Terima kasih!", "Hai!", "Siapakah awak?", "Tulis sajak tentang {}."), "zh": ("谢谢！", "你好！", "你是谁？", "写一首关于{}的诗。")}


def calls(rng, language):
    chosen = rng.sample(services(), rng.choice([1, 1, 1, 2, 2, 3, 3, 4, 5, 6]) + 1)
    absent, *offered = chosen
    made = [Tool(rng, service, language) for service in offered]
    if len({tool.name for tool in made}) < len(made):
        return calls(rng, language)
    schemas = [tool.schema(rng) for tool in made]
    system = rng.choice(SYSTEMS[language if rng.chance(0.8) else "en"]) if rng.chance(0.35) else None
    out = []
    for _ in range(rng.choice([2, 3, 4])):
        kind = rng.random()
        if kind < 0.1:
            request = Tool(rng, absent, language).ask(rng)[0] if rng.chance(0.7) else rng.choice(CHATTER[language]).format(v.word(rng, language))
            out.append(chat("no_tool", language, request, NONE[language], system, tools=schemas))
            continue
        request, call = rng.choice(made).ask(rng)
        both = [call]
        if kind < 0.22:
            following, other = rng.choice(made).ask(rng)
            if other != call:
                request, both = request + ("" if request[-1] in ".?!。？！" else "。" if language == "zh" else ".") + rng.choice(AND[language]) + following, [call, other]
        example = chat("tools", language, request, "", system, tools=schemas)
        example.messages[-1]["tool_calls"] = both
        out.append(example)
    return out
