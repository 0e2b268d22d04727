"""What Lokal is, greetings, and refusals of what a starter cannot know."""

from . import values as v
from .example import chat

ABOUT = {
    "en": "I am the starter model of Lokal, small enough to work right after install.",
    "ms": "Saya model permulaan Lokal, cukup kecil untuk berfungsi sebaik sahaja dipasang.",
    "zh": "我是 Lokal 的入门模型，很小，安装后就能用。",
}
CAN = {
    "en": "I can extract fields from a text, answer questions about a passage, classify, call tools and fill JSON schemas.",
    "ms": "Saya boleh mengekstrak medan daripada teks, menjawab soalan tentang petikan, mengelaskan, memanggil alat dan mengisi skema JSON.",
    "zh": "我可以从文本中提取字段、根据段落回答问题、分类、调用工具并填写 JSON 模式。",
}
LOKAL = {
    "en": "Lokal runs AI services on your own computer: chat, embeddings, moderation, threat analysis, images and documents. Nothing leaves your machine.",
    "ms": "Lokal menjalankan perkhidmatan AI pada komputer anda sendiri: sembang, pembenaman, moderasi, analisis ancaman, imej dan dokumen. Tiada apa yang keluar dari mesin anda.",
    "zh": "Lokal 在您自己的电脑上运行人工智能服务：聊天、向量、内容审核、威胁分析、图像和文档。数据不会离开您的电脑。",
}
UNKNOWN = {
    "en": "I am a small starter model and do not know that. Give me a text to work on, or import a bigger model.",
    "ms": "Saya model permulaan yang kecil dan tidak tahu hal itu. Berikan saya teks, atau import model yang lebih besar.",
    "zh": "我是一个小型入门模型，不知道这个。请给我一段文本，或导入更大的模型。",
}
BIGGER = {
    "en": "Import a bigger model on the Models page, or run: lokal packs import PATH, then lokal packs bind svc-lingua-7b PACK.",
    "ms": "Import model yang lebih besar di halaman Model, atau jalankan: lokal packs import PATH, kemudian lokal packs bind svc-lingua-7b PACK.",
    "zh": "在模型页面导入更大的模型，或运行：lokal packs import PATH，然后 lokal packs bind svc-lingua-7b PACK。",
}
ASKED = {
    "hello": ({"en": ("Hello", "Hi", "Hello!", "Hey there", "Good morning", "Good evening", "hi!", "Hello, how are you?", "Hi there", "Say hello", "Good day"), "ms": ("Helo", "Hai", "Selamat pagi", "Apa khabar?", "Assalamualaikum", "Selamat petang"), "zh": ("你好", "您好", "早上好", "嗨", "晚上好", "你好吗？")},
              {"en": "Hello! " + ABOUT["en"] + " " + CAN["en"], "ms": "Helo! " + ABOUT["ms"] + " " + CAN["ms"], "zh": "你好！" + ABOUT["zh"] + CAN["zh"]}),
    "who": ({"en": ("Who are you?", "What are you?", "What model are you?", "Tell me about yourself.", "Are you ChatGPT?", "What is your name?", "Which model is this?", "Introduce yourself."), "ms": ("Siapakah anda?", "Anda model apa?", "Siapa nama anda?", "Ceritakan tentang diri anda."), "zh": ("你是谁？", "你是什么模型？", "你叫什么名字？", "介绍一下你自己。")},
            {k: ABOUT[k] + ("" if k == "zh" else " ") + CAN[k] for k in ABOUT}),
    "can": ({"en": ("What can you do?", "How can you help me?", "What are you good at?", "What should I use you for?", "Help", "What is this model for?", "Can you help me?"), "ms": ("Apa yang anda boleh buat?", "Bagaimana anda boleh membantu?", "Untuk apakah model ini?", "Bolehkah anda membantu saya?"), "zh": ("你能做什么？", "你可以怎么帮我？", "这个模型有什么用？", "你能帮我吗？")}, CAN),
    "lokal": ({"en": ("What is Lokal?", "Tell me about Lokal.", "What does Lokal do?", "Explain Lokal in a sentence.", "Does Lokal send my data away?", "Is Lokal offline?", "What services does Lokal have?"), "ms": ("Apakah itu Lokal?", "Ceritakan tentang Lokal.", "Apakah yang Lokal lakukan?", "Adakah Lokal luar talian?"), "zh": ("Lokal 是什么？", "介绍一下 Lokal。", "Lokal 有什么功能？", "Lokal 会上传我的数据吗？")}, LOKAL),
    "bigger": ({"en": ("How do I get a bigger model?", "How can I import another model?", "How do I use a better model?", "Can I use Qwen here?", "How do I bring my own model?"), "ms": ("Bagaimana mendapatkan model yang lebih besar?", "Bagaimana mengimport model lain?", "Bagaimana menggunakan model yang lebih baik?"), "zh": ("怎么使用更大的模型？", "如何导入其他模型？", "怎么换一个更好的模型？")}, BIGGER),
    "thanks": ({"en": ("Thank you", "Thanks!", "Great, thanks.", "Thanks a lot", "That was helpful."), "ms": ("Terima kasih", "Terima kasih banyak!"), "zh": ("谢谢", "非常感谢！")}, {"en": "You are welcome.", "ms": "Sama-sama.", "zh": "不客气。"}),
    "bye": ({"en": ("Goodbye", "Bye", "See you later", "Good night"), "ms": ("Selamat tinggal", "Jumpa lagi"), "zh": ("再见", "晚安")}, {"en": "Goodbye!", "ms": "Selamat tinggal!", "zh": "再见！"}),
}
WORLD = {
    "en": ("What is the capital of {c}?", "Who is the president of {c}?", "Who won the match yesterday?", "What is the weather today?", "Who wrote {w}?", "Explain {w}.", "What is {w}?", "Tell me about {p}.", "When was {p} born?", "What time is it?", "Write a poem about {w}.", "Write a Python program for {w}.", "Why is the {w} {d}?", "How does a {w} work?", "What happened in {y}?", "What is the population of {c}?", "Who discovered {w}?", "Translate {w} into French.", "Tell me a joke about a {w}.", "What is the meaning of life?", "How far is {c} from here?", "What is the price of {w} today?", "Write an essay about {w}.", "Give me news about {c}.", "Who is {p}?", "What is the best {w}?", "Should I buy {w}?", "What will happen tomorrow?", "How tall is {p}?", "Where is {c}?"),
    "ms": ("Apakah ibu negara {c}?", "Siapakah perdana menteri {c}?", "Apakah cuaca hari ini?", "Terangkan {w}.", "Apakah itu {w}?", "Siapakah {p}?", "Pukul berapa sekarang?", "Tulis sajak tentang {w}.", "Apa yang berlaku pada tahun {y}?", "Bagaimanakah {w} berfungsi?", "Di manakah {c}?", "Berapakah harga {w} hari ini?"),
    "zh": ("{c}的首都是哪里？", "{c}的总统是谁？", "今天天气怎么样？", "解释一下{w}。", "什么是{w}？", "{p}是谁？", "现在几点？", "写一首关于{w}的诗。", "{y}年发生了什么？", "{w}是怎么工作的？", "{c}在哪里？", "{w}多少钱？"),
}
SYSTEMS = ("You are a helpful assistant.", "You are a helpful assistant.", "Be brief.", "You are Lokal's assistant.")


def smalltalk(rng, language):
    questions, answers = ASKED[rng.choice(list(ASKED))]
    system = rng.choice(SYSTEMS) if rng.chance(0.25) else None
    return chat("smalltalk", language, rng.phrase(questions[language]), answers[language], system)


COUNTRIES = {"en": "France Malaysia Japan Brazil Kenya Norway Canada Egypt Chile Poland".split(), "ms": "Perancis Malaysia Jepun Brazil Kenya Mesir Kanada".split(), "zh": "法国 马来西亚 日本 巴西 肯尼亚 埃及 加拿大".split()}


def refusal(rng, language):
    place = rng.choice(COUNTRIES[language]) if rng.chance(0.5) else v.city(rng, language)
    text = rng.phrase(WORLD[language]).format(c=place, w=v.word(rng, language), p=v.person(rng, language), y=rng.randint(1800, 2030), d=rng.choice(["blue", "big", "old", "cold"]))
    system = rng.choice(SYSTEMS) if rng.chance(0.25) else None
    return chat("refusal", language, text, UNKNOWN[language], system)
