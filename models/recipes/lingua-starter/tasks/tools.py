"""Calls of tools: the right one of several, its arguments from the question, or none."""

from . import values as v
from .example import Example
from .parameter_names import MARKS, compose, spoken

# parameter names, kind, description, phrases per language
P = [
    (("city", "location", "place", "town"), "city", ("Name of the city", "The city", "Where", "The city name, e.g. London"), {"en": ("in {}", "for {}", "at {}"), "ms": ("di {}", "untuk {}", "bagi {}"), "zh": ("在{}", "{}的")}),
    (("name", "person", "customer", "user", "recipient", "patient"), "person", ("Name of the person", "Full name", "The person's name"), {"en": ("for {}", "of {}", "named {}"), "ms": ("untuk {}", "bagi {}", "bernama {}"), "zh": ("给{}", "为{}")}),
    (("company", "organization", "client", "brand"), "company", ("Name of the company", "The company"), {"en": ("of {}", "for the company {}", "from {}"), "ms": ("bagi syarikat {}", "untuk {}"), "zh": ("公司{}", "为{}")}),
    (("product", "item", "item_name", "article"), "product", ("Name of the product", "The item"), {"en": ("of the {}", "for the {}", "with item {}"), "ms": ("bagi {}", "untuk {}"), "zh": ("商品{}", "关于{}")}),
    (("order_id", "id", "reference", "ticket_id", "code", "invoice_id"), "code", ("Identifier of the order", "The reference", "ID of the record"), {"en": ("{}", "with id {}", "number {}", "with reference {}"), "ms": ("{}", "nombor {}", "dengan rujukan {}"), "zh": ("编号{}", "{}")}),
    (("date", "day", "start_date", "on"), "date", ("The date", "Day of the event", "Date, e.g. 2024-05-01"), {"en": ("on {}", "for {}", "starting {}", "dated {}"), "ms": ("pada {}", "bertarikh {}"), "zh": ("日期{}", "{}")}),
    (("time", "start_time", "hour"), "clock", ("The time", "Start time"), {"en": ("at {}", "starting at {}"), "ms": ("pada pukul {}", "jam {}"), "zh": ("时间{}", "{}")}),
    (("email", "to", "email_address"), "email", ("Email address", "The recipient's email"), {"en": ("to {}", "for {}", "using {}"), "ms": ("kepada {}", "ke {}"), "zh": ("到{}", "给{}")}),
    (("quantity", "count", "number", "n", "amount", "limit", "people", "guests", "days", "size"), "integer", ("How many", "The number of them", "Number of items", "A whole number"), {"en": ("with {} {k}", "for {} {k}", "{k} {}", "{k} of {}", "with a {k} of {}"), "ms": ("{k} {}", "sebanyak {}", "dengan {k} {}"), "zh": ("{k}为{}", "{k}{}", "数量{}")}),
    (("price", "rate", "weight", "height", "width", "length", "radius", "base", "distance", "speed", "mass", "temperature", "volume", "duration", "depth", "area", "budget", "principal", "angle", "voltage", "current", "force"), "measure", ("The {k}", "{K} of the object", "The {k} in units", "{K} value"), {"en": ("with {k} {}", "with a {k} of {}", "and {k} of {}", "{k} {}", "whose {k} is {}", "where the {k} is {}", "having {k} = {}", "given {k} {}", "{} as the {k}"), "ms": ("dengan {k} {}", "{k} {}", "dan {k} {}", "yang {k} ialah {}"), "zh": ("{k}为{}", "{k}是{}", "{k} {}")}),
    (("color", "colour"), "colour", ("The colour",), {"en": ("in {}", "of colour {}"), "ms": ("berwarna {}", "warna {}"), "zh": ("颜色{}",)}),
    (("message", "text", "title", "subject", "note", "query", "topic", "keyword", "content"), "phrase", ("The {k}", "{K} to use", "Text of the {k}"), {"en": ("saying '{}'", 'with {k} "{}"', "with the {k} '{}'", "about {}", "{k}: {}"), "ms": ("dengan {k} '{}'", "tentang {}", '{k} "{}"'), "zh": ("{k}“{}”", "关于{}", "内容是“{}”")}),
    (("unit", "units", "format", "mode", "type", "level", "category", "priority", "language", "currency", "method"), "enum", ("The {k}", "{K} to use", "Which {k}"), {"en": ("in {}", "with {k} {}", "using {}", "as {}", "{k} {}"), "ms": ("dalam {}", "dengan {k} {}", "{k} {}"), "zh": ("{k}为{}", "用{}", "{k}{}")}),
    (("verbose", "urgent", "detailed", "include_tax", "notify", "recursive", "public", "enabled"), "flag", ("Whether it is {k}", "Turn {k} on or off", "{K} or not"), {"en": ("with {k} {}", "and set {k} to {}", "{k} {}"), "ms": ("dengan {k} {}", "{k} {}"), "zh": ("{k}为{}", "{k}设为{}")}),
    (("numbers", "values", "scores", "ids", "data", "list", "points"), "numbers", ("List of numbers", "The {k}", "The numbers to use"), {"en": ("of {}", "for {}", "of the numbers {}", "with {k} {}", "{k}: {}"), "ms": ("bagi {}", "untuk nombor {}", "{k} {}"), "zh": ("{}", "{k}为{}")}),
    (("names", "items", "tags", "cities", "words", "ingredients"), "strings", ("List of {k}", "The {k}"), {"en": ("for {}", "of {}", "with {k} {}"), "ms": ("untuk {}", "bagi {}"), "zh": ("{k}为{}", "{}")}),
]
VERBS = {
    "get": {"en": ("get", "show me", "what is", "tell me", "find", "I need", "can you give me", "look up", "please check", "what's"), "ms": ("dapatkan", "tunjukkan", "apakah", "cari", "beritahu saya", "sila semak"), "zh": ("查询", "告诉我", "请给我", "查一下", "显示")},
    "calculate": {"en": ("calculate", "compute", "work out", "what is", "find", "determine", "can you calculate", "help me compute", "I want to know"), "ms": ("kira", "hitung", "berapakah", "tolong kira"), "zh": ("计算", "算一下", "求", "请计算")},
    "create": {"en": ("create", "make", "add", "set up", "please create", "I want to create", "start"), "ms": ("cipta", "buat", "tambah", "sila buat"), "zh": ("创建", "新建", "添加", "请创建")},
    "book": {"en": ("book", "reserve", "arrange", "please book", "I'd like to book"), "ms": ("tempah", "sila tempah", "saya mahu menempah"), "zh": ("预订", "订", "我想预订")},
    "send": {"en": ("send", "deliver", "please send", "can you send"), "ms": ("hantar", "sila hantar", "kirim"), "zh": ("发送", "发", "请发送")},
    "delete": {"en": ("delete", "remove", "cancel", "please delete"), "ms": ("padam", "buang", "batalkan"), "zh": ("删除", "取消", "请删除")},
    "update": {"en": ("update", "change", "set", "edit"), "ms": ("kemas kini", "ubah", "tetapkan"), "zh": ("更新", "修改", "设置")},
    "convert": {"en": ("convert", "change", "turn"), "ms": ("tukar", "tukarkan"), "zh": ("转换", "换算")},
    "search": {"en": ("search", "find", "look for", "search for"), "ms": ("cari", "carikan"), "zh": ("搜索", "找", "查找")},
    "list": {"en": ("list", "show all", "give me all", "show me"), "ms": ("senaraikan", "tunjukkan semua"), "zh": ("列出", "显示所有")},
    "predict": {"en": ("predict", "estimate", "forecast"), "ms": ("ramalkan", "anggarkan"), "zh": ("预测", "估算")},
    "generate": {"en": ("generate", "make", "produce", "create"), "ms": ("jana", "hasilkan"), "zh": ("生成", "制作")},
}
OBJECTS = [
    ("weather", "cuaca", "天气"), ("temperature", "suhu", "气温"), ("price", "harga", "价格"), ("order status", "status pesanan", "订单状态"), ("invoice", "invois", "发票"), ("meeting", "mesyuarat", "会议"), ("reminder", "peringatan", "提醒"), ("flight", "penerbangan", "航班"), ("hotel room", "bilik hotel", "酒店房间"), ("table", "meja", "餐桌"), ("ticket", "tiket", "票"), ("email", "e-mel", "邮件"), ("message", "mesej", "消息"), ("report", "laporan", "报告"), ("account balance", "baki akaun", "账户余额"), ("exchange rate", "kadar tukaran", "汇率"), ("stock price", "harga saham", "股价"), ("area", "luas", "面积"), ("volume", "isipadu", "体积"), ("average", "purata", "平均值"), ("sum", "jumlah", "总和"), ("distance", "jarak", "距离"), ("route", "laluan", "路线"), ("recipe", "resipi", "食谱"), ("news", "berita", "新闻"), ("timetable", "jadual waktu", "时间表"), ("user", "pengguna", "用户"), ("file", "fail", "文件"), ("event", "acara", "活动"), ("booking", "tempahan", "预约"), ("delivery", "penghantaran", "快递"), ("payment", "bayaran", "付款"), ("discount", "diskaun", "折扣"), ("tax", "cukai", "税"), ("loan payment", "bayaran pinjaman", "贷款还款"), ("interest", "faedah", "利息"), ("speed", "kelajuan", "速度"), ("density", "ketumpatan", "密度"), ("energy", "tenaga", "能量"), ("song", "lagu", "歌曲"), ("movie", "filem", "电影"), ("restaurant", "restoran", "餐厅"), ("library book", "buku perpustakaan", "图书"), ("appointment", "temu janji", "预约"), ("population", "populasi", "人口"), ("time", "masa", "时间"), ("calories", "kalori", "热量"), ("score", "skor", "分数"), ("password", "kata laluan", "密码"), ("alarm", "penggera", "闹钟"), ("light", "lampu", "灯"), ("contract", "kontrak", "合同"), ("document", "dokumen", "文档"), ("image", "imej", "图片"), ("translation", "terjemahan", "翻译"), ("circumference", "lilitan", "周长"), ("probability", "kebarangkalian", "概率"), ("growth", "pertumbuhan", "增长"), ("crime rate", "kadar jenayah", "犯罪率"), ("traffic", "trafik", "交通"),
]
ENUMS = {"unit": ("celsius", "fahrenheit", "km", "miles", "metric", "imperial", "kg", "m", "cm"), "units": ("celsius", "fahrenheit", "metric", "imperial"), "format": ("pdf", "csv", "json", "html", "xml"), "mode": ("fast", "slow", "auto", "manual"), "type": ("economy", "business", "standard", "premium", "basic"), "level": ("low", "medium", "high"), "priority": ("low", "normal", "high", "urgent"), "category": ("food", "travel", "health", "sport", "music"), "language": ("english", "malay", "chinese", "french", "en", "ms", "zh"), "currency": ("MYR", "USD", "EUR", "SGD", "CNY"), "method": ("card", "cash", "transfer", "email", "sms")}
TYPES = {"integer": "integer", "measure": "number", "flag": "boolean", "numbers": "array", "strings": "array"}
SEPARATORS = {"en": (" ", " ", ", ", " and "), "ms": (" ", ", ", " dan "), "zh": ("，", " ", "、")}


