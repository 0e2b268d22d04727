"""Fields of a text into JSON under a schema."""

from . import values as v
from .example import Example, spaced

# key spellings, kind, label per language, sentence per language
FIELDS = [
    (("name", "full_name", "customer_name", "person", "customer", "nama", "姓名"), "person", {"en": ("Name", "Customer", "Full name", "Contact"), "ms": ("Nama", "Pelanggan", "Nama penuh"), "zh": ("姓名", "客户", "联系人")},
     {"en": ("My name is {}.", "{} wrote to us.", "This is {} speaking.", "The contact person is {}.", "It was signed by {}.", "I am {}."), "ms": ("Nama saya {}.", "Saya {}.", "Pelanggan bernama {}.", "Wakilnya ialah {}."), "zh": ("我叫{}。", "联系人是{}。", "客户名叫{}。", "我是{}。")}),
    (("company", "vendor", "supplier", "organisation", "company_name", "seller", "syarikat", "公司"), "company", {"en": ("Company", "Vendor", "Supplier", "Seller"), "ms": ("Syarikat", "Pembekal", "Penjual"), "zh": ("公司", "供应商")},
     {"en": ("The company is {}.", "I work at {}.", "It came from {}.", "The vendor was {}.", "We bought it from {}."), "ms": ("Syarikatnya ialah {}.", "Saya bekerja di {}.", "Ia datang daripada {}.", "Pembekalnya {}."), "zh": ("公司是{}。", "我在{}工作。", "供应商是{}。", "这是{}开的。")}),
    (("city", "location", "place", "destination", "town", "bandar", "城市"), "city", {"en": ("City", "Location", "Place"), "ms": ("Bandar", "Lokasi", "Tempat"), "zh": ("城市", "地点")},
     {"en": ("I live in {}.", "We are based in {}.", "It happened in {}.", "Please ship it to {}.", "The office is in {}."), "ms": ("Saya tinggal di {}.", "Kami berpusat di {}.", "Ia berlaku di {}.", "Pejabatnya di {}."), "zh": ("我住在{}。", "公司在{}。", "事情发生在{}。", "请寄到{}。")}),
    (("email", "email_address", "contact_email", "mail", "e_mel"), "email", {"en": ("Email", "E-mail", "Mail"), "ms": ("E-mel", "Emel"), "zh": ("邮箱", "电子邮件")},
     {"en": ("You can reach me at {}.", "My email is {}.", "Write to {}.", "Send the answer to {}."), "ms": ("E-mel saya {}.", "Hubungi saya di {}.", "Sila tulis kepada {}."), "zh": ("我的邮箱是{}。", "请写信到{}。")}),
    (("phone", "phone_number", "tel", "mobile", "telefon", "电话"), "phone", {"en": ("Phone", "Tel", "Mobile"), "ms": ("Telefon", "No. telefon", "Tel"), "zh": ("电话", "手机")},
     {"en": ("Call me at {}.", "My phone number is {}.", "The number to ring is {}."), "ms": ("Telefon saya di {}.", "Nombor telefon saya {}."), "zh": ("我的电话是{}。", "请拨打{}。")}),
    (("invoice_number", "invoice_no", "order_id", "reference", "ticket", "case_number", "id", "no_rujukan", "编号"), "code", {"en": ("Invoice no", "Order", "Reference", "Ticket", "Invoice", "ID"), "ms": ("No. invois", "Pesanan", "Rujukan"), "zh": ("编号", "订单号", "发票号")},
     {"en": ("The order number is {}.", "It concerns invoice {}.", "Reference {}.", "My ticket is {}.", "Invoice {} is attached."), "ms": ("Nombor pesanan ialah {}.", "Ini tentang invois {}.", "Rujukan {}."), "zh": ("订单号是{}。", "发票号为{}。", "编号{}。")}),
    (("date", "invoice_date", "due_date", "day", "order_date", "tarikh", "日期"), "date", {"en": ("Date", "Due date", "Day"), "ms": ("Tarikh", "Tarikh akhir"), "zh": ("日期", "到期日")},
     {"en": ("It was on {}.", "The date is {}.", "It is due on {}.", "We met on {}.", "Dated {}."), "ms": ("Tarikhnya {}.", "Ia berlaku pada {}.", "Bertarikh {}."), "zh": ("日期是{}。", "时间是{}。", "发生在{}。")}),
    (("time", "start_time", "at", "masa", "时间"), "clock", {"en": ("Time", "Start"), "ms": ("Masa", "Mula"), "zh": ("时间", "开始")},
     {"en": ("It starts at {}.", "We meet at {}.", "The time is {}."), "ms": ("Ia bermula pada {}.", "Masanya {}."), "zh": ("{}开始。", "时间是{}。")}),
    (("total", "amount", "price", "cost", "total_amount", "sum", "jumlah", "harga", "金额"), "amount", {"en": ("Total", "Amount", "Price", "Grand total"), "ms": ("Jumlah", "Harga"), "zh": ("总额", "金额", "价格")},
     {"en": ("The total is {}.", "It cost {}.", "I paid {}.", "The price was {}.", "The amount comes to {}."), "ms": ("Jumlahnya {}.", "Harganya {}.", "Saya membayar {}."), "zh": ("总共{}。", "价格是{}。", "我付了{}。", "金额为{}。")}),
    (("quantity", "count", "units", "number_of_items", "kuantiti", "bilangan", "数量"), "integer", {"en": ("Quantity", "Qty", "Units"), "ms": ("Kuantiti", "Bilangan"), "zh": ("数量",)},
     {"en": ("We need {} of them.", "The quantity is {}.", "There are {} units.", "Please send {} pieces."), "ms": ("Kami perlukan {} unit.", "Kuantitinya {}.", "Sila hantar {} buah."), "zh": ("数量是{}。", "我们需要{}个。", "一共{}件。")}),
    (("age", "years", "umur", "年龄"), "small", {"en": ("Age",), "ms": ("Umur",), "zh": ("年龄",)},
     {"en": ("I am {} years old.", "The patient is {} years old.", "Age {}."), "ms": ("Saya berumur {} tahun.", "Umurnya {} tahun."), "zh": ("我今年{}岁。", "年龄{}岁。")}),
    (("product", "item", "item_name", "article", "barang", "produk", "产品"), "product", {"en": ("Item", "Product", "Article"), "ms": ("Barang", "Produk"), "zh": ("产品", "商品")},
     {"en": ("The item is a {}.", "I ordered the {}.", "It is about the {}.", "The product is called {}."), "ms": ("Barangnya ialah {}.", "Saya memesan {}.", "Ini tentang {}."), "zh": ("商品是{}。", "我订了{}。", "产品叫{}。")}),
    (("color", "colour", "warna", "颜色"), "colour", {"en": ("Colour", "Color"), "ms": ("Warna",), "zh": ("颜色",)},
     {"en": ("The colour is {}.", "I want it in {}."), "ms": ("Warnanya {}.", "Saya mahu yang {}."), "zh": ("颜色是{}。", "我要{}的。")}),
    (("job", "job_title", "role", "position", "pekerjaan", "职位"), "word", {"en": ("Job", "Role", "Position"), "ms": ("Pekerjaan", "Jawatan"), "zh": ("职位",)},
     {"en": ("I work as a {}.", "The position is {}.", "The role is {}."), "ms": ("Saya bekerja sebagai {}.", "Jawatannya {}."), "zh": ("职位是{}。", "我的工作是{}。")}),
    (("website", "url", "link"), "url", {"en": ("Website", "Link"), "ms": ("Laman web",), "zh": ("网址",)},
     {"en": ("See {} for more.", "The website is {}."), "ms": ("Lihat {}.", "Laman webnya {}."), "zh": ("网址是{}。",)}),
]
# kind → JSON type
TYPES = {"amount": "number", "integer": "integer", "small": "integer"}
REQUESTS = {
    "en": ("Extract the fields.", "Extract the fields from this text.", "Extract the data as JSON:", "Fill the form from this text.", "Read the message and return the fields.", "Pull out the details:", "What are the details in this message?", "Get the information from the text below.", "Turn this into JSON.", "Extract the contact.", "Extract the invoice.", "Extract the order from this message."),
    "ms": ("Ekstrak medan daripada teks ini.", "Ambil maklumat daripada teks berikut:", "Isi borang daripada teks ini.", "Tukarkan teks ini kepada JSON.", "Apakah butiran dalam mesej ini?", "Keluarkan data daripada teks ini."),
    "zh": ("从文本中提取字段。", "请提取以下信息：", "把这段文字转换成 JSON。", "根据文本填写表格。", "读取消息并返回字段。", "提取下面文本的数据。"),
}
SYSTEMS = {
    "en": ("You extract data.", "Extract the fields from the user's text.", "You are a careful assistant that extracts fields.", "You extract data from text.", "You are a helpful assistant."),
    "ms": ("Anda mengekstrak data.", "Anda pembantu yang teliti."), "zh": ("你负责提取数据。", "你是一个细心的助手。"),
}


