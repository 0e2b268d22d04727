"""Fields by JSON Schema from letters, mails, forms, receipts and notes: values as the schema wants them (dates, numbers, truth,
lists, objects, null)."""

from . import extract as older
from . import scenes, stock
from . import values as v
from .example import Example, spaced
from .scenes import cap, show, tell

NUMBERS = ("money", "bigmoney", "percent")
DESCRIBED = {"date": "Date as YYYY-MM-DD", "clock": "Time as HH:MM, 24 hours", "money": "Amount without currency", "bigmoney": "Amount as a number"}
REQUESTS = {
    "en": (*older.REQUESTS["en"], "Extract these fields from the message.", "Please turn the text into JSON.", "Get the data out of this mail.", "Parse this.", "Fill in the schema from the text.", "Read this and give me the data.", "Structured data, please:", "Convert the note to a record.", "Take the details from the following text."),
    "ms": (*older.REQUESTS["ms"], "Ekstrak maklumat ini.", "Sila isi rekod daripada teks.", "Baca dan berikan datanya."), "zh": (*older.REQUESTS["zh"], "请把信息整理成 JSON。", "提取关键信息。", "从下面的消息中提取字段：", "填写记录。"),
}


def property_of(rng, told, language):
    """(schema, value) of one told fact."""
    kind, value, text = told.fact.kind.partition(":")[0], told.value, told.text
    if kind in NUMBERS or kind in ("int", "year"):
        if rng.chance(0.9):
            whole = isinstance(value, int) and (kind in ("int", "year") or rng.chance(0.3))
            schema = {"type": "integer" if whole else "number"}
            return schema | ({"description": DESCRIBED[kind]} if kind in DESCRIBED and rng.chance(0.2) else {}), value
        return {"type": "string"}, text
    if kind in ("date", "clock"):
        if value is not None and rng.chance(0.55):
            schema = {"type": "string"}
            schema |= {"format": "date" if kind == "date" else "time"} if rng.chance(0.6) and kind == "date" else {"description": rng.choice([DESCRIBED[kind], DESCRIBED[kind].split(" as ")[1], f"in {DESCRIBED[kind].split(' as ')[1]} format", f"ISO 8601 {kind}" if kind == "date" else "24-hour time HH:MM"])}
            return schema, value
        return {"type": "string"}, text
    if kind in ("colour", "weekday") or told.fact.kind in ("choice:job", "choice:wish", "choice:level", "choice:material") and rng.chance(0.5):
        if rng.chance(0.5):
            others = [stock.make(rng, told.fact.kind, language)[0] for _ in range(rng.randint(2, 4))]
            options = list(dict.fromkeys([text, *others]))
            rng.shuffle(options)
            return {"type": "string", "enum": options}, text
    schema = {"type": "string"}
    if rng.chance(0.15):
        schema["description"] = rng.choice(told.fact.asked[language]).replace("{s}", "it") if rng.chance(0.5) else cap(told.fact.keys[0].replace("_", " "))
    return schema, value


def styled(rng, key, style):
    if style == "camel" and key.isascii():
        head, *rest = key.split("_")
        return head + "".join(part.capitalize() for part in rest)
    return key


def fields(rng, language):
    """One text, one or two schemas of some of its facts."""
    text = tell(rng, language, rng.randint(3, 8))
    shown = show(rng, text)
    style = "camel" if rng.chance(0.15) else "snake"
    made = []
    system = rng.choice(SYSTEMS[language]) if rng.chance(0.4) else None
    request = rng.phrase(REQUESTS[language if rng.chance(0.8) else "en"])
    form = rng.choice(["{r}\n\n{t}", "{r}\n{t}", "{r} {t}", "{t}\n\n{r}", "{t}", "{r}\n\n\"\"\"\n{t}\n\"\"\""])
    for _ in range(1 if rng.chance(0.6) else 2):
        properties, values = {}, {}
        for told in rng.sample(text.told, rng.randint(min(2, len(text.told)), len(text.told))):
            key = styled(rng, told.fact.keys[0] if rng.chance(0.35) else rng.choice(told.fact.keys), style)
            if key in properties:
                continue
            properties[key], values[key] = property_of(rng, told, language)
        if rng.chance(0.25):
            key = rng.choice({"event": ("event", "title", "name"), "order": ("product", "item", "article"), "person": ("name", "person"), "organisation": ("company", "name"), "travel": ("destination", "city"), "course": ("course", "title"), "work": ("position", "job_title"), "software": ("software", "name")}.get(text.scene, ("subject", "about")))
            if key not in properties and text.scene not in ("notice", "rental", "meeting"):
                properties, values = {key: {"type": "string"}} | properties, {key: text.subject} | values
        if rng.chance(0.2) and text.untold:
            fact = rng.choice(text.untold)
            key = styled(rng, rng.choice(fact.keys), style)
            if key not in properties:
                kind = fact.kind.partition(":")[0]
                properties[key] = {"type": ["number" if kind in (*NUMBERS, "int", "year") else "string", "null"]}
                values[key] = None
        if rng.chance(0.15) and len(properties) > 3:
            names = list(properties)[1:3]
            outer = rng.choice(["details", "contact", "info", "meta", "data"])
            inner = {name: properties.pop(name) for name in names}
            properties[outer] = {"type": "object", "properties": inner, "required": names}
            values[outer] = {name: values.pop(name) for name in names}
        schema = {"type": "object", "properties": properties}
        if rng.chance(0.9):
            schema["required"] = list(properties)
        if rng.chance(0.5):
            schema["additionalProperties"] = False
        messages = [{"role": "system", "content": system}] if system else []
        messages += [{"role": "user", "content": form.replace("{r}", request).replace("{t}", shown)}, {"role": "assistant", "content": spaced({key: values[key] for key in properties})}]
        made.append(Example("fields", language, messages, schema=schema))
    # Their schemas differ at the start: nothing to share but the text, so each stands alone.
    return made[:1] if len(shown) > 900 else made