class Parameter:
    def __init__(self, rng, language, spec, name=None, composed_for=None):
        names, kind, descriptions, phrases = spec
        self.name = name or rng.choice(names)
        self.kind = kind
        words = self.name.replace("_", " ")
        description = rng.choice(descriptions).replace("{k}", words).replace("{K}", words.capitalize())
        if composed_for:
            self.name, self.kind, description, said = compose(rng, composed_for, language)
            kind, phrases, words = self.kind, {language: said}, spoken(self.name)
        self.schema = {"type": TYPES.get(kind, "string"), "description": description}
        if kind in ("measure", "quantity"):
            self.schema["type"] = rng.choice(["number", "integer", "float"])
            if self.schema["type"] == "float":
                self.schema["type"] = "number"
        phrase = rng.phrase(phrases[language])
        text, self.value = self.make(rng, language)
        self.phrase = phrase.replace("{k}", words).replace("{}", text)
        if rng.chance(0.1):
            del self.schema["description"]

    def make(self, rng, language):
        kind = self.kind
        if kind == "measure":
            value = v.integer(rng) if self.schema["type"] == "integer" or rng.chance(0.5) else v.decimal(rng)
            unit = rng.choice(["", "", "", " m", " cm", " kg", " km", "%", " units", " meters", " hours"]) if language == "en" else ""
            return f"{value}{unit}", value
        if kind == "quantity":
            value = v.integer(rng) if self.schema["type"] == "integer" or rng.chance(0.5) else v.decimal(rng)
            return f"{value}{rng.choice(MARKS) if language == 'en' else ''}", value
        if kind == "word":
            text = v.word(rng, language) if rng.chance(0.7) else f"{v.word(rng, language)}{'' if language == 'zh' else ' '}{v.word(rng, language)}"
            text = text.title() if rng.chance(0.3) else text
            return text, text
        if kind == "enum":
            options = ENUMS.get(self.name, ("low", "high"))
            chosen = rng.choice(options)
            if rng.chance(0.7):
                self.schema["enum"] = rng.sample([chosen, *rng.sample([o for o in options if o != chosen], 1)], 2) if rng.chance(0.4) else list(options)
                if chosen not in self.schema["enum"]:
                    self.schema["enum"].append(chosen)
            return chosen, chosen
        if kind == "flag":
            value = rng.chance(0.5)
            yes = {"en": ("true", "on", "yes"), "ms": ("true", "ya"), "zh": ("true", "是")}[language]
            no = {"en": ("false", "off", "no"), "ms": ("false", "tidak"), "zh": ("false", "否")}[language]
            return rng.choice(yes if value else no), value
        if kind == "phrase":
            text = rng.choice(["", ""]).join([]) or (("" if language == "zh" else " ").join(v.word(rng, language) for _ in range(rng.randint(1, 4))))
            return text, text
        if kind == "numbers":
            numbers = [v.small(rng) if rng.chance(0.7) else v.decimal(rng) for _ in range(rng.randint(2, 6))]
            self.schema["items"] = {"type": "integer" if all(isinstance(n, int) for n in numbers) else "number"}
            text = ", ".join(map(str, numbers))
            return (f"[{text}]" if rng.chance(0.4) else text), numbers
        if kind == "strings":
            texts = [v.first_name(rng, language) if rng.chance(0.5) else v.word(rng, language) for _ in range(rng.randint(2, 4))]
            self.schema["items"] = {"type": "string"}
            last = {"en": " and ", "ms": " dan ", "zh": "和"}[language]
            return f"{', '.join(texts[:-1])}{last}{texts[-1]}", texts
        made = getattr(v, kind)(rng, language)
        return (made[0], made[0]) if isinstance(made, tuple) else (str(made), made)


