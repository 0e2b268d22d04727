"""Reading: several questions about one text, what it does not tell, yes or no, summaries with a limit. Each task gives
conversations that begin alike."""

from . import passage, scenes, stock
from . import values as v
from .example import chat
from .scenes import ask, cap, gap, show, tell

FRAMES = {
    "en": ("{p}\n\n{q}", "{p}\n\n{q}", "{p}\n{q}", "{p}\n\nQuestion: {q}", "Read this and answer the question.\n\n{p}\n\n{q}", "Text: {p}\n\nQ: {q}", "Here is a text:\n\"\"\"\n{p}\n\"\"\"\n{q}", "Context: {p}\n\nQuestion: {q}\nAnswer:", "I got this message:\n\n{p}\n\n{q}", "{p}\n---\n{q}", "Use only the text below.\n\n{p}\n\n{q}", "Passage:\n{p}\n\n{q}", "<text>\n{p}\n</text>\n\n{q}", "Document:\n{p}\n\nUsing the document, answer: {q}", "“{p}”\n\n{q}", "Below is a notice.\n\n{p}\n\n{q}", "### Text\n{p}\n\n### Question\n{q}", "{q}\n\n{p}", "{q}\n\nText: {p}", "Answer this question from the text: {q}\n\n{p}", "Question: {q}\n\nPassage: {p}"),
    "ms": ("{p}\n\n{q}", "{p}\n\n{q}", "{p}\n{q}", "{p}\n\nSoalan: {q}", "Baca teks ini dan jawab soalan.\n\n{p}\n\n{q}", "Teks: {p}\n\nSoalan: {q}", "Berikut ialah petikan:\n{p}\n\n{q}", "Petikan:\n{p}\n\n{q}", "Jawab berdasarkan teks di bawah.\n\n{p}\n\n{q}", "Saya terima mesej ini:\n\n{p}\n\n{q}", "{q}\n\n{p}", "Soalan: {q}\n\nTeks: {p}"),
    "zh": ("{p}\n\n{q}", "{p}\n\n{q}", "{p}\n{q}", "{p}\n\n问题：{q}", "阅读下面的文字并回答问题。\n\n{p}\n\n{q}", "文本：{p}\n\n问题：{q}", "以下是一段文字：\n{p}\n\n{q}", "请根据短文回答。\n{p}\n\n{q}", "我收到这条消息：\n{p}\n\n{q}", "“{p}”\n\n{q}", "{q}\n\n{p}", "问题：{q}\n\n短文：{p}"),
}
SYSTEMS = {
    "en": ("Answer from the passage.", "Answer the question using only the given text.", "You are a helpful assistant.", "You are a reading assistant. Be brief.", "Answer with the exact words of the text.", "You answer questions about documents.", "Use only what the user gives you. If the text does not contain the answer, say so.", "Reply with the answer only, no explanation.", "If the answer is not in the text, say that the text does not say.", "You help office staff to find facts in letters and notices.", "Answer in the language of the question.", "You are Lokal, an offline assistant.", "Be accurate. Do not guess."),
    "ms": ("Jawab berdasarkan teks sahaja.", "Anda pembantu yang berguna.", "Jawab dengan ringkas.", "Jika jawapan tiada dalam teks, nyatakan demikian.", "Anda membantu pengguna memahami dokumen."),
    "zh": ("只根据给出的文本回答。", "你是一个有用的助手。", "请简短回答。", "如果文中没有答案，请说明。", "你帮助用户阅读文件。"),
}
HOLDING = {"en": ("You answer questions about this text:\n\n{p}", "Answer only from the following document.\n\n{p}", "Context:\n{p}"), "ms": ("Jawab soalan tentang teks ini:\n\n{p}", "Konteks:\n{p}"), "zh": ("根据以下内容回答问题：\n\n{p}", "背景：\n{p}")}
UNKNOWN = {"en": "The text does not say.", "ms": "Teks itu tidak menyatakannya.", "zh": "文中没有提到。"}
YES_NO = {"en": ("Is it true that {x}", "Yes.", "No, {v}."), "ms": ("", "Ya.", "Tidak, {v}."), "zh": ("", "是的。", "不是，是{v}。")}
IN_FULL = {"en": " Answer in a full sentence.", "ms": " Jawab dengan ayat penuh.", "zh": "请用完整的句子回答。"}


