"""Small exact jobs: classify, count, sort, arithmetic with units and dates, look up in a table, rewrite."""

import datetime

from . import values as v
from .example import Example, spaced


def pair(task, language, user, answer, **rest):
    return Example(task, language, [{"role": "user", "content": user}, {"role": "assistant", "content": str(answer)}], **rest)


TOPICS = {
    "sport": {"en": "match goal team player coach stadium league score tournament race", "ms": "perlawanan gol pasukan pemain jurulatih stadium liga kejohanan", "zh": "比赛 进球 球队 球员 教练 体育场 联赛 冠军"},
    "food": {"en": "rice soup noodle chicken recipe kitchen dinner restaurant cake spicy", "ms": "nasi sup mi ayam resipi dapur makan restoran kek pedas", "zh": "米饭 汤 面条 鸡肉 食谱 厨房 晚餐 餐厅 蛋糕"},
    "health": {"en": "doctor hospital fever medicine nurse clinic patient pain surgery vaccine", "ms": "doktor hospital demam ubat jururawat klinik pesakit sakit pembedahan vaksin", "zh": "医生 医院 发烧 药 护士 诊所 病人 疼痛 手术 疫苗"},
    "finance": {"en": "bank loan interest payment invoice tax budget salary investment stock", "ms": "bank pinjaman faedah bayaran invois cukai bajet gaji pelaburan saham", "zh": "银行 贷款 利息 付款 发票 税 预算 工资 投资 股票"},
    "travel": {"en": "flight hotel airport passport beach tour luggage visa train island", "ms": "penerbangan hotel lapangan terbang pasport pantai lawatan bagasi visa kereta api pulau", "zh": "航班 酒店 机场 护照 海滩 旅游 行李 签证 火车"},
    "technology": {"en": "computer software server password laptop network phone update screen app", "ms": "komputer perisian pelayan kata laluan rangkaian telefon kemas kini skrin aplikasi", "zh": "电脑 软件 服务器 密码 网络 手机 更新 屏幕 应用"},
    "weather": {"en": "rain storm sunny wind cloud temperature flood thunder humid forecast", "ms": "hujan ribut cerah angin awan suhu banjir guruh lembap ramalan", "zh": "下雨 暴风 晴天 风 云 气温 洪水 雷 潮湿 预报"},
    "education": {"en": "teacher school exam student lesson university homework book class library", "ms": "guru sekolah peperiksaan pelajar pelajaran universiti buku kelas perpustakaan", "zh": "老师 学校 考试 学生 课程 大学 作业 书 班级 图书馆"},
    "delivery": {"en": "parcel courier shipment delivery tracking package late warehouse address", "ms": "bungkusan kurier penghantaran lewat gudang alamat", "zh": "包裹 快递 发货 物流 仓库 地址 迟到"},
    "billing": {"en": "refund charged twice overcharged bill receipt money card fee", "ms": "bayaran balik dicaj dua kali bil resit wang kad yuran", "zh": "退款 扣款 账单 收据 钱 卡 费用"},
}
SENTENCES = {
    "en": ("The {a} and the {b} were mentioned again.", "We talked about the {a} for an hour.", "I have a question about my {a}.", "There was a problem with the {a} and the {b}.", "The {a} was better than the {b}.", "Everybody waits for the {a}.", "My {a} is not right, please look at the {b}."),
    "ms": ("Kami bercakap tentang {a} dan {b}.", "Saya ada soalan tentang {a}.", "Ada masalah dengan {a} dan {b}.", "Semua orang menunggu {a}."),
    "zh": ("我们谈了{a}和{b}。", "我想问关于{a}的问题。", "{a}和{b}出了问题。", "大家都在等{a}。"),
}
MOODS = {
    "positive": {"en": ("I love this {n}.", "The {n} is excellent!", "Great {n}, thank you very much.", "Very happy with the {n}.", "The {n} works perfectly.", "What a wonderful {n}!", "I really enjoyed the {n}.", "Best {n} I have ever had."), "ms": ("Saya suka {n} ini.", "{n} ini sangat bagus!", "Terima kasih, {n} memang hebat.", "Saya gembira dengan {n} ini."), "zh": ("我很喜欢这个{n}。", "这个{n}非常好！", "{n}很棒，谢谢。", "我对{n}很满意。")},
    "negative": {"en": ("I hate this {n}.", "The {n} is terrible.", "Very bad {n}, I want my money back.", "I am angry about the {n}.", "The {n} broke after one day.", "What an awful {n}!", "The {n} was a disappointment.", "Worst {n} ever."), "ms": ("Saya benci {n} ini.", "{n} ini sangat teruk.", "Saya kecewa dengan {n} ini.", "{n} rosak selepas sehari."), "zh": ("我讨厌这个{n}。", "这个{n}太差了。", "我对{n}很失望。", "{n}一天就坏了。")},
    "neutral": {"en": ("The {n} arrived on Monday.", "I have a {n}.", "The {n} is on the table.", "There are two kinds of {n}."), "ms": ("{n} tiba pada hari Isnin.", "{n} ada di atas meja."), "zh": ("{n}星期一到了。", "{n}在桌子上。")},
}
CLASSIFY = {
    "en": ("Classify the text as {l}.\n\n{t}", "Which of these fits: {l}?\n{t}", "{t}\n\nLabel: {l}?", "Choose one label ({l}) for this text: {t}", "Is this {l}?\n\n{t}", "Labels: {l}\nText: {t}\nLabel:", "Classify: {t}\nOptions: {l}", "Decide whether the text is {l}: {t}"),
    "ms": ("Kelaskan teks ini sebagai {l}.\n\n{t}", "Pilih satu label ({l}): {t}", "Label: {l}\nTeks: {t}", "Yang manakah sesuai: {l}?\n{t}"),
    "zh": ("把文本分类为{l}。\n\n{t}", "选择一个标签（{l}）：{t}", "标签：{l}\n文本：{t}", "属于哪一类：{l}？\n{t}"),
}


