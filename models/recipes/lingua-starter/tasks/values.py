"""Names, numbers and words of enormous variety: what the tasks are about must be read from the text, never known."""

import gzip
import re
import shutil
import string
from functools import lru_cache
from pathlib import Path

LANGUAGES = ("en", "ms", "zh")
_folder = Path()
# Sentences of natural text, to hide facts among; filled by the build.
prose = []
# Sentences and paragraphs of people by language, to ask about; filled by the build.
running = {}


def gather_wordnets(packages, shared, folder):
    """Copies what `open_wordnets` reads into `folder`, and opens it."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in (*(shared / "emb-omw-wordnets").glob("*.tsv.gz"), packages / "wordnet-base/usr/share/wordnet/index.noun"):
        shutil.copy(source, folder)
    open_wordnets(folder)


def open_wordnets(folder):
    """`folder`: Wordnet Bahasa and Chinese Open Wordnet, both permissive."""
    global _folder
    _folder = Path(folder)


# Nouns that insult people; they are in word lists in other senses.
INSULTS = set("faggot fag nigger nigga coon spic kike chink gook dyke tranny retard slut whore bitch bastard cunt moron cripple mongoloid negro darky paki wog wop jap tart slag hooker".split())


@lru_cache(None)
def words(language):
    """Nouns, one word each."""
    if language == "en":
        return _english_nouns()
    name = {"ms": "ms-wordnet-bahasa.tsv.gz", "zh": "zh-chinese-open-wordnet.tsv.gz"}[language]
    shape = {"ms": r"[a-z]{3,10}", "zh": r"[\u4e00-\u9fff]{2,3}"}[language]
    found = set()
    for line in gzip.open(_folder / name, "rt", encoding="utf-8"):
        key, _, lemma = line.rstrip("\n").split("\t")[:3]
        lemma = lemma.replace("+的", "")
        if key.endswith("-n") and re.fullmatch(shape, lemma):
            found.add(lemma)
    return sorted(found)


def _english_nouns():
    """Common nouns of WordNet: those with several senses."""
    found = set()
    for line in (_folder / "index.noun").read_text("utf-8").splitlines():
        parts = line.split(" ")
        if re.fullmatch(r"[a-z]{3,10}", parts[0]) and int(parts[2]) >= 2 and parts[0] not in INSULTS:
            found.add(parts[0])
    return sorted(found)


EN_FIRST = "James Mary John Linda Sarah Peter Emma Oliver Grace Daniel Hannah Lucas Nora Ivan Chloe Adam Julia Mark Alice Victor Zoe Henry Rosa Felix Diana Oscar Maya Leo Ruth Simon Clara Paul Irene Hugo Nina Tom Eva Max Laura Ben".split()
MS_FIRST = "Ahmad Siti Aminah Nurul Farid Hafiz Zainab Ismail Azlan Rahman Faridah Kamal Aisyah Zulkifli Rosnah Hakim Salmah Idris Noraini Yusof Hassan Mariam Razak Halim Latifah Osman Suhaimi Zaleha Firdaus Izzati Danial Khairul Shahrul Nadia Syafiq Wani Amirul Balqis Haziq Laila".split()
IN_FIRST = "Raj Priya Kumar Devi Arun Lakshmi Suresh Kavitha Ganesh Meena Vijay Anita Ravi Shanti Mohan Uma".split()
ZH_SURNAMES = "王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余苏叶吕魏蒋田杜丁沈姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹钱施牛洪龚"
ZH_GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰建国文志海燕春红梅小云飞龙凤美佳欣怡子轩雨婷浩宇思琪嘉俊晓东雪莹晨阳博瑞安康宁乐天一诺可心若水清月星辰"
PINYIN = "Tan Lim Lee Wong Chan Ng Ong Teo Goh Chong Yap Low Koh Chua Liew Chin Foo Ho".split()
PINYIN_GIVEN = "Wei Ming Mei Ling Jun Hui Xin Yi Kai Siew Boon Hock Chee Kah Yee Jia Hao Shu Fen Zhi".split()
EN_LAST = "Smith Brown Walker Turner Hughes Carter Bennett Foster Murray Reid Palmer Grant Stone Fisher Barnes Ellis Webb Nash Holt Burke Shaw Lowe Pratt Quinn Frost Marsh Dale Boyd Cole York".split()
CITIES = {
    "en": "London Paris Tokyo Berlin Madrid Rome Sydney Toronto Chicago Boston Seattle Dublin Oslo Vienna Cairo Nairobi Lima Bangkok Jakarta Singapore Manila Hanoi Seoul Mumbai Delhi Dubai Istanbul Athens Lisbon Prague Warsaw Austin Denver Houston Miami Penang Ipoh Melaka Kuching".split() + ["Kuala Lumpur", "New York", "San Francisco", "Hong Kong", "Los Angeles", "Cape Town", "Johor Bahru", "Buenos Aires"],
    "ms": ["Kuala Lumpur", "Johor Bahru", "Kota Bharu", "Shah Alam", "Alor Setar", "Kota Kinabalu", "Pulau Pinang", "Kuala Terengganu", "Petaling Jaya", "Batu Pahat", "Port Dickson"] + "Ipoh Melaka Kuching Seremban Kuantan Kangar Sibu Miri Taiping Klang Muar Kluang Bangi Putrajaya Langkawi Jakarta Bandung Medan Surabaya Singapura London Tokyo".split(),
    "zh": "北京 上海 广州 深圳 成都 杭州 南京 武汉 西安 重庆 天津 苏州 厦门 青岛 大连 长沙 昆明 香港 台北 新加坡 吉隆坡 槟城 怡保 马六甲 新山 东京 首尔 曼谷 伦敦 巴黎 纽约 悉尼".split(),
}
PRODUCTS = {
    "en": "laptop keyboard mouse monitor printer chair desk lamp phone charger tablet camera headset backpack notebook pen stapler projector router cable speaker kettle fan bottle helmet drill ladder jacket blanket bicycle".split() + ["office chair", "desk lamp", "water filter", "paper shredder", "coffee machine", "air conditioner"],
    "ms": ["komputer riba", "papan kekunci", "tetikus", "pencetak", "kerusi", "meja", "lampu", "telefon", "pengecas", "kamera", "beg", "buku nota", "pen", "projektor", "kabel", "pembesar suara", "cerek", "kipas", "botol", "topi keledar", "gerudi", "tangga", "jaket", "selimut", "basikal", "penyaman udara"],
    "zh": "笔记本电脑 键盘 鼠标 显示器 打印机 椅子 桌子 台灯 手机 充电器 平板 相机 耳机 背包 笔记本 钢笔 投影仪 路由器 电缆 音箱 水壶 风扇 水杯 头盔 电钻 梯子 外套 毛毯 自行车 空调".split(),
}
COLOURS = {
    "en": "red blue green yellow black white purple orange pink grey brown silver gold".split(),
    "ms": "merah biru hijau kuning hitam putih ungu jingga kelabu coklat perak emas".split(),
    "zh": "红色 蓝色 绿色 黄色 黑色 白色 紫色 橙色 粉色 灰色 棕色 银色 金色".split(),
}
MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "ms": "Januari Februari Mac April Mei Jun Julai Ogos September Oktober November Disember".split(),
}
SYLLABLES = [a + b for a in "b c d f g h j k l m n p r s t v w y z br cr dr fl gr kl pr st tr sh th".split() for b in "a e i o u ai ar en il on or un an".split()]


def made_up(rng, low=2, high=3):
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(low, high)))


def word(rng, language):
    if language != "zh" and rng.chance(0.15):
        return made_up(rng)
    return rng.choice(words(language))


def person(rng, language):
    if language == "zh":
        return rng.choice(ZH_SURNAMES) + "".join(rng.choice(ZH_GIVEN) for _ in range(rng.randint(1, 2)))
    kind = rng.random()
    if language == "ms" and kind < 0.5 or kind < 0.15:
        name = rng.choice(MS_FIRST)
        return f"{name} {rng.choice(['bin', 'binti'])} {rng.choice(MS_FIRST)}" if rng.chance(0.5) else f"{name} {rng.choice(MS_FIRST)}"
    if kind < 0.3:
        return f"{rng.choice(PINYIN)} {rng.choice(PINYIN_GIVEN)} {rng.choice(PINYIN_GIVEN)}"
    if kind < 0.4:
        return f"{rng.choice(IN_FIRST)} {rng.choice(IN_FIRST)}"
    if kind < 0.6:
        return f"{made_up(rng).capitalize()} {made_up(rng).capitalize()}"
    return f"{rng.choice(EN_FIRST)} {rng.choice(EN_LAST) if rng.chance(0.7) else made_up(rng).capitalize()}"


def first_name(rng, language):
    return person(rng, language) if language == "zh" else person(rng, language).split(" ")[0]


def company(rng, language):
    if language == "zh":
        return rng.choice(words("zh")) + rng.choice(["科技", "贸易", "电子", "物流", "食品", "集团", "建筑", "软件"]) + rng.choice(["有限公司", "公司", ""])
    stem = rng.choice([made_up(rng), rng.choice(words(language)), rng.choice(words("en"))]).capitalize()
    if rng.chance(0.3):
        stem += " " + rng.choice(words(language)).capitalize()
    return stem + " " + rng.choice(["Sdn Bhd", "Ltd", "Inc", "Trading", "Enterprise", "Systems", "Holdings", "Logistics", "Foods", "Group", "Tech", "Berhad", "Labs", "Motors"])


def city(rng, language):
    if rng.chance(0.25) and language != "zh":
        return made_up(rng).capitalize()
    return rng.choice(CITIES[language])


def product(rng, language):
    return rng.choice(PRODUCTS[language]) if rng.chance(0.6) else word(rng, language)


def colour(rng, language):
    return rng.choice(COLOURS[language])


def integer(rng, _=None):
    return rng.randint(*rng.choice([(2, 12), (2, 99), (10, 999), (100, 9999), (1000, 999_999)]))


def small(rng, _=None):
    return rng.randint(1, 60)


def decimal(rng, _=None):
    value = round(rng.uniform(0.1, rng.choice([10, 100, 1000])), rng.choice([1, 2, 2]))
    return value + 0.5 if value == int(value) else value


def amount(rng, language):
    """Text with its currency, and the number."""
    value = rng.choice([integer(rng), round(rng.uniform(1, 5000), 2)])
    text = f"{value:.2f}" if isinstance(value, float) else str(value)
    if rng.chance(0.25):
        text = f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"
    sign = rng.choice({"en": ["RM", "RM ", "$", "USD ", "€", "£"], "ms": ["RM", "RM ", "RM"], "zh": ["¥", "RM", "人民币"]}[language])
    if language == "zh" and rng.chance(0.4):
        return f"{text}元", value
    return f"{sign}{text}", value


def iso_date(rng):
    return f"{rng.randint(1990, 2030)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"


def date(rng, language):
    """Text and, as it is asked for as text, the same."""
    year, month, day = rng.randint(1990, 2030), rng.randint(1, 12), rng.randint(1, 28)
    if rng.chance(0.4):
        text = f"{year}-{month:02d}-{day:02d}"
    elif language == "zh":
        text = f"{year}年{month}月{day}日" if rng.chance(0.7) else f"{month}月{day}日"
    elif rng.chance(0.3):
        text = f"{day:02d}/{month:02d}/{year}"
    else:
        text = f"{day} {MONTHS[language][month - 1]} {year}"
    return text


def clock(rng, language):
    hour, minute = rng.randint(0, 23), rng.choice([0, 15, 30, 45, rng.randint(0, 59)])
    if language == "en" and rng.chance(0.3):
        return f"{hour % 12 or 12}:{minute:02d} {'am' if hour < 12 else 'pm'}"
    return f"{hour:02d}:{minute:02d}"


def code(rng, _=None):
    letters = lambda n: "".join(rng.choice(string.ascii_uppercase) for _ in range(n))
    digits = lambda n: "".join(rng.choice(string.digits) for _ in range(n))
    return rng.choice([
        lambda: f"{letters(rng.randint(1, 4))}-{digits(rng.randint(2, 6))}",
        lambda: f"{letters(2)}{digits(rng.randint(3, 7))}",
        lambda: f"{letters(3)}-{rng.randint(2015, 2030)}-{digits(4)}",
        lambda: f"#{digits(rng.randint(3, 6))}",
        lambda: digits(rng.randint(5, 9)),
        lambda: f"{letters(1)}{digits(1)}{letters(2)}{digits(2)}",
    ])()


def email(rng, _=None):
    left = rng.choice([rng.choice(EN_FIRST), rng.choice(MS_FIRST), made_up(rng), rng.choice(PINYIN)]).lower()
    if rng.chance(0.5):
        left += rng.choice([".", "_", ""]) + rng.choice([rng.choice(EN_LAST).lower(), made_up(rng), str(rng.randint(1, 99))])
    return f"{left}@{rng.choice([made_up(rng), rng.choice(words('en'))])}.{rng.choice(['com', 'my', 'org', 'net', 'com.my', 'example', 'cn', 'io'])}"


def phone(rng, _=None):
    digits = lambda n: "".join(rng.choice(string.digits) for _ in range(n))
    return rng.choice([lambda: f"01{digits(1)}-{digits(7)}", lambda: f"+60 1{digits(1)}-{digits(3)} {digits(4)}", lambda: f"03-{digits(4)} {digits(4)}", lambda: f"1{digits(10)}", lambda: f"{digits(3)}-{digits(4)}"])()


def url(rng, _=None):
    return f"https://{made_up(rng)}.{rng.choice(['com', 'org', 'my', 'io'])}/{rng.choice(words('en'))}"