def questions(rng, text):
    """(question, answer) pairs: of what is told, of what is not."""
    language, made = text.language, []
    for told in rng.sample(text.told, min(len(text.told), rng.randint(2, 5))):
        question = ask(rng, told.fact, text)
        if rng.chance(0.05):
            made.append((question + IN_FULL[language], told.sentence))
        elif told.fact.kind in ("person", "city", "colour", "weekday", "money", "year", "clock", "org") and rng.chance(0.07) and language != "ms":
            right = rng.chance(0.5)
            other = told.text if right else stock.make(rng, told.fact.kind, language)[0]
            short = rng.choice(told.fact.asked[language]).replace("{s}", text.subject)
            asked = {"en": f"{cap(short)} Is it {other}?", "zh": f"{short}是{other}吗？"}[language]
            made.append((asked, YES_NO[language][1] if right or other == told.text else YES_NO[language][2].replace("{v}", told.text)))
        else:
            made.append((question, told.text))
    kinds = {told.fact.kind for told in text.told}
    # What is not told is asked for most where something of its kind is told.
    for fact in rng.sample(text.untold, min(len(text.untold), rng.choice([0, 1, 1, 2]))):
        if rng.chance(0.5 if fact.kind in kinds else 0.8):
            made.append((ask(rng, fact, text), UNKNOWN[language]))
    rng.shuffle(made)
    return made


def framed(rng, language, shown, pairs, task="reading"):
    """One conversation a pair, alike up to the question."""
    if rng.chance(0.12):
        system = rng.choice(HOLDING[language]).replace("{p}", shown)
        return [chat(task, language, question, answer, system) for question, answer in pairs]
    frame = rng.choice(FRAMES[language]).replace("{p}", shown) if rng.chance(0.8) else rng.choice(FRAMES[language][:3]).replace("{p}", shown)
    system = rng.choice(SYSTEMS[language if rng.chance(0.8) else "en"]) if rng.chance(0.35) else None
    if frame.startswith("{q}") or frame.find("{q}") < len(frame) // 2:
        pairs = pairs[:2]
    return [chat(task, language, frame.replace("{q}", question), answer, system) for question, answer in pairs]


def reading(rng, language):
    text = tell(rng, language)
    made = framed(rng, language, show(rng, text), questions(rng, text))
    if len(made) > 2 and rng.chance(0.12):
        # One after another in one conversation.
        for follower in made[1:3]:
            made[0].messages += [{"role": "user", "content": ask_again(rng, follower)}, follower.messages[-1]]
        made = made[:1]
    return made


def ask_again(rng, example):
    content = example.messages[-2]["content"]
    lines = [line for line in content.split("\n") if line.strip()]
    return lines[-1] if len(lines[-1]) < 120 else lines[0]


def mixed(rng, language):
    """Two texts of one kind about two subjects: whose is asked for."""
    scene = rng.choice(["person", "organisation", "place", "product", "course", "person"])
    first, second = (tell(rng, language, rng.randint(2, 4), scene) for _ in range(2))
    if first.subject == second.subject:
        return reading(rng, language)
    shown = rng.choice(["\n\n", "\n", gap(language)]).join([gap(language).join(scenes.prose(rng, text, rng.chance(0.3))) for text in (first, second)])
    pairs = []
    for text, other in ((first, second), (second, first)):
        for told in text.told:
            asked = [q for q in told.fact.asked[language] if "{s}" in q]
            if asked:
                pairs.append((cap(rng.choice(asked).replace("{s}", text.subject)), told.text))
            elif language == "en":
                pairs.append((f"About {text.subject}: {rng.choice(told.fact.asked[language])}", told.text))
        for told in other.told:
            asked = [q for q in told.fact.asked[language] if "{s}" in q]
            if asked and told.fact in text.untold and rng.chance(0.4):
                pairs.append((cap(rng.choice(asked).replace("{s}", text.subject)), UNKNOWN[language]))
    if not pairs:
        return reading(rng, language)
    return framed(rng, language, shown, rng.sample(pairs, min(len(pairs), 5)))


def facts(rng, language):
    """Single sentences of the older relations, in the newer frames."""
    subjects, made = passage.facts(rng, language, rng.randint(2, 8))
    sentences = [s for s, _, _ in made]
    for filler in rng.sample(scenes.NOISE[language], rng.randint(0, 3)):
        sentences.insert(rng.randrange(len(sentences) + 1), filler)
    pairs = [(question, answer) for _, question, answer in rng.sample(made, min(len(made), 4))]
    kind, forms = rng.choice(passage.RELATIONS)
    question = rng.choice(forms[language][1]).format(s=rng.choice(subjects))
    if question not in [q for _, q, _ in made]:
        pairs.append((question, UNKNOWN[language]))
    return framed(rng, language, gap(language).join(sentences), pairs)