class Tool:
    def __init__(self, rng, language, avoid=()):
        self.verb = rng.choice(list(VERBS))
        at = rng.choice([o for o in OBJECTS if o[0] not in avoid])
        self.object = at[0]
        self.spoken = at[{"en": 0, "ms": 1, "zh": 2}[language]]
        if rng.chance(0.15):
            self.object = v.word(rng, "en")
            self.spoken = self.object
        joined = self.object.replace(" ", "_")
        self.name = rng.choice([f"{self.verb}_{joined}", f"{self.verb}_{joined}", f"{joined}_{self.verb}", f"{joined}.{self.verb}", f"{self.verb}{joined.title().replace('_', '')}", f"{self.verb}_{joined}_{rng.choice(['info', 'data', 'details', 'by_id', 'v2', 'service'])}"])
        if rng.chance(0.1):
            self.name = v.made_up(rng) + rng.choice(["", "_" + v.made_up(rng)])
        article = rng.choice(["the", "a", "an", ""]) if rng.chance(0.9) else "some"
        self.description = rng.choice([f"{self.verb.capitalize()} {article} {self.object}".replace("  ", " "), f"{self.verb.capitalize()}s {article} {self.object}".replace("  ", " "), f"This function can {self.verb} the {self.object}", f"{self.verb.capitalize()} the {self.object} for the given values"]) + rng.choice([".", ".", "", " from the database.", " and returns it.", " based on the input."])
        specs = rng.sample(P, rng.randint(1, 4)) if rng.chance(0.75) else []
        self.parameters = []
        if not specs:
            # Several of one kind: names must match.
            spec = rng.choice([s for s in P if s[1] == "measure"])
            self.parameters = [Parameter(rng, language, spec, name) for name in rng.sample(spec[0], rng.randint(2, 4))]
        for spec in specs:
            name = v.made_up(rng) if rng.chance(0.06) and spec[1] == "measure" else None
            parameter = Parameter(rng, language, spec, name, self.object if rng.chance(0.5) else None)
            if parameter.name not in [p.name for p in self.parameters]:
                self.parameters.append(parameter)
        self.optional = {p.name for p in self.parameters[1:] if rng.chance(0.3)}
        self.used = [p for p in self.parameters if p.name not in self.optional or rng.chance(0.4)]

    def schema(self, rng):
        required = [p.name for p in self.parameters if p.name not in self.optional]
        parameters = {"type": "object", "properties": {p.name: p.schema for p in self.parameters}}
        if required:
            parameters["required"] = required
        return {"type": "function", "function": {"name": self.name, "description": self.description, "parameters": parameters}}

    def phrases(self, rng, language):
        spoken = list(self.used)
        if rng.chance(0.5):
            rng.shuffle(spoken)
        separator = rng.choice(SEPARATORS[language])
        return separator.join(p.phrase for p in spoken)

    def ask(self, rng, language):
        verb = rng.phrase(VERBS[self.verb][language])
        tail = self.phrases(rng, language)
        if language == "zh":
            return rng.choice([f"{verb}{self.spoken}，{tail}。", f"{tail}，{verb}{self.spoken}", f"请{verb}{self.spoken}：{tail}"])
        article = rng.choice(["the", "the", "a", ""]) if language == "en" else ""
        text = f"{verb} {article} {self.spoken} {tail}".replace("  ", " ")
        text = text[0].upper() + text[1:] if rng.chance(0.8) else text
        if rng.chance(0.15):
            text = {"en": f"{tail[0].upper() + tail[1:]}, {verb} {article} {self.spoken}", "ms": f"{tail[0].upper() + tail[1:]}, {verb} {self.spoken}"}[language].replace("  ", " ")
        return text + rng.choice(["?", ".", "", "."]) + (rng.choice([" Thank you.", " Please be quick.", " I need it today."]) if language == "en" and rng.chance(0.1) else "")

    def call(self):
        return {"type": "function", "function": {"name": self.name, "arguments": {p.name: p.value for p in self.parameters if p in self.used}}}


