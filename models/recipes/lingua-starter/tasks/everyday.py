"""Small jobs: translate a phrase, say what kind of text it is, hide names and numbers, lists, sums and dates step by step."""

import datetime

from . import small, stock
from . import values as v
from .example import chat, spaced
from .reading import framed
from .scenes import cap, gap, prose, show, tell

NAMES = {"en": {"en": "English", "ms": "Malay", "zh": "Chinese"}, "ms": {"en": "bahasa Inggeris", "ms": "bahasa Melayu", "zh": "bahasa Cina"}, "zh": {"en": "英语", "ms": "马来语", "zh": "中文"}}
TRANSLATE = {
    "en": ("Translate into {l}: {t}", "What is “{t}” in {l}?", "How do you say “{t}” in {l}?", "{t}\n\nTranslate this into {l}.", "{l} translation of: {t}"),
    "ms": ("Terjemahkan ke {l}: {t}", "Apakah “{t}” dalam {l}?", "{t}\n\nTerjemahkan ke {l}."), "zh": ("把下面的内容翻译成{l}：{t}", "“{t}”用{l}怎么说？", "翻译成{l}：{t}"),
}


def pairs():
    """(en, ms, zh) phrases of the stock."""
    return [triple for name, triples in stock.CHOICES.items() if name != "licence" for triple in triples] + stock.EVENTS + stock.TOPICS + stock.HOMES + stock.PLACES + stock.JOBS + stock.COURSES


def translate(rng, language):
    made, source, target = [], *rng.sample(("en", "ms", "zh"), 2)
    system = rng.choice(("You are a translator.", "Translate what the user writes.", None, None))
    for triple in rng.sample(pairs(), 3):
        request = rng.choice(TRANSLATE[language]).replace("{l}", NAMES[language][target]).replace("{t}", triple[stock.AT[source]])
        made.append(chat("translate", language, request, triple[stock.AT[target]], system))
    return made


KINDS = {"event": ("event", "acara", "活动"), "order": ("complaint", "aduan", "投诉"), "rental": ("housing", "perumahan", "租房"), "notice": ("notice", "notis", "通知"), "product": ("product", "produk", "产品"), "incident": ("accident", "kemalangan", "事故"), "meeting": ("meeting", "mesyuarat", "会议"), "course": ("education", "pendidikan", "教育"), "work": ("job offer", "tawaran kerja", "招聘"), "travel": ("travel", "pelancongan", "旅行"), "software": ("software", "perisian", "软件"), "organisation": ("business", "perniagaan", "企业"), "person": ("biography", "biografi", "人物")}


def classify(rng, language):
    """Which of some labels a text has."""
    at = stock.AT[language]
    text = tell(rng, language, rng.randint(1, 4), rng.choice(list(KINDS)))
    names = [text.scene, *rng.sample([k for k in KINDS if k != text.scene], rng.randint(1, 4))]
    labels = [KINDS[name][at] for name in rng.sample(names, len(names))]
    label = KINDS[text.scene][at]
    shown = gap(language).join(prose(rng, text, rng.chance(0.4)))
    form = rng.phrase(small.CLASSIFY[language])
    if rng.chance(0.3):
        key = rng.choice(["label", "category", "class", "kind", "type"])
        schema = {"type": "object", "properties": {key: {"type": "string", "enum": labels}}, "required": [key]}
        return [chat("classify", language, form.format(l=", ".join(labels), t=shown), spaced({key: label}), schema=schema)]
    return [chat("classify", language, form.format(l=rng.choice([", ", " / ", " | "]).join(labels), t=shown), label)]


HIDE = {
    "en": ("Replace the {k} in this text by [{m}].", "Hide every {k} with [{m}]:", "Write the text again with [{m}] instead of the {k}."), "ms": ("Gantikan {k} dengan [{m}].", "Sembunyikan {k} dengan [{m}]:"), "zh": ("把{k}替换为[{m}]。", "用[{m}]隐藏{k}："),
}
HIDDEN = {"email": ("e-mail address", "alamat e-mel", "邮箱"), "phone": ("phone number", "nombor telefon", "电话号码"), "person": ("name", "nama", "姓名"), "money": ("amount", "jumlah wang", "金额"), "date": ("date", "tarikh", "日期")}