def classify(rng, language):
    if rng.chance(0.5):
        labels = [m for m in MOODS if m != "neutral" or rng.chance(0.4)]
        label = rng.choice(labels)
        text = rng.phrase(MOODS[label][language]).format(n=v.product(rng, language))
    else:
        labels = rng.sample(list(TOPICS), rng.randint(2, 5))
        label = rng.choice(labels)
        words = rng.sample(TOPICS[label][language].split(" "), 2)
        text = " ".join(rng.phrase(SENTENCES[language]).format(a=words[i], b=words[1 - i]) for i in range(rng.randint(1, 2)))
    rng.shuffle(labels)
    if rng.chance(0.3):
        key = rng.choice(["label", "category", "sentiment", "topic", "class"])
        schema = {"type": "object", "properties": {key: {"type": "string", "enum": labels}}, "required": [key]}
        user = text if rng.chance(0.5) else rng.phrase(CLASSIFY[language]).format(l=", ".join(labels), t=text)
        return pair("classify", language, user, spaced({key: label}), schema=schema)
    joined = rng.choice([", ", " / "]).join(labels) if rng.chance(0.7) else ", ".join(labels[:-1]) + {"en": " or ", "ms": " atau ", "zh": "或"}[language] + labels[-1]
    return pair("classify", language, rng.phrase(CLASSIFY[language]).format(l=joined, t=text), label)


COUNT = {
    "en": ("How many items are in this list? {l}", "Count the items: {l}", "How many words: {l}", "{l}\n\nHow many are there?"),
    "ms": ("Berapakah item dalam senarai ini? {l}", "Kira item: {l}"), "zh": ("这个列表有多少项？{l}", "数一数：{l}"),
}


def count(rng, language):
    items = [v.word(rng, language) for _ in range(rng.randint(2, 9))]
    if rng.chance(0.3):
        target = rng.choice(items)
        items += [target] * rng.randint(0, 4)
        rng.shuffle(items)
        question = {"en": "How many times does {w} occur? {l}", "ms": "Berapa kali {w} muncul? {l}", "zh": "{w}出现了几次？{l}"}[language]
        return pair("count", language, question.format(w=target, l=", ".join(items)), items.count(target))
    return pair("count", language, rng.phrase(COUNT[language]).format(l=", ".join(items)), len(items))


