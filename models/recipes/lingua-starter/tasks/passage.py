"""Questions answered from a given passage, with the words of the passage; and questions it does not answer."""

from . import values as v
from .example import Example

# kind of the value, statements and questions per language; {s}: whom or what it is about, {v}: the value
RELATIONS = [
    ("city", {"en": (("{s} was born in {v}.", "{s} lives in {v}.", "{s} works in {v}.", "The office of {s} is in {v}.", "{s} moved to {v} last year.", "{s} has its home in {v}.", "{s} is located in {v}."), ("Where was {s} born?", "Where does {s} live?", "Where does {s} work?", "Where is the office of {s}?", "Where did {s} move?", "Where does {s} have its home?", "Where is {s} located?")),
              "ms": (("{s} dilahirkan di {v}.", "{s} tinggal di {v}.", "{s} bekerja di {v}.", "Pejabat {s} terletak di {v}."), ("Di manakah {s} dilahirkan?", "Di manakah {s} tinggal?", "Di manakah {s} bekerja?", "Di manakah pejabat {s}?")),
              "zh": (("{s}出生在{v}。", "{s}住在{v}。", "{s}在{v}工作。", "{s}的办公室在{v}。"), ("{s}出生在哪里？", "{s}住在哪里？", "{s}在哪里工作？", "{s}的办公室在哪里？"))}),
    ("year", {"en": (("{s} was founded in {v}.", "{s} started in {v}.", "{s} retired in {v}.", "{s} was built in {v}."), ("When was {s} founded?", "When did {s} start?", "When did {s} retire?", "In which year was {s} built?")),
              "ms": (("{s} ditubuhkan pada tahun {v}.", "{s} bermula pada tahun {v}.", "{s} dibina pada tahun {v}."), ("Bilakah {s} ditubuhkan?", "Bilakah {s} bermula?", "Bilakah {s} dibina?")),
              "zh": (("{s}成立于{v}年。", "{s}建于{v}年。", "{s}在{v}年开始。"), ("{s}成立于哪一年？", "{s}建于哪一年？", "{s}什么时候开始？"))}),
    ("person", {"en": (("{s} is led by {v}.", "The owner of {s} is {v}.", "{v} founded {s}.", "{v} is the manager of {s}.", "The best friend of {s} is {v}.", "{v} teaches {s}."), ("Who leads {s}?", "Who is the owner of {s}?", "Who founded {s}?", "Who is the manager of {s}?", "Who is the best friend of {s}?", "Who teaches {s}?")),
                "ms": (("{s} diketuai oleh {v}.", "Pemilik {s} ialah {v}.", "{v} mengasaskan {s}.", "Pengurus {s} ialah {v}."), ("Siapakah yang mengetuai {s}?", "Siapakah pemilik {s}?", "Siapakah yang mengasaskan {s}?", "Siapakah pengurus {s}?")),
                "zh": (("{s}的负责人是{v}。", "{s}的老板是{v}。", "{v}创办了{s}。", "{s}的经理是{v}。"), ("{s}的负责人是谁？", "{s}的老板是谁？", "谁创办了{s}？", "{s}的经理是谁？"))}),
    ("integer", {"en": (("{s} has {v} workers.", "{s} sold {v} tickets.", "{s} owns {v} books.", "{s} counted {v} birds.", "{s} has {v} rooms."), ("How many workers does {s} have?", "How many tickets did {s} sell?", "How many books does {s} own?", "How many birds did {s} count?", "How many rooms does {s} have?")),
                 "ms": (("{s} mempunyai {v} pekerja.", "{s} menjual {v} tiket.", "{s} memiliki {v} buah buku."), ("Berapakah pekerja {s}?", "Berapakah tiket yang dijual oleh {s}?", "Berapakah buku yang dimiliki oleh {s}?")),
                 "zh": (("{s}有{v}名员工。", "{s}卖出了{v}张票。", "{s}有{v}本书。"), ("{s}有多少名员工？", "{s}卖出了多少张票？", "{s}有多少本书？"))}),
    ("colour", {"en": (("The car of {s} is {v}.", "{s} wore a {v} coat.", "The door of {s} is {v}.", "{s} likes {v} most."), ("What colour is the car of {s}?", "What colour was the coat of {s}?", "What colour is the door of {s}?", "Which colour does {s} like most?")),
                "ms": (("Kereta {s} berwarna {v}.", "Pintu {s} berwarna {v}.", "{s} paling suka warna {v}."), ("Apakah warna kereta {s}?", "Apakah warna pintu {s}?", "Warna apakah yang paling disukai {s}?")),
                "zh": (("{s}的车是{v}的。", "{s}的门是{v}的。", "{s}最喜欢{v}。"), ("{s}的车是什么颜色？", "{s}的门是什么颜色？", "{s}最喜欢什么颜色？"))}),
    ("product", {"en": (("{s} bought a {v}.", "{s} sells the {v}.", "{s} lost a {v}.", "{s} repairs one {v} a day.", "{s} found a {v} in the garden."), ("What did {s} buy?", "What does {s} sell?", "What did {s} lose?", "What does {s} repair?", "What did {s} find?")),
                 "ms": (("{s} membeli {v}.", "{s} menjual {v}.", "{s} kehilangan {v}."), ("Apakah yang dibeli oleh {s}?", "Apakah yang dijual oleh {s}?", "Apakah yang hilang daripada {s}?")),
                 "zh": (("{s}买了{v}。", "{s}出售{v}。", "{s}丢了{v}。"), ("{s}买了什么？", "{s}出售什么？", "{s}丢了什么？"))}),
    ("date", {"en": (("{s} will meet the team on {v}.", "{s} opens on {v}.", "{s} must pay before {v}.", "{s} arrived on {v}."), ("When will {s} meet the team?", "When does {s} open?", "By when must {s} pay?", "When did {s} arrive?")),
              "ms": (("{s} akan bertemu pasukan pada {v}.", "{s} dibuka pada {v}.", "{s} tiba pada {v}."), ("Bilakah {s} akan bertemu pasukan?", "Bilakah {s} dibuka?", "Bilakah {s} tiba?")),
              "zh": (("{s}于{v}开业。", "{s}在{v}到达。", "{s}必须在{v}前付款。"), ("{s}什么时候开业？", "{s}什么时候到达？", "{s}必须在什么时候之前付款？"))}),
    ("amount", {"en": (("{s} paid {v} for the repair.", "{s} costs {v}.", "{s} earned {v} in a month.", "The fee of {s} is {v}."), ("How much did {s} pay for the repair?", "How much does {s} cost?", "How much did {s} earn in a month?", "What is the fee of {s}?")),
                "ms": (("{s} membayar {v} untuk pembaikan.", "Harga {s} ialah {v}.", "Yuran {s} ialah {v}."), ("Berapakah yang dibayar {s} untuk pembaikan?", "Berapakah harga {s}?", "Berapakah yuran {s}?")),
                "zh": (("{s}付了{v}修理费。", "{s}的价格是{v}。", "{s}的费用是{v}。"), ("{s}付了多少修理费？", "{s}的价格是多少？", "{s}的费用是多少？"))}),
    ("clock", {"en": (("{s} starts at {v}.", "{s} closes at {v}.", "{s} gets up at {v}."), ("When does {s} start?", "When does {s} close?", "When does {s} get up?")),
               "ms": (("{s} bermula pada {v}.", "{s} ditutup pada {v}."), ("Pukul berapakah {s} bermula?", "Pukul berapakah {s} ditutup?")),
               "zh": (("{s}{v}开始。", "{s}{v}关门。"), ("{s}几点开始？", "{s}几点关门？"))}),
    ("word", {"en": (("{s} is famous for its {v}.", "{s} is afraid of the {v}.", "{s} studies the {v}.", "{s} grows {v}.", "The pet of {s} is called {v}.", "{s} speaks about the {v}."), ("What is {s} famous for?", "What is {s} afraid of?", "What does {s} study?", "What does {s} grow?", "What is the pet of {s} called?", "What does {s} speak about?")),
              "ms": (("{s} terkenal dengan {v}.", "{s} takut akan {v}.", "{s} mengkaji {v}."), ("{s} terkenal dengan apa?", "{s} takut akan apa?", "Apakah yang dikaji oleh {s}?")),
              "zh": (("{s}以{v}闻名。", "{s}害怕{v}。", "{s}研究{v}。"), ("{s}以什么闻名？", "{s}害怕什么？", "{s}研究什么？"))}),
    ("code", {"en": (("The code of {s} is {v}.", "The password of {s} is {v}.", "{s} has the number {v}.", "The ticket of {s} is {v}."), ("What is the code of {s}?", "What is the password of {s}?", "Which number does {s} have?", "What is the ticket of {s}?")),
              "ms": (("Kod {s} ialah {v}.", "Nombor {s} ialah {v}."), ("Apakah kod {s}?", "Apakah nombor {s}?")),
              "zh": (("{s}的代码是{v}。", "{s}的号码是{v}。"), ("{s}的代码是什么？", "{s}的号码是什么？"))}),
]
UNKNOWN = {"en": "The text does not say.", "ms": "Teks itu tidak menyatakannya.", "zh": "文中没有提到。"}
ASK = {
    "en": ("{p}\n\n{q}", "{p}\n{q}", "{p}\n\nQuestion: {q}", "Read the text and answer.\n\n{p}\n\n{q}", "Text: {p}\nQuestion: {q}", "Answer from the passage.\n{p}\n{q}", "{q}\n\n{p}", "Passage: {p}\n\nQuestion: {q}\nAnswer:", "Context:\n{p}\n\n{q}"),
    "ms": ("{p}\n\n{q}", "{p}\n{q}", "{p}\n\nSoalan: {q}", "Baca teks dan jawab.\n\n{p}\n\n{q}", "Teks: {p}\nSoalan: {q}", "{q}\n\n{p}"),
    "zh": ("{p}\n\n{q}", "{p}\n{q}", "{p}\n\n问题：{q}", "阅读并回答。\n\n{p}\n\n{q}", "文本：{p}\n问题：{q}", "{q}\n\n{p}"),
}
SYSTEMS = {"en": ("Answer from the passage.", "Answer with the words of the text.", "You answer questions about a text.", "Answer the question from the text, briefly."), "ms": ("Jawab daripada teks.",), "zh": ("根据文本回答。",)}
FILLERS = {
    "en": ("The weather was fine that day.", "Nobody had expected it.", "The rest is a long story.", "People still talk about it.", "It took a lot of work.", "The neighbours were glad.", "More will be said in the next report.", "Many visitors come every year."),
    "ms": ("Cuaca pada hari itu baik.", "Tiada siapa menyangkanya.", "Ramai pelawat datang setiap tahun.", "Jiran-jiran berasa gembira."),
    "zh": ("那天天气很好。", "没有人想到。", "每年都有很多游客。", "邻居们都很高兴。"),
}