CLOZE = {
    "en": ("Which word is missing? {c}", "Fill the gap from the text: {c}", "Complete the sentence from the text: {c}", "What comes in the gap? {c}"),
    "ms": ("Perkataan apakah yang hilang? {c}", "Isi tempat kosong: {c}"), "zh": ("空格处应填什么？{c}", "根据文本填空：{c}"),
}


def cloze(rng, language):
    """Running text of people: a word is asked for, or the sentence that has it."""
    texts = [line for line in v.running.get(language, ()) if len(line) > (14 if language == "zh" else 40)]
    if len(texts) < 50:
        return facts(rng, language)
    sentences = rng.sample(texts, rng.randint(2, 5))
    shown = gap(language).join(s if s[-1] in ".!?。！？" else s + ("。" if language == "zh" else ".") for s in sentences)
    pairs = []
    for sentence in rng.sample(sentences, 2):
        if language == "zh":
            at = rng.randrange(2, len(sentence) - 3)
            word = sentence[at : at + 2]
            if not all("一" <= c <= "鿿" for c in word) or sentence.count(word) > 1:
                continue
            gapped = sentence[:at] + "____" + sentence[at + 2 :]
        else:
            words = sentence.split(" ")
            at = rng.randrange(len(words))
            word = words[at].strip(".,;:!?()\"'")
            if len(word) < 4 or not word.isalnum() or sentence.count(word) > 1:
                continue
            gapped = sentence.replace(word, "____")
        pairs.append((rng.choice(CLOZE[language]).replace("{c}", gapped), word))
        if rng.chance(0.3):
            pairs.append((rng.choice(passage.SENTENCE[language]).format(k=f"“{word}”"), sentence))
    return framed(rng, language, shown, pairs, "cloze") if pairs else facts(rng, language)


SUMMARY = {
    "en": ("Summarise this in one sentence.", "Summarise the text in at most {n} words.", "Give me the gist in one sentence.", "What is this about? Answer in at most {n} words.", "Write a summary of no more than {n} words.", "Shorten this to one or two sentences.", "TL;DR", "Sum it up in max. {n} words.", "Summarize the message briefly.", "What are the main points? Use at most {n} words.", "Condense this to {n} words or fewer."),
    "ms": ("Ringkaskan dalam satu ayat.", "Ringkaskan teks ini dalam tidak lebih {n} patah perkataan.", "Apakah isi utamanya? Paling banyak {n} patah perkataan.", "Buat ringkasan pendek.", "Nyatakan isi penting secara ringkas."),
    "zh": ("用一句话总结。", "请用不超过{n}个字概括。", "概括主要内容，不超过{n}字。", "简要总结这段文字。", "这段话讲了什么？请简短说明。"),
}
# What a summary of a scene must hold, most important first.
WEIGHT = {"date": 5, "money": 4, "bigmoney": 4, "clock": 3, "venue": 4, "person": 3, "percent": 3, "year": 3, "city": 3, "org": 2, "choice": 4, "int": 3}


def length(text, language):
    return len([c for c in text if "一" <= c <= "鿿"]) + len([w for w in "".join(" " if "一" <= c <= "鿿" else c for c in text).split() if any(x.isalnum() for x in w)]) if language == "zh" else len(text.split())


def summary(rng, language):
    """What a text opens with and the weightiest facts after it, as many as the limit has room for; fillers never."""
    text = tell(rng, language, rng.randint(3, 7))
    sentences = [text.opening, *(t.sentence for t in text.told)]
    order = list(range(len(text.told)))
    body = list(sentences)
    for filler in rng.sample(scenes.NOISE[language], rng.randint(1, 6)):
        body.insert(rng.randint(1, len(body)), filler)
    limit = rng.choice([12, 15, 20, 20, 25, 30, 30, 35, 40, 50]) * (2 if language == "zh" else 1)
    form = rng.choice(SUMMARY[language])
    most = limit if "{n}" in form else {"en": 32, "ms": 32, "zh": 60}[language]
    chosen, used = [], length(text.opening, language)
    for at in sorted(order, key=lambda i: -WEIGHT.get(text.told[i].fact.kind.partition(":")[0], 1)):
        size = length(text.told[at].sentence, language)
        if used + size <= most:
            chosen.append(at)
            used += size
        if len(chosen) == 3:
            break
    answer = gap(language).join(([text.opening] if used <= most or not chosen else []) + [text.told[i].sentence for i in sorted(chosen)])
    shown = gap(language).join(body)
    return framed(rng, language, shown, [(form.replace("{n}", str(limit)), answer)], "summary")