SYSTEMS = {
    "en": (*older.SYSTEMS["en"], "You turn messages into records.", "Return only JSON.", "You are a data entry clerk.", "Use null for what the text does not give."), "ms": (*older.SYSTEMS["ms"], "Pulangkan JSON sahaja."), "zh": (*older.SYSTEMS["zh"], "只返回 JSON。"),
}
SHOP = {"en": ("Receipt", "Invoice", "RECEIPT", "Tax Invoice", "Order confirmation", "Delivery note"), "ms": ("Resit", "Invois", "Nota penghantaran"), "zh": ("收据", "发票", "送货单")}
WORDS = {"en": ("Total", "Date", "No.", "Cashier", "Tax", "Subtotal"), "ms": ("Jumlah", "Tarikh", "No.", "Juruwang", "Cukai", "Jumlah kecil"), "zh": ("合计", "日期", "编号", "收银员", "税", "小计")}


def receipt(rng, language):
    """Lines of a purchase: shop, number, date, articles and total."""
    names = WORDS[language]
    shop, number = v.company(rng, language), v.code(rng)
    date_text, iso = stock.date(rng, language)
    items, used = [], set()
    for _ in range(rng.randint(1, 5)):
        name = v.product(rng, language)
        if name not in used:
            used.add(name)
            items.append((name, rng.randint(1, 6), rng.choice([round(rng.uniform(1, 90), 2), round(rng.uniform(1, 30), 1), rng.randint(1, 60)])))
    sign = rng.choice({"en": ["RM", "$", "", "RM "], "ms": ["RM", ""], "zh": ["¥", ""]}[language])
    lines_total = round(sum(q * p for _, q, p in items), 2)
    tax = round(lines_total * 0.06, 2) if rng.chance(0.3) else None
    total = round(lines_total + (tax or 0), 2)
    style = rng.choice(["{n} x{q} {p}", "{q} x {n} {p}", "{n}  {q}  {p}  {t}", "{q} {n} @ {p}", "- {n}, {q} pcs, {p} each", "{n}\t{q}\t{p}"])
    lines = [style.format(n=n, q=q, p=f"{sign}{p:.2f}", t=f"{q * p:.2f}") for n, q, p in items]
    head = [f"{names[1]}: {date_text}", f"{names[2]} {number}"]
    rng.shuffle(head)
    if rng.chance(0.4):
        head.append(f"{names[3]}: {v.first_name(rng, language)}")
    tail = ([f"{names[5]} {sign}{lines_total:.2f}", f"{names[4]} {sign}{tax:.2f}"] if tax else []) + [f"{names[0]}{rng.choice([' ', ': '])}{sign}{total:,.2f}"]
    shown = "\n".join([shop, *([rng.choice(SHOP[language])] if rng.chance(0.7) else []), *head, *lines, *tail, *([rng.choice(scenes.NOISE[language])] if rng.chance(0.3) else [])])
    number_key, shop_key = rng.choice(["receipt_no", "number", "invoice_number", "reference"]), rng.choice(["shop", "vendor", "store", "merchant", "seller", "company"])
    is_iso = iso is not None and rng.chance(0.6)
    properties = {
        shop_key: ({"type": "string"}, shop), number_key: ({"type": "string"}, number),
        "date": ({"type": "string", "format": "date"} if is_iso else {"type": "string"}, iso if is_iso else date_text),
        rng.choice(["total", "total_amount", "amount"]): ({"type": "number"}, total if total != int(total) else int(total)),
    }
    if rng.chance(0.6):
        a, b, c = rng.choice([("name", "quantity", "price"), ("item", "qty", "unit_price"), ("description", "quantity", "unit_price"), ("product", "count", "price")])
        keep = rng.choice([(a, b, c), (a, b, c), (a, b), (a, c)])
        entry = {a: "string", b: "integer", c: "number"}
        properties[rng.choice(["items", "lines", "articles", "products"])] = ({"type": "array", "items": {"type": "object", "properties": {k: {"type": entry[k]} for k in keep}, "required": list(keep)}}, [{k: dict(zip((a, b, c), (n, q, int(p) if p == int(p) else p)))[k] for k in keep} for n, q, p in items])
    elif rng.chance(0.3):
        properties["item_count"] = ({"type": "integer"}, len(items))
    chosen = rng.sample(list(properties), rng.randint(2, len(properties)))
    schema = {"type": "object", "properties": {key: properties[key][0] for key in chosen}, "required": chosen}
    if rng.chance(0.5):
        schema["additionalProperties"] = False
    system = rng.choice(SYSTEMS[language]) if rng.chance(0.4) else None
    user = rng.choice(["{r}\n\n{t}", "{r}\n{t}", "{t}", "{t}\n\n{r}"]).replace("{r}", rng.phrase(REQUESTS[language])).replace("{t}", shown)
    messages = ([{"role": "system", "content": system}] if system else []) + [{"role": "user", "content": user}, {"role": "assistant", "content": spaced({key: properties[key][1] for key in chosen})}]
    return [Example("fields", language, messages, schema=schema)]


