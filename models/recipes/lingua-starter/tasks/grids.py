"""Tables: look up, the other way round, most and least, how many, sums worked out; several questions about each."""

from . import stock
from . import values as v
from .reading import UNKNOWN, framed
from .scenes import cap

# (en, ms, zh), how it is made, whether it is a number
COLUMNS = [
    (("price", "harga", "价格"), "decimal"), (("stock", "stok", "库存"), "small"), (("age", "umur", "年龄"), "small"), (("score", "markah", "分数"), "percent"), (("sales", "jualan", "销量"), "hundreds"), (("visitors", "pelawat", "游客数"), "hundreds"),
    (("hours", "jam", "小时"), "small"), (("quantity", "kuantiti", "数量"), "small"), (("weight (kg)", "berat (kg)", "重量（公斤）"), "small"), (("distance (km)", "jarak (km)", "距离（公里）"), "hundreds"), (("budget", "bajet", "预算"), "thousands"), (("population", "penduduk", "人口"), "thousands"),
    (("rating", "penilaian", "评分"), "rating"), (("members", "ahli", "成员"), "small"), (("rooms", "bilik", "房间数"), "small"), (("temperature", "suhu", "温度"), "small"), (("days", "hari", "天数"), "small"), (("cost", "kos", "成本"), "hundreds"), (("year", "tahun", "年份"), "years"),
    (("city", "bandar", "城市"), "city"), (("colour", "warna", "颜色"), "colour"), (("manager", "pengurus", "经理"), "person"), (("phone", "telefon", "电话"), "phone"), (("code", "kod", "代码"), "code"), (("date", "tarikh", "日期"), "date"), (("day", "hari", "星期"), "weekday"), (("supplier", "pembekal", "供应商"), "company"), (("status", "status", "状态"), "status"), (("department", "jabatan", "部门"), "department"), (("email", "e-mel", "邮箱"), "email"), (("time", "masa", "时间"), "clock"),
]
STATUS = [("open", "buka", "开放"), ("closed", "tutup", "关闭"), ("pending", "belum selesai", "待定"), ("paid", "dibayar", "已付"), ("late", "lewat", "迟到")]
DEPARTMENTS = [("sales", "jualan", "销售部"), ("support", "sokongan", "客服部"), ("finance", "kewangan", "财务部"), ("design", "reka bentuk", "设计部"), ("kitchen", "dapur", "厨房")]
NUMERIC = ("decimal", "small", "percent", "hundreds", "thousands", "rating", "years")
FIRST = [(("name", "nama", "姓名"), "first_name"), (("product", "produk", "产品"), "product"), (("city", "bandar", "城市"), "city"), (("item", "barang", "物品"), "word"), (("branch", "cawangan", "分店"), "city"), (("team", "pasukan", "队伍"), "word"), (("employee", "pekerja", "员工"), "person")]


def cell(rng, kind, language):
    at = stock.AT[language]
    return {
        "decimal": lambda: f"{rng.uniform(1, 200):.2f}", "small": lambda: str(rng.randint(1, 60)), "percent": lambda: str(rng.randint(20, 100)), "hundreds": lambda: str(rng.randint(60, 999)), "thousands": lambda: f"{rng.randint(10, 990) * 100:,}" if rng.chance(0.4) else str(rng.randint(10, 990) * 100),
        "rating": lambda: f"{rng.uniform(1, 5):.1f}", "years": lambda: str(rng.randint(1950, 2025)), "status": lambda: rng.choice(STATUS)[at], "department": lambda: rng.choice(DEPARTMENTS)[at], "date": lambda: v.iso_date(rng) if rng.chance(0.5) else stock.date(rng, language)[0],
        "weekday": lambda: rng.choice(stock.WEEKDAYS[language]), "clock": lambda: stock.clock(rng, language)[0],
    }.get(kind, lambda: str(getattr(v, kind)(rng, language)))()