def subject(rng, language):
    kind = rng.random()
    if kind < 0.45:
        return v.person(rng, language)
    if kind < 0.65:
        return v.company(rng, language)
    if kind < 0.85:
        noun = v.word(rng, language)
        return {"en": f"the {noun}", "ms": noun, "zh": noun}[language]
    name = v.made_up(rng).capitalize()
    return {"en": f"{rng.choice(['Project', 'Hotel', 'Lake', 'School', 'Museum'])} {name}", "ms": f"{rng.choice(['Projek', 'Hotel', 'Tasik', 'Sekolah', 'Muzium'])} {name}", "zh": rng.choice(v.words("zh")) + rng.choice(["中学", "酒店", "博物馆", "公园", "医院"])}[language]


def value(rng, kind, language):
    if kind == "year":
        return str(rng.randint(1700, 2030))
    made = getattr(v, kind)(rng, language)
    return str(made[0] if isinstance(made, tuple) else made)


def cap(text):
    return text[0].upper() + text[1:]


def facts(rng, language, count):
    subjects = [subject(rng, language) for _ in range(rng.randint(1, 3))]
    made, seen = [], set()
    while len(made) < count:
        kind, forms = rng.choice(RELATIONS)
        statements, questions = forms[language]
        at = rng.randrange(len(statements))
        who = rng.choice(subjects)
        if (who, kind, at) in seen:
            continue
        seen.add((who, kind, at))
        text = value(rng, kind, language)
        made.append((cap(statements[at].format(s=who, v=text)), questions[at].format(s=who), text))
    return subjects, made