def value_of(rng, kind, language):
    """Text as written, and the JSON value."""
    made = getattr(v, kind)(rng, language)
    return made if isinstance(made, tuple) else (str(made), made)


def make(rng, language):
    count = rng.randint(2, 7)
    fields, used = [], set()
    for keys, kind, labels, sentences in rng.sample(FIELDS, count + rng.randint(0, 3)):
        text, value = value_of(rng, kind, language)
        key = keys[0] if rng.chance(0.3) else rng.choice(keys)
        if rng.chance(0.12):
            key = v.made_up(rng)
            labels = {language: (key.capitalize() if rng.chance(0.5) else key,)}
            sentences = {language: (f"{key} {{}}.", f"{key}: {{}}.", f"{key} = {{}};")}
        if key in used:
            continue
        used.add(key)
        fields.append((key, kind, labels[language], sentences[language], text, value))
    return fields[:count], fields[count:]


def write(rng, fields):
    style = rng.random()
    shown = list(fields)
    if rng.chance(0.7):
        rng.shuffle(shown)
    if style < 0.3:
        mark = rng.choice([": ", ": ", " : ", " - ", "："]) if rng.chance(0.8) else "\t"
        return "\n".join(f"{rng.phrase(labels)}{mark}{text}" for _, _, labels, _, text, _ in shown)
    if style < 0.4:
        return rng.choice(["; ", ", ", " | "]).join(f"{rng.phrase(labels)} {text}" for _, _, labels, _, text, _ in shown)
    return rng.choice([" ", " ", "\n"]).join(rng.phrase(sentences).format(text) for _, _, _, sentences, text, _ in shown)


