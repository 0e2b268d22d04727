"""Texts about one thing each (scenes.txt) with questions that many people would put in many ways: what several tasks are made from."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from . import stock
from . import values as v


@dataclass
class Fact:
    keys: tuple
    kind: str
    said: dict
    asked: dict


@lru_cache(None)
def scenes():
    """name → ({language: openings}, facts)."""
    made, name, fact = {}, None, None
    split = lambda text: tuple(part.strip() for part in text.split(" / "))
    for line in (Path(__file__).parent / "scenes.txt").read_text("utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if line.startswith("#") or not line:
            continue
        if line.startswith("@"):
            name = line[1:]
            made[name] = ({}, [])
        elif mark == "=":
            language, _, text = rest.partition(" ")
            made[name][0][language] = split(text)
        elif mark == "-":
            keys, kind = rest.split(" ; ")
            fact = Fact(tuple(keys.strip().split(",")), kind.strip(), {}, {})
            made[name][1].append(fact)
        else:
            said, asked = rest.split(" ? ", 1)
            fact.said[mark], fact.asked[mark] = split(said), split(asked)
    return made


def cap(text):
    return text[0].upper() + text[1:]


@dataclass
class Told:
    """A fact as one text tells it."""
    fact: Fact
    text: str
    value: object
    sentence: str
    index: int


@dataclass
class Text:
    scene: str
    language: str
    subject: str
    opening: str
    told: list
    untold: list


PRONOUN = {"person": {"en": ("he", "she"), "ms": ("dia", "beliau"), "zh": ("他", "她")}}


def tell(rng, language, count=None, scene=None):
    scene = scene or rng.choice(list(scenes()))
    openings, facts = scenes()[scene]
    subject = stock.subject_of(rng, scene, language)
    count = count or rng.choice([2, 3, 3, 4, 4, 5, 5, 6, 7, 8])
    chosen = rng.sample(facts, min(len(facts), count + 3))
    told, seen = [], {subject}
    for fact in chosen[:-3] if len(chosen) > count else chosen:
        for _ in range(6):
            text, value = stock.make(rng, fact.kind, language)
            if not any(text in other or other in text for other in seen):
                break
        else:
            continue
        seen.add(text)
        index = rng.randrange(len(fact.said[language]))
        form = fact.said[language][index]
        sentence = cap(form.replace("{v}", text).replace("{s}", subject))
        told.append(Told(fact, text, value, sentence, index))
    opening = cap(rng.choice(openings[language]).replace("{s}", subject))
    return Text(scene, language, subject, opening, told, [fact for fact in facts if fact not in [t.fact for t in told]])


REPORTED = {
    "en": ("As far as we know, ", "This year, ", "Good to know: ", "According to the office, ", "Also, ", "By the way, ", "In addition, ", "Please note: ", "Remember: ", "For the record: ", "As announced, ", "What is more, "),
    "ms": ("Untuk makluman, ", "Selain itu, ", "Sebagai tambahan, ", "Sila ambil perhatian: ", "Menurut pejabat, ", "Pada tahun ini, "),
    "zh": ("另外，", "此外，", "请注意：", "据了解，", "顺便说一下，", "据办公室介绍，"),
}
NOISE = {
    "en": ("We thank everyone for their patience.", "The last few months have been busy.", "Some of you have asked about this before.", "The weather has been kind so far.", "There is still a lot to do.", "It was not an easy decision.", "Many people helped to make this possible.", "Feel free to pass this on.", "I hope this finds you well.", "We look forward to your reply.", "More details will follow.", "Thank you for reading this far.", "Not everyone was happy with the change.", "Last year things were quite different.", "The coffee there is said to be excellent.", "A photo is attached.", "Please do not reply to this message.", "Nobody expected so much interest.", "It was raining when we arrived.", "My neighbour told me about it.", "The children enjoyed it very much."),
    "ms": ("Terima kasih atas kesabaran anda.", "Masih banyak yang perlu dibuat.", "Ramai yang membantu menjayakannya.", "Maklumat lanjut akan menyusul.", "Semoga anda sihat.", "Tahun lalu keadaannya berbeza.", "Cuaca baik setakat ini.", "Jiran saya yang memberitahu.", "Sila sampaikan kepada rakan-rakan.", "Gambar disertakan.", "Kami menantikan jawapan anda.", "Kanak-kanak sangat gembira."),
    "zh": ("感谢大家的耐心。", "还有很多事情要做。", "去年的情况不太一样。", "详情随后公布。", "希望您一切都好。", "很多人提供了帮助。", "最近天气不错。", "这是邻居告诉我的。", "期待您的回复。", "照片见附件。", "孩子们玩得很开心。", "这个决定并不容易。"),
}
HEADS = {"en": ("{s}", "NOTICE", "About {s}", "News", "Update: {s}", "Information", "INTERNAL MEMO", "{s} – what you need to know"), "ms": ("{s}", "NOTIS", "Makluman", "Berita", "Tentang {s}"), "zh": ("{s}", "通知", "公告", "新闻", "关于{s}")}
GREETING = {"en": ("Dear all,", "Hi team,", "Dear Sir or Madam,", "Hello,", "Dear neighbours,", "Good morning,", "Hi,"), "ms": ("Tuan/Puan,", "Salam sejahtera,", "Assalamualaikum,", "Hai semua,"), "zh": ("各位：", "大家好，", "您好，", "尊敬的客户：")}
CLOSING = {"en": ("Best regards", "Kind regards", "Thank you", "See you there", "Cheers", "Yours faithfully"), "ms": ("Sekian, terima kasih", "Yang benar", "Jumpa di sana"), "zh": ("谢谢", "此致敬礼", "祝好")}


def gap(language):
    return "" if language == "zh" else " "


def label(rng, fact, language):
    """A form's label: the key's words; in the language where a key of it is known."""
    key = rng.choice(fact.keys) if language == "en" else fact.keys[-1] if rng.chance(0.6) else rng.choice(fact.keys)
    words = key.replace("_", " ")
    return cap(words) if rng.chance(0.8) else words.upper()


def prose(rng, text, noise=True):
    sentences = [told.sentence if rng.chance(0.85) else rng.choice(REPORTED[text.language]) + (told.sentence if text.language == "zh" or told.sentence.startswith(text.subject) else told.sentence[0].lower() + told.sentence[1:] if told.sentence.split(" ")[0] in ("The", "It", "There", "You", "We", "They", "For", "To", "At", "In", "This", "Who", "Ia", "Sila", "Kami", "Pada", "Tempat", "Setiap") else told.sentence) for told in text.told]
    rng.shuffle(sentences)
    if text.scene == "person" and rng.chance(0.6):
        pronoun = rng.choice(PRONOUN["person"][text.language])
        sentences = [cap(s.replace(text.subject, pronoun)) if rng.chance(0.6) else s for s in sentences]
    if noise:
        extra = rng.choice([0, 0, 1, 1, 2, 3, 4])
        for filler in rng.sample(NOISE[text.language], extra):
            sentences.insert(rng.randrange(len(sentences) + 1), filler)
        if text.language == "en" and v.prose and rng.chance(0.08):
            sentences.insert(rng.randrange(len(sentences) + 1), rng.choice(v.prose))
    body = [text.opening, *sentences] if rng.chance(0.9) else [*sentences[:1], text.opening, *sentences[1:]]
    if text.language != "zh" and rng.chance(0.15):
        # Two sentences in one.
        for at in range(len(body) - 2, 0, -2):
            first, second = body[at], body[at + 1]
            if first.endswith(".") and second.split(" ")[0] in ("The", "It", "There", "You", "We"):
                body[at : at + 2] = [f"{first[:-1]}{rng.choice([', and ', '; ', ', while '])if text.language == 'en' else rng.choice([', dan ', '; '])}{second[0].lower()}{second[1:]}"]
    return body


def show(rng, text, noise=True):
    """The text as mail, list, paragraphs, chat …"""
    language, style = text.language, rng.random()
    if style < 0.12:
        lines = [f"{label(rng, t.fact, language)}{rng.choice([': ', ': ', ' – ', '：' if language == 'zh' else ': '])}{t.text}" for t in text.told]
        mark = rng.choice(["", "", "- ", "* ", "• "])
        return "\n".join([cap(rng.choice(HEADS[language]).replace("{s}", text.subject)), *(mark + line for line in lines)] if rng.chance(0.7) else [text.opening, *(mark + line for line in lines)])
    body = prose(rng, text, noise)
    if style < 0.17:
        mark = rng.choice(["- ", "* ", "• "])
        return "\n".join([body[0], *(mark + s for s in body[1:])])
    if style < 0.3:
        head = ""
        if rng.chance(0.5):
            names = {"en": ("From", "Subject"), "ms": ("Daripada", "Perkara"), "zh": ("发件人", "主题")}[language]
            head = f"{names[0]}: {v.email(rng)}\n{names[1]}: {text.subject}\n\n"
        return f"{head}{rng.choice(GREETING[language])}\n\n{gap(language).join(body)}\n\n{rng.choice(CLOSING[language])}" + (f"\n{v.first_name(rng, language)}" if rng.chance(0.5) else "")
    if style < 0.36:
        names = [v.first_name(rng, language) for _ in range(2)]
        return "\n".join(f"{rng.choice(['', f'[{rng.randint(8, 20)}:{rng.randint(10, 59)}] '])}{rng.choice(names)}: {s}" for s in body)
    if style < 0.5:
        return f"{rng.choice(['', '', '# ', '**'])}{cap(rng.choice(HEADS[language]).replace('{s}', text.subject))}\n\n{gap(language).join(body)}"
    if style < 0.65 and len(body) > 3:
        at = rng.randint(1, len(body) - 1)
        return rng.choice(["\n\n", "\n"]).join((gap(language).join(body[:at]), gap(language).join(body[at:])))
    return gap(language).join(body)


INDIRECT = {
    "en": ("{q}", "{q}", "{q}", "{q}", "{q}", "{q}", "{l}", "{n}", "According to the text, {l}", "Quick question: {l}", "Tell me: {l}", "Please answer: {q}", "{q} Answer briefly.", "{q} Just the answer, please.", "I need to know this: {l}", "From the message: {l}", "hey, {l}", "{q} Keep it short.", "Based on the above, {l}", "Answer in a few words: {q}"),
    "ms": ("{q}", "{q}", "{q}", "{q}", "{l}", "{n}", "Menurut teks, {l}", "Sila jawab: {q}", "{q} Jawab ringkas.", "Beritahu saya: {l}", "Berdasarkan teks di atas, {l}"),
    "zh": ("{q}", "{q}", "{q}", "{q}", "{n}", "请问{q}", "根据文本，{q}", "请回答：{q}", "{q}请简短回答。", "文中说{q}", "我想知道{q}"),
}


def ask(rng, fact, text):
    """A question for the fact, in one of many wordings."""
    question = rng.phrase(fact.asked[text.language]).replace("{s}", text.subject)
    question = cap(question)
    lower = question[0].lower() + question[1:] if question.split(" ")[0] in ASKING else question
    return rng.choice(INDIRECT[text.language]).replace("{q}", question).replace("{l}", lower).replace("{n}", question.rstrip("?？"))


ASKING = set("What When Where Who Whom Which How Why At In On By For To From Under Is Since With Bilakah Di Apakah Siapakah Siapa Berapa Berapakah Mengapa Pukul Pada Dari Daripada Ke Kepada Hari Bagaimanakah Sebuah".split())