def passage(rng, language):
    subjects, made = facts(rng, language, rng.randint(2, 7))
    sentences = [statement for statement, _, _ in made]
    for _ in range(rng.randint(0, 2)):
        sentences.insert(rng.randrange(len(sentences) + 1), rng.choice(FILLERS[language]))
    if language == "en" and v.prose and rng.chance(0.2):
        for _ in range(rng.randint(1, 5)):
            sentences.insert(rng.randrange(len(sentences) + 1), rng.choice(v.prose))
    text = ("" if language == "zh" else " ").join(sentences)
    asked = rng.sample(made, min(len(made), 1 if rng.chance(0.7) else rng.randint(2, 3)))
    pairs = [(question, answer) for _, question, answer in asked]
    if rng.chance(0.1):
        kind, forms = rng.choice(RELATIONS)
        question = rng.choice(forms[language][1]).format(s=rng.choice(subjects))
        if question not in [q for _, q, _ in made]:
            pairs[0] = (question, UNKNOWN[language])
    system = rng.choice(SYSTEMS[language]) if rng.chance(0.3) else None
    messages = [{"role": "system", "content": system}] if system else []
    form = rng.phrase(ASK[language])
    for turn, (question, answer) in enumerate(pairs):
        messages.append({"role": "user", "content": form.format(p=text, q=question) if turn == 0 else question})
        messages.append({"role": "assistant", "content": answer})
    return Example("passage", language, messages)