LOOKUP = {
    "en": ("What is the {c} of {r}?", "{c} of {r}?", "Look up the {c} for {r}.", "Which {c} does {r} have?", "Give me the {c} for {r}.", "What {c} is listed for {r}?", "Tell me {r}'s {c}.", "What does the table say about the {c} of {r}?", "In the row of {r}, what is the {c}?", "find the {c}: {r}"),
    "ms": ("Apakah {c} bagi {r}?", "Cari {c} untuk {r}.", "{c} bagi {r}?", "Berapakah {c} {r}?", "Nyatakan {c} untuk {r}."), "zh": ("{r}的{c}是什么？", "查找{r}的{c}。", "{r}的{c}是多少？", "表中{r}的{c}是？"),
}
REVERSE = {
    "en": ("Which {h} has the {c} {x}?", "Who or what has {x} as {c}?", "For which {h} is the {c} {x}?", "The {c} is {x}: which {h} is it?"), "ms": ("{h} manakah yang mempunyai {c} {x}?", "{c} {x} milik {h} yang mana?"), "zh": ("哪个{h}的{c}是{x}？", "{c}为{x}的{h}是哪个？"),
}
MOST = {"en": ("Which {h} has the highest {c}?", "Who has the most {c}?", "What is the {h} with the largest {c}?", "Find the {h} with the greatest {c}."), "ms": ("{h} manakah mempunyai {c} tertinggi?", "Yang manakah {c} paling tinggi?"), "zh": ("哪个{h}的{c}最高？", "{c}最多的是哪个？")}
LEAST = {"en": ("Which {h} has the lowest {c}?", "Who has the least {c}?", "What is the {h} with the smallest {c}?"), "ms": ("{h} manakah mempunyai {c} terendah?", "Yang manakah {c} paling rendah?"), "zh": ("哪个{h}的{c}最低？", "{c}最少的是哪个？")}
HOW_MANY = {"en": ("How many rows are there?", "How many {h}s are listed?", "Count the entries.", "How many entries does the table have?"), "ms": ("Berapa baris ada dalam jadual?", "Berapakah {h} yang disenaraikan?"), "zh": ("表中有多少行？", "一共列出多少个{h}？")}
WITH = {"en": ("How many {h}s have {c} {x}?", "How many entries have the {c} {x}?"), "ms": ("Berapakah {h} yang {c} {x}?",), "zh": ("{c}是{x}的有多少个？",)}
SUM = {"en": ("What is the total {c}?", "Add up the {c} of all rows.", "What is the sum of the {c} column?", "How much {c} is it altogether?"), "ms": ("Berapakah jumlah {c}?", "Jumlahkan {c}."), "zh": ("{c}一共是多少？", "{c}的总和是多少？")}
PAIR = {"en": ("What is the {c} of {a} and {b} together?", "Add the {c} of {a} and {b}."), "ms": ("Berapakah jumlah {c} {a} dan {b}?",), "zh": ("{a}和{b}的{c}一共是多少？",)}
MORE = {"en": ("Which has the higher {c}, {a} or {b}?", "Who has more {c}: {a} or {b}?"), "ms": ("Yang manakah {c} lebih tinggi, {a} atau {b}?",), "zh": ("{a}和{b}，哪个的{c}更高？",)}
INTRO = {"en": ("Here is a table.", "Our price list:", "This is the current overview:", "Data:", "The list of this month:", ""), "ms": ("Berikut ialah jadual.", "Data:", ""), "zh": ("下面是一张表。", "数据：", "")}


def number(text):
    return float(text.replace(",", ""))


def plain(value):
    return str(int(value)) if abs(value - round(value)) < 1e-9 else f"{value:.2f}".rstrip("0")


def worked(texts):
    """A sum step by step."""
    total, steps = number(texts[0]), []
    for text in texts[1:]:
        following = round(total + number(text), 2)
        steps.append(f"{plain(total)} + {plain(number(text))} = {plain(following)}")
        total = following
    return ", ".join(steps)


def write(rng, lines):
    style = rng.random()
    if style < 0.35:
        return "\n".join("| " + " | ".join(line) + " |" for line in [lines[0], [rng.choice(["---", ":--", "-----"])] * len(lines[0]), *lines[1:]])
    if style < 0.6:
        mark = rng.choice([",", ",", ", ", ";", "\t"])
        if mark.strip() == "," and any("," in x for line in lines for x in line):
            mark = ";"
        return "\n".join(mark.join(line) for line in lines)
    if style < 0.75:
        widths = [max(len(line[i]) for line in lines) + 2 for i in range(len(lines[0]))]
        return "\n".join("".join(x.ljust(w) for x, w in zip(line, widths)).rstrip() for line in lines)
    head = lines[0]
    if style < 0.88:
        return "\n".join(f"{line[0]}: " + ", ".join(f"{c} {x}" for c, x in zip(head[1:], line[1:])) for line in lines[1:])
    return "\n".join(rng.choice(["; ", " | "]).join(f"{c}: {x}" for c, x in zip(head, line)) for line in lines[1:])