def rewrite(rng, language):
    """The text again: something hidden, as a list, its sentences counted off."""
    text = tell(rng, language, rng.randint(2, 4))
    sentences = [text.opening, *(told.sentence for told in text.told)]
    plain = gap(language).join(sentences)
    there = [told for told in text.told if told.fact.kind in HIDDEN]
    if there and rng.chance(0.6):
        told = rng.choice(there)
        kind = told.fact.kind
        mine = [each.text for each in there if each.fact.kind == kind]
        mark = rng.choice([kind.upper(), "X", "***", kind])
        hidden = plain
        for value in mine:
            hidden = hidden.replace(value, f"[{mark}]")
        request = rng.choice(HIDE[language]).replace("{k}", HIDDEN[kind][stock.AT[language]]).replace("{m}", mark)
        return [chat("rewrite", language, f"{request}\n\n{plain}", hidden)]
    asked = {"en": ("Make a bullet list of these sentences.", "Turn this into bullet points."), "ms": ("Jadikan senarai berbutir.",), "zh": ("改成项目列表。",)}[language]
    return framed(rng, language, plain, [(rng.choice(asked), "\n".join(f"- {s}" for s in sentences))], "rewrite")


STORIES = {
    "en": (("{n} has {a} {x} and gets {b} more. How many {x} are there now?", "+"), ("{n} had {a} {x} and gave {b} away. How many are left?", "-"), ("There are {a} boxes with {b} {x} each. How many {x} are there?", "*"), ("One {y} costs {a}. What do {b} cost?", "*"), ("{n} sold {a} {x} on Monday and {b} on Tuesday. How many in all?", "+")),
    "ms": (("{n} ada {a} {x} dan mendapat {b} lagi. Berapakah jumlahnya?", "+"), ("{n} ada {a} {x} lalu memberi {b}. Berapakah yang tinggal?", "-"), ("Ada {a} kotak dengan {b} {x} setiap satu. Berapakah semuanya?", "*")),
    "zh": (("{n}有{a}个{x}，又得到{b}个。现在有几个？", "+"), ("{n}有{a}个{x}，送出{b}个，还剩几个？", "-"), ("有{a}箱，每箱{b}个{x}，一共多少个？", "*")),
}


def sums(rng, language):
    """Word problems and longer sums, worked out in front of the result."""
    made = []
    for _ in range(3):
        if rng.chance(0.5):
            story, sign = rng.choice(STORIES[language])
            a, b = (rng.randint(2, 12), rng.randint(2, 12)) if sign == "*" else sorted((rng.randint(2, 300), rng.randint(2, 300)), reverse=True)
            thing = v.product(rng, language)
            result = {"+": a + b, "-": a - b, "*": a * b}[sign]
            request = story.format(n=v.first_name(rng, language), a=a, b=b, x=thing + ("s" if language == "en" else ""), y=thing)
            made.append(chat("sums", language, request, f"{a} {sign} {b} = {result}"))
        else:
            numbers = [rng.randint(1, rng.choice([20, 99, 400])) for _ in range(rng.randint(2, 5))]
            total, steps = numbers[0], []
            for number in numbers[1:]:
                steps.append(f"{total} + {number} = {total + number}")
                total += number
            request = rng.choice({"en": ("What is {s}?", "Add up: {s}", "{s} = ?"), "ms": ("Berapakah {s}?", "{s} = ?"), "zh": ("{s}等于多少？", "{s} = ?")}[language]).replace("{s}", " + ".join(map(str, numbers)))
            made.append(chat("sums", language, request, ", ".join(steps)))
    return made


def days(rng, language):
    """Dates: days later or earlier, the day between, in ISO."""
    day, number = datetime.date(rng.randint(2019, 2031), rng.randint(1, 12), rng.randint(1, 28)), rng.choice([1, 2, 3, 5, 7, 10, 14, 30])
    other = day + datetime.timedelta(number)
    forms = {
        "en": ((f"Which date is {number} days after {day}?", str(other)), (f"Which date is {number} days before {other}?", str(day)), (f"How many days are there from {day} to {other}?", f"{number} days"), (f"Write {day.day} {v.MONTHS['en'][day.month - 1]} {day.year} as YYYY-MM-DD.", str(day))),
        "ms": ((f"Apakah tarikh {number} hari selepas {day}?", str(other)), (f"Tulis {day.day} {v.MONTHS['ms'][day.month - 1]} {day.year} sebagai YYYY-MM-DD.", str(day))),
        "zh": ((f"{day}之后{number}天是哪天？", str(other)), (f"把{day.year}年{day.month}月{day.day}日写成YYYY-MM-DD。", str(day))),
    }[language]
    return [chat("days", language, *pair) for pair in forms]


def looked_up(rng, language):
    """What stands behind a label of a form."""
    text = tell(rng, language, rng.randint(3, 6))
    shown = show(rng, text)
    made = []
    for told in rng.sample(text.told, min(3, len(text.told))):
        key = rng.choice(told.fact.keys).replace("_", " ")
        made.append((rng.choice({"en": ("{k}?", "Give me the {k}.", "What is the {k}?", "{k}:", "I need the {k}."), "ms": ("{k}?", "Berikan {k}."), "zh": ("{k}？", "{k}是什么？")}[language]).replace("{k}", cap(key) if rng.chance(0.3) else key), told.text))
    return framed(rng, language, shown, made)