NONE = {
    "en": ("None of the given functions can do that.", "I have no function for that."),
    "ms": ("Tiada fungsi yang sesuai untuk itu.",),
    "zh": ("没有合适的函数可以完成这个请求。",),
}
SYSTEMS = {"en": ("You are a helpful assistant.", "Call a function when it helps.", "You help the user with tools."), "ms": ("Anda pembantu yang berguna.",), "zh": ("你是一个有用的助手。",)}
OFF_TOPIC = {
    "en": ("Write me a poem about {}.", "Who invented the {}?", "Why is the {} so important?", "What do you think about {}?", "Tell me a story about a {}."),
    "ms": ("Tulis sajak tentang {}.", "Siapakah pencipta {}?", "Ceritakan kisah tentang {}.", "Mengapa {} penting?"),
    "zh": ("写一首关于{}的诗。", "{}是谁发明的？", "讲一个关于{}的故事。", "为什么{}重要？"),
}
RESULTS = {
    "en": ("The {k} is {v}.", "{k}: {v}.", "Here is the result: {k} is {v}."),
    "ms": ("{k} ialah {v}.", "Hasilnya: {k} ialah {v}."),
    "zh": ("{k}是{v}。", "结果：{k}是{v}。"),
}


def tools(rng, language):
    kind = rng.random()
    count = 1 if kind < 0.4 else rng.randint(2, 4) if kind < 0.93 else rng.randint(5, 9)
    made, seen = [], []
    for _ in range(count):
        tool = Tool(rng, language, seen)
        if tool.name not in [t.name for t in made]:
            made.append(tool)
            seen.append(tool.object)
    if count > 1 and rng.chance(0.25):
        # Two that differ in the verb alone.
        twin = Tool(rng, language, seen)
        twin.object, twin.spoken = made[0].object, made[0].spoken
        if twin.verb != made[0].verb:
            twin.name = f"{twin.verb}_{twin.object.replace(' ', '_')}"
            twin.description = f"{twin.verb.capitalize()} the {twin.object}."
            if twin.name not in [t.name for t in made]:
                made.append(twin)
    system = rng.phrase(SYSTEMS[language]) if rng.chance(0.3) else None
    head = [{"role": "system", "content": system}] if system else []
    shown = list(made)
    rng.shuffle(shown)
    schemas = [tool.schema(rng) for tool in shown]
    if rng.chance(0.08):
        user = rng.phrase(OFF_TOPIC[language]).format(v.word(rng, language))
        turns = [{"role": "user", "content": user}, {"role": "assistant", "content": rng.choice(NONE[language])}]
        return Example("no_tool", language, [*head, *turns], tools=schemas)
    chosen = made[0]
    turns = [{"role": "user", "content": chosen.ask(rng, language)}, {"role": "assistant", "content": "", "tool_calls": [chosen.call()]}]
    if rng.chance(0.08):
        # Two calls: the same tool twice or two tools.
        other = made[-1] if len(made) > 1 else chosen
        if other is not chosen:
            joiner = {"en": " Then ", "ms": " Kemudian ", "zh": "然后"}[language]
            turns = [{"role": "user", "content": chosen.ask(rng, language) + joiner + other.ask(rng, language)}, {"role": "assistant", "content": "", "tool_calls": [chosen.call(), other.call()]}]
            return Example("tools", language, [*head, *turns], tools=schemas)
    if rng.chance(0.12):
        # What a tool gave back, in words.
        key, value = v.word(rng, "en"), rng.choice([str(v.integer(rng)), v.word(rng, language), str(v.decimal(rng))])
        turns += [{"role": "tool", "content": '{"' + key + '": ' + (value if value[0].isdigit() else f'"{value}"') + "}"}, {"role": "assistant", "content": rng.choice(RESULTS[language]).format(k=key, v=value)}]
    return Example("tools", language, [*head, *turns], tools=schemas)