SORT = {
    "en": ("Sort these numbers: {l}", "Sort ascending: {l}", "Put in order from small to large: {l}", "Order the numbers {l}"),
    "ms": ("Susun nombor ini: {l}", "Susun menaik: {l}"), "zh": ("把这些数字排序：{l}", "从小到大排列：{l}"),
}
LARGEST = {"en": (("What is the largest of {l}?", "Which number is the biggest: {l}?"), ("What is the smallest of {l}?", "Which number is the smallest: {l}?")), "ms": (("Apakah nombor terbesar: {l}?",), ("Apakah nombor terkecil: {l}?",)), "zh": (("最大的数是哪个：{l}？",), ("最小的数是哪个：{l}？",))}
ALPHABET = ("Sort alphabetically: {l}", "Put these words in alphabetical order: {l}", "Order the words from A to Z: {l}")


def sort(rng, language):
    kind = rng.random()
    numbers = rng.sample(range(1, rng.choice([20, 100, 1000])), rng.randint(3, 7))
    joined = ", ".join(map(str, numbers))
    if kind < 0.4:
        return pair("sort", language, rng.phrase(SORT[language]).format(l=joined), ", ".join(map(str, sorted(numbers))))
    if kind < 0.7:
        largest = rng.chance(0.5)
        question = rng.choice(LARGEST[language][0 if largest else 1])
        return pair("sort", language, question.format(l=joined), (max if largest else min)(numbers))
    items = rng.sample(v.words("ms" if language == "ms" else "en"), rng.randint(3, 6))
    if rng.chance(0.3):
        return pair("reverse", "en", rng.choice(["Reverse the list: {l}", "Write this list backwards: {l}"]).format(l=", ".join(items)), ", ".join(reversed(items)))
    return pair("sort", "en", rng.phrase(ALPHABET).format(l=", ".join(items)), ", ".join(sorted(items)))


SUMS = {"en": ("What is {a} {o} {b}?", "{a} {o} {b} =", "Calculate {a} {o} {b}.", "Compute {a} {o} {b}", "How much is {a} {o} {b}?"), "ms": ("Berapakah {a} {o} {b}?", "Kira {a} {o} {b}.", "{a} {o} {b} ="), "zh": ("{a} {o} {b} 等于多少？", "计算 {a} {o} {b}", "{a} {o} {b} =")}
UNITS = [("km", "m", 1000), ("m", "cm", 100), ("kg", "g", 1000), ("hours", "minutes", 60), ("minutes", "seconds", 60), ("days", "hours", 24), ("weeks", "days", 7), ("litres", "ml", 1000), ("cm", "mm", 10), ("years", "months", 12)]
CONVERT = ("How many {y} are {a} {x}?", "Convert {a} {x} to {y}.", "{a} {x} in {y}?", "Change {a} {x} into {y}.")
DAYS = {"en": ("What date is {n} days after {d}?", "Add {n} days to {d}.", "{d} plus {n} days?"), "ms": ("Apakah tarikh {n} hari selepas {d}?",), "zh": ("{d}之后{n}天是哪一天？",)}


def arithmetic(rng, language):
    kind = rng.random()
    if kind < 0.6:
        sign = rng.choice("++--*")
        a, b = (rng.randint(2, 12), rng.randint(2, 12)) if sign == "*" else (rng.randint(1, 99), rng.randint(1, 99))
        result = a + b if sign == "+" else a - b if sign == "-" else a * b
        return pair("arithmetic", language, rng.phrase(SUMS[language]).format(a=a, b=b, o=sign), result)
    if kind < 0.85:
        large, little, factor = rng.choice(UNITS)
        n = rng.randint(1, 12) if factor in (60, 24, 7, 12) else rng.randint(1, 99)
        return pair("units", "en", rng.phrase(CONVERT).format(a=n, x=large, y=little), f"{n * factor} {little}")
    day = datetime.date(rng.randint(2020, 2030), rng.randint(1, 12), rng.randint(1, 28))
    n = rng.choice([1, 2, 3, 7, 10])
    return pair("dates", language, rng.phrase(DAYS[language]).format(n=n, d=day.isoformat()), (day + datetime.timedelta(n)).isoformat())


TABLE = {
    "en": ("What is the {c} of {r}?", "{c} of {r}?", "Look up the {c} for {r}.", "Which {c} does {r} have?", "Give the {c} of {r}."),
    "ms": ("Apakah {c} bagi {r}?", "Cari {c} untuk {r}.", "{c} bagi {r}?"), "zh": ("{r}的{c}是什么？", "查找{r}的{c}。", "{r}的{c}？"),
}