SENTENCE = {
    "en": ("Which sentence speaks of {k}?", "Copy the sentence about {k}.", "Quote the line that mentions {k}."),
    "ms": ("Ayat manakah menyebut {k}?", "Salin ayat tentang {k}."),
    "zh": ("哪句话提到{k}？", "抄写关于{k}的句子。"),
}
SUMMARISE = {"en": ("Summarise: {p}", "Give a short summary of this text.\n\n{p}", "{p}\n\nSummarise in one sentence.", "What is this text about, in one sentence?\n{p}"), "ms": ("Ringkaskan: {p}", "{p}\n\nRingkaskan dalam satu ayat."), "zh": ("总结：{p}", "{p}\n\n用一句话总结。")}


def select(rng, language):
    """A sentence of the text: the one asked for, or, as a summary, the one that is no filler."""
    gap = "" if language == "zh" else " "
    if rng.chance(0.5):
        _, made = facts(rng, language, rng.randint(2, 5))
        statement, _, key = rng.choice(made)
        text = gap.join(s for s, _, _ in made)
        question = rng.choice(SENTENCE[language]).format(k=key)
        return Example("select", language, [{"role": "user", "content": f"{text}\n\n{question}"}, {"role": "assistant", "content": statement}])
    _, made = facts(rng, language, 1)
    sentences = [made[0][0], *rng.sample(FILLERS[language], rng.randint(1, 3))]
    if rng.chance(0.5):
        rng.shuffle(sentences)
    return Example("summarise", language, [{"role": "user", "content": rng.phrase(SUMMARISE[language]).format(p=gap.join(sentences))}, {"role": "assistant", "content": made[0][0]}])