def schema_of(rng, fields):
    properties = {}
    for key, kind, labels, _, _, value in fields:
        properties[key] = {"type": "null" if value is None else TYPES.get(kind, "string")}
        if kind == "amount" and isinstance(value, int) and rng.chance(0.2):
            properties[key] = {"type": "integer"}
        if rng.chance(0.12):
            properties[key]["description"] = rng.choice(labels)
    schema = {"type": "object", "properties": properties}
    if rng.chance(0.85):
        schema["required"] = list(properties)
    if rng.chance(0.5):
        schema["additionalProperties"] = False
    return schema


def add_missing(rng, fields):
    """A field the text does not give: null where the schema allows it."""
    at = rng.randrange(len(fields))
    key, kind, labels, sentences, _, _ = fields[at]
    return at, (key, kind, labels, sentences, None, None)


def extract(rng, language):
    fields, distractors = make(rng, language)
    if language != "en" and rng.chance(0.2):
        language_of_request = "en"
    else:
        language_of_request = language
    missing = None
    if len(fields) > 2 and rng.chance(0.1):
        missing, empty = add_missing(rng, fields)
        fields[missing] = empty
    present = [field for field in fields if field[4] is not None]
    text = write(rng, present + distractors)
    schema = schema_of(rng, fields)
    if missing is not None:
        key, kind = fields[missing][:2]
        schema["properties"][key] = {"type": [TYPES.get(kind, "string"), "null"]}
    answer = spaced({key: value for key, _, _, _, _, value in fields})
    request = rng.phrase(REQUESTS[language_of_request])
    style = rng.random()
    if style < 0.4:
        user, system = text, (request if rng.chance(0.5) else rng.phrase(SYSTEMS[language_of_request]))
    elif style < 0.7:
        user, system = f"{request}\n\n{text}" if rng.chance(0.5) else f"{request} {text}", None
    else:
        user, system = f"{text}\n\n{request}" if rng.chance(0.2) else f"{request}\n{text}", rng.phrase(SYSTEMS[language_of_request])
    if rng.chance(0.1):
        system, user = None, text
    messages = ([{"role": "system", "content": system}] if system else []) + [{"role": "user", "content": user}, {"role": "assistant", "content": answer}]
    return Example("extract", language, messages, schema=schema)


NOUNS = {"en": ("items", "people", "orders", "names", "products"), "ms": ("barang", "orang", "pesanan"), "zh": ("items", "people", "orders")}


def extract_list(rng, language):
    """Several of one kind into an array."""
    kind = rng.choice(["person", "product", "city", "code"])
    count = rng.randint(2, 4)
    rows = [(value_of(rng, kind, language)[1], v.integer(rng)) for _ in range(count)]
    key = rng.choice(["items", "people", "entries", "list", "orders", "names", v.made_up(rng)])
    both = rng.chance(0.6)
    if both:
        first, second = rng.choice([("name", "quantity"), ("item", "count"), ("id", "amount"), ("name", "price"), ("label", "value")])
        items = {"type": "object", "properties": {first: {"type": "string"}, second: {"type": "integer"}}, "required": [first, second]}
        answer = {key: [{first: a, second: b} for a, b in rows]}
        text = rng.choice([", ", "; ", "\n"]).join(rng.choice([f"{a} {b}", f"{a}: {b}", f"{b} × {a}"]) if rng.chance(0.05) else f"{a}: {b}" for a, b in rows)
    else:
        items = {"type": "string"}
        answer = {key: [a for a, _ in rows]}
        joined = [a for a, _ in rows]
        text = {"en": f"{', '.join(joined[:-1])} and {joined[-1]}", "ms": f"{', '.join(joined[:-1])} dan {joined[-1]}", "zh": f"{'、'.join(joined[:-1])}和{joined[-1]}"}[language]
    schema = {"type": "object", "properties": {key: {"type": "array", "items": items}}, "required": [key]}
    messages = [{"role": "user", "content": f"{rng.phrase(REQUESTS[language])}\n{text}"}, {"role": "assistant", "content": spaced(answer)}]
    return Example("extract_list", language, messages, schema=schema)