def table(rng, language):
    kinds = {"price": "decimal", "age": "small", "city": "city", "colour": "colour", "code": "code", "stock": "integer", "phone": "phone", "team": "word", "date": "date", "owner": "first_name"}
    columns = rng.sample(list(kinds), rng.randint(1, 4))
    if rng.chance(0.2):
        columns = [v.word(rng, language) for _ in columns]
    rows = {}
    first = rng.choice(["first_name", "product", "word"])
    for _ in range(rng.randint(2, 7)):
        rows[getattr(v, first)(rng, language)] = [str(getattr(v, kinds.get(c, rng.choice(["integer", "word"])))(rng, language)) for c in columns]
    head = rng.choice(["name", "item", "id", "product"])
    style = rng.random()
    lines = [[head, *columns], *([k, *r] for k, r in rows.items())]
    if style < 0.4:
        text = "\n".join("| " + " | ".join(line) + " |" for line in [lines[0], ["---"] * len(lines[0]), *lines[1:]])
    elif style < 0.8:
        text = "\n".join(",".join(line) for line in lines)
    else:
        text = "\n".join("; ".join([f"{head}: {k}", *(f"{c}: {x}" for c, x in zip(columns, r))]) for k, r in rows.items())
    row, at = rng.choice(list(rows)), rng.randrange(len(columns))
    question = rng.phrase(TABLE[language]).format(c=columns[at], r=row)
    return pair("table", language, f"{text}\n\n{question}" if rng.chance(0.8) else f"{question}\n\n{text}", rows[row][at])


REWRITE = {
    "upper": ("Write in capital letters: {t}", "Uppercase: {t}"), "lower": ("Write in small letters: {t}", "Lowercase: {t}"),
    "copy": ("Repeat exactly: {t}", "Copy this text: {t}", "Say it again: {t}", "Ulang: {t}", "重复：{t}"),
    "bullets": ("Make a bullet list of: {t}", "Write these as bullets: {t}"),
    "numbered": ("Make a numbered list of: {t}", "Number these: {t}"),
    "csv": ("Join with commas: {t}",),
    "replace": ("Replace {a} with {b}: {t}", "Change every {a} to {b} in: {t}"),
    "remove": ("Remove the word {a}: {t}", "Delete {a} from: {t}"),
    "masks": ("Hide the e-mail address: {t}", "Redact the email: {t}"),
}


def rewrite(rng, language):
    kind = rng.choice(list(REWRITE))
    gap = "" if language == "zh" else " "
    words = [v.word(rng, language) for _ in range(rng.randint(2, 8))]
    text = gap.join(words)
    form = rng.choice(REWRITE[kind])
    if kind in ("bullets", "numbered"):
        marks = ["- " if kind == "bullets" else f"{i + 1}. " for i in range(len(words))]
        return pair("rewrite", language, form.format(t=", ".join(words)), "\n".join(m + w for m, w in zip(marks, words)))
    if kind == "csv":
        return pair("rewrite", language, form.format(t=" ".join(words)), ", ".join(words))
    if kind in ("replace", "remove"):
        old, new = rng.choice(words), v.word(rng, language)
        changed = [new if w == old else w for w in words] if kind == "replace" else [w for w in words if w != old]
        return pair("rewrite", language, form.format(a=old, b=new, t=text), gap.join(changed) or "-")
    if kind == "masks":
        who, mail = v.person(rng, language), v.email(rng)
        line = rng.choice(["{n} uses {m} at work.", "Please write to {n} at {m} today.", "{m} belongs to {n}.", "{n}: {m}"])
        return pair("rewrite", language, form.format(t=line.format(n=who, m=mail)), line.format(n=who, m="[email]"))
    if kind == "copy" and rng.chance(0.5):
        text = gap.join([v.person(rng, language), v.code(rng), v.word(rng, language), v.email(rng)])
    if kind in ("upper", "lower") and rng.chance(0.5):
        text = text.title()
    return pair("rewrite", language, form.format(t=text), {"upper": text.upper, "lower": text.lower, "copy": lambda: text}[kind]())