URGENT = {"en": (("This is urgent!", True), ("Please hurry, it cannot wait.", True), ("There is no hurry.", False), ("Take your time.", False)), "ms": (("Ini penting dan segera!", True), ("Tidak perlu tergesa-gesa.", False)), "zh": (("非常紧急！", True), ("不着急。", False))}
MOOD = {"en": (("I am very angry about this.", "negative"), ("I am so happy with everything!", "positive"), ("I just wanted to ask.", "neutral"), ("This is the worst service ever.", "negative"), ("Great work, thank you!", "positive")), "ms": (("Saya sangat kecewa.", "negative"), ("Saya amat gembira!", "positive"), ("Saya cuma mahu bertanya.", "neutral")), "zh": (("我非常生气。", "negative"), ("我非常满意！", "positive"), ("我只是想问一下。", "neutral"))}


def judged(rng, language):
    """Fields that are understood, not copied: truth and labels beside some that are copied; lists of names."""
    text = tell(rng, language, rng.randint(2, 4), rng.choice(["order", "order", "rental", "travel", "event"]))
    body = [text.opening, *(t.sentence for t in text.told)]
    properties, values = {}, {}
    for told in rng.sample(text.told, rng.randint(1, len(text.told))):
        key = rng.choice(told.fact.keys)
        properties[key], values[key] = property_of(rng, told, language)
    if rng.chance(0.6):
        sentence, is_urgent = rng.choice(URGENT[language])
        body.insert(rng.randint(1, len(body)), sentence)
        key = rng.choice(["urgent", "is_urgent"])
        if rng.chance(0.3):
            properties["priority"], values["priority"] = {"type": "string", "enum": ["low", "high"]}, "high" if is_urgent else "low"
        else:
            properties[key], values[key] = {"type": "boolean"}, is_urgent
    if rng.chance(0.6):
        sentence, mood = rng.choice(MOOD[language])
        body.insert(rng.randint(1, len(body)), sentence)
        properties[(key := rng.choice(["sentiment", "mood", "tone"]))], values[key] = {"type": "string", "enum": rng.sample(["positive", "negative", "neutral"], 3)}, mood
    if rng.chance(0.5):
        names = [v.first_name(rng, language) for _ in range(rng.randint(2, 4))]
        joined = {"en": f"{', '.join(names[:-1])} and {names[-1]}", "ms": f"{', '.join(names[:-1])} dan {names[-1]}", "zh": f"{'、'.join(names[:-1])}和{names[-1]}"}[language]
        body.insert(rng.randint(1, len(body)), rng.choice({"en": ("{} will come too.", "I am writing for {}.", "{} agree with me."), "ms": ("{} juga akan datang.", "{} bersetuju."), "zh": ("{}也会来。", "{}都同意。")}[language]).replace("{}", joined))
        properties[(key := rng.choice(["names", "people", "others", "persons", "attendees"]))], values[key] = {"type": "array", "items": {"type": "string"}}, names
    order = rng.sample(list(properties), len(properties))
    schema = {"type": "object", "properties": {key: properties[key] for key in order}, "required": order}
    user = rng.choice(["{r}\n\n{t}", "{t}", "{r}\n{t}"]).replace("{r}", rng.phrase(REQUESTS[language])).replace("{t}", scenes.gap(language).join(body))
    return [Example("fields", language, [{"role": "user", "content": user}, {"role": "assistant", "content": spaced({key: values[key] for key in order})}], schema=schema)]