def grid(rng, language):
    at = stock.AT[language]
    first, kind = rng.choice(FIRST)
    columns = rng.sample(COLUMNS, rng.randint(1, 5))
    columns = [c for c in columns if c[0] != first]
    rows = {}
    for _ in range(rng.choice([3, 3, 4, 4, 5, 5, 6, 7, 8, 10])):
        rows.setdefault(str(getattr(v, kind)(rng, language)), [cell(rng, k, language) for _, k in columns])
    if len(rows) < 2 or not columns:
        return grid(rng, language)
    name = lambda names: cap(names[at]) if capital else names[at]
    capital = rng.chance(0.5)
    head = [name(first), *(name(names) for names, _ in columns)]
    shown = write(rng, [head, *([key, *row] for key, row in rows.items())])
    intro = rng.choice(INTRO[language])
    if intro:
        shown = f"{intro}\n\n{shown}" if rng.chance(0.5) else f"{intro}\n{shown}"
    keys, pairs = list(rows), []
    for _ in range(rng.randint(3, 5)):
        i = rng.randrange(len(columns))
        names, kind = columns[i]
        c, h, row = names[at], first[at], rng.choice(keys)
        x = rows[row][i]
        column = [rows[key][i] for key in keys]
        fill = lambda form, **more: cap(form.format(c=c, r=row, h=h, x=x, **more)) if rng.chance(0.9) else form.format(c=c, r=row, h=h, x=x, **more)
        what = rng.random()
        if what < 0.42:
            pairs.append((fill(rng.phrase(LOOKUP[language])), x))
        elif what < 0.5 and column.count(x) == 1:
            pairs.append((fill(rng.phrase(REVERSE[language])), row))
        elif what < 0.68 and kind in NUMERIC and len(set(column)) == len(column):
            best = rng.chance(0.6)
            key = (max if best else min)(keys, key=lambda k: number(rows[k][i]))
            pairs.append((fill(rng.choice((MOST if best else LEAST)[language])), f"{key} ({rows[key][i]})"))
        elif what < 0.76 and kind in NUMERIC and len(keys) > 1:
            a, b = rng.sample(keys, 2)
            if rows[a][i] != rows[b][i]:
                winner = a if number(rows[a][i]) > number(rows[b][i]) else b
                pairs.append((fill(rng.choice(MORE[language]), a=a, b=b), f"{winner} ({rows[winner][i]})"))
        elif what < 0.82 and kind in ("small", "hundreds", "decimal", "thousands"):
            if len(keys) <= 4 and rng.chance(0.5):
                pairs.append((fill(rng.choice(SUM[language])), worked(column)))
            else:
                a, b = rng.sample(keys, 2)
                pairs.append((fill(rng.choice(PAIR[language]), a=a, b=b), worked([rows[a][i], rows[b][i]])))
        elif what < 0.88:
            pairs.append((fill(rng.choice(HOW_MANY[language])), str(len(keys))))
        elif what < 0.93 and kind in ("status", "department", "weekday", "colour"):
            those = [key for key in keys if rows[key][i] == x]
            pairs.append((fill(rng.choice(WITH[language])), f"{len(those)} ({', '.join(those)})"))
        else:
            stranger = str(getattr(v, "first_name" if rng.chance(0.5) else "product")(rng, language))
            if stranger not in keys and rng.chance(0.6):
                pairs.append((cap(rng.choice(LOOKUP[language]).format(c=c, r=stranger)), UNKNOWN[language]))
            else:
                other = rng.choice(COLUMNS)[0]
                if other[at] not in [n[at] for n, _ in columns] and other[at] != first[at]:
                    pairs.append((cap(rng.choice(LOOKUP[language]).format(c=other[at], r=row)), UNKNOWN[language]))
    pairs = list(dict(pairs).items())
    return framed(rng, language, shown, pairs, "grid") if pairs else grid(rng, language)
