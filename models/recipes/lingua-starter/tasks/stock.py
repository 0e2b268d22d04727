"""More kinds of values than `values.py`: what people write about. Each: text as written, and the value a JSON field wants."""

import datetime

from . import values as v

# name → (en, ms, zh) each.
CHOICES = {name: [tuple(part.split("|")) for part in text.split(" ; ")] for name, text in {
    "bring": "a water bottle|sebotol air|水壶 ; warm clothes|pakaian tebal|保暖衣物 ; your own cup|cawan sendiri|自己的杯子 ; a hat and sunscreen|topi dan pelindung matahari|帽子和防晒霜 ; an umbrella|payung|雨伞 ; good shoes|kasut yang sesuai|合适的鞋子 ; your identity card|kad pengenalan|身份证 ; gloves|sarung tangan|手套 ; something to share for lunch|makanan untuk dikongsi|一份可以分享的午餐 ; a notebook and a pen|buku nota dan pen|笔记本和笔 ; insect spray|penyembur serangga|驱蚊水 ; a towel|tuala|毛巾",
    "parking": "behind the library|di belakang perpustakaan|图书馆后面 ; along the river|di tepi sungai|河边 ; in the basement|di tingkat bawah tanah|地下室 ; on the school field|di padang sekolah|学校操场 ; next to the market|di sebelah pasar|市场旁边 ; opposite the mosque|di hadapan masjid|清真寺对面 ; at the old station|di stesen lama|老车站",
    "problem": "the box was torn and a part was missing|kotaknya koyak dan satu bahagian tiada|包装破损，少了一个零件 ; the screen stayed black|skrinnya gelap|屏幕不亮 ; it was the wrong size|saiznya salah|尺寸不对 ; one leg was broken|satu kakinya patah|一条腿断了 ; it made a loud noise|ia berbunyi kuat|噪音很大 ; the lid did not close|penutupnya tidak boleh ditutup|盖子关不上 ; the manual was missing|buku panduan tiada|缺少说明书 ; it smelled of smoke|ia berbau asap|有一股烟味 ; water leaked from the bottom|air bocor dari bawah|底部漏水 ; the battery would not charge|bateri tidak boleh dicas|电池充不进电",
    "wish": "a full refund|bayaran balik penuh|全额退款 ; a replacement|penggantian|换货 ; a repair|pembaikan|维修 ; a discount on the next order|diskaun untuk pesanan seterusnya|下次订单的折扣 ; a call from the manager|panggilan daripada pengurus|经理回电 ; a new invoice|invois baharu|新的发票 ; a pickup at home|kutipan di rumah|上门取件",
    "reason": "demand had fallen sharply|permintaan merosot|需求大幅下降 ; the rent had become too high|sewa terlalu mahal|租金太高 ; the river flooded it twice|sungai melimpah dua kali|两次被洪水淹没 ; skilled workers were hard to find|pekerja mahir sukar dicari|很难找到熟练工人 ; the machines were too old|mesinnya terlalu tua|机器太旧 ; the supplier had gone bankrupt|pembekalnya muflis|供应商破产了 ; the new road ran through the site|jalan baharu melalui tapak itu|新路要经过那里 ; nobody had tested the new plan|rancangan baharu belum diuji|新方案没有经过测试 ; the permit had run out|permitnya tamat tempoh|许可证过期了",
    "closure": "repairs to the roof|pembaikan bumbung|屋顶维修 ; a burst water pipe|paip air pecah|水管爆裂 ; the annual cleaning|pembersihan tahunan|年度清洁 ; the replacement of the lifts|penggantian lif|更换电梯 ; heavy rain|hujan lebat|暴雨 ; a public holiday|cuti umum|公共假期 ; road works|kerja jalan raya|道路施工 ; a safety inspection|pemeriksaan keselamatan|安全检查 ; a power cut|gangguan bekalan elektrik|停电 ; painting work|kerja mengecat|粉刷工程",
    "cause": "a faulty cable|kabel yang rosak|电线故障 ; a burning candle|lilin yang menyala|蜡烛 ; a gas leak|kebocoran gas|煤气泄漏 ; a tree that fell|pokok tumbang|大树倒下 ; ice on the road|jalan licin|路面湿滑 ; a careless driver|pemandu yang cuai|司机疏忽 ; an overheated engine|enjin yang terlalu panas|发动机过热 ; a blocked drain|longkang tersumbat|排水沟堵塞 ; lightning|kilat|雷击",
    "cause_it": "a full disk|cakera penuh|磁盘已满 ; an expired certificate|sijil tamat tempoh|证书过期 ; a wrong setting|tetapan yang salah|配置错误 ; a memory leak|kebocoran memori|内存泄漏 ; a broken network card|kad rangkaian rosak|网卡故障 ; a faulty update|kemas kini yang rosak|更新出错 ; too many requests at once|terlalu banyak permintaan|请求过多",
    "bug": "photos were shown upside down|foto dipaparkan terbalik|照片上下颠倒 ; the search found nothing|carian tidak menemui apa-apa|搜索不到结果 ; dates were a day late|tarikh lewat sehari|日期晚一天 ; the app closed when printing|aplikasi tertutup semasa mencetak|打印时闪退 ; files were saved twice|fail disimpan dua kali|文件被保存两次 ; the sound stopped after a call|bunyi terhenti selepas panggilan|通话后没有声音 ; passwords were refused|kata laluan ditolak|密码被拒绝",
    "decision": "postpone the launch|menangguhkan pelancaran|推迟发布 ; hire two more people|mengambil dua orang lagi|再招两个人 ; change the supplier|menukar pembekal|更换供应商 ; keep the old logo|mengekalkan logo lama|保留旧标志 ; move to a larger office|berpindah ke pejabat lebih besar|搬到更大的办公室 ; test the plan for a month|menguji rancangan selama sebulan|试行一个月 ; raise the price|menaikkan harga|提高价格 ; cancel the trip|membatalkan lawatan|取消旅行 ; buy a second van|membeli van kedua|再买一辆货车",
    "job": "a nurse|jururawat|护士 ; a baker|pembuat roti|面包师 ; a bus driver|pemandu bas|公交司机 ; a fisherman|nelayan|渔民 ; an electrician|juruelektrik|电工 ; a teacher|guru|教师 ; a tailor|tukang jahit|裁缝 ; a dentist|doktor gigi|牙医 ; a carpenter|tukang kayu|木匠 ; a photographer|jurugambar|摄影师 ; a translator|penterjemah|翻译 ; a farmer|petani|农民 ; an accountant|akauntan|会计 ; a librarian|pustakawan|图书管理员",
    "hobby": "repairing old clocks|membaiki jam lama|修旧钟 ; growing orchids|menanam orkid|种兰花 ; playing chess|bermain catur|下棋 ; long walks in the hills|berjalan di bukit|爬山 ; baking bread|membakar roti|烤面包 ; collecting stamps|mengumpul setem|集邮 ; singing in a choir|menyanyi dalam koir|合唱 ; watching birds|memerhati burung|观鸟 ; fishing|memancing|钓鱼 ; painting|melukis|画画 ; cycling|berbasikal|骑自行车",
    "award": "the Golden Leaf|Anugerah Daun Emas|金叶奖 ; the city's medal of honour|pingat kehormat bandar|城市荣誉勋章 ; first prize at the craft fair|hadiah pertama pesta kraf|手工艺展一等奖 ; a national design award|anugerah reka bentuk kebangsaan|全国设计奖 ; the prize for young writers|hadiah penulis muda|青年作家奖 ; a certificate of bravery|sijil keberanian|英勇证书",
    "subject": "chemistry|kimia|化学 ; history|sejarah|历史 ; law|undang-undang|法律 ; music|muzik|音乐 ; civil engineering|kejuruteraan awam|土木工程 ; medicine|perubatan|医学 ; marine biology|biologi marin|海洋生物学 ; economics|ekonomi|经济学 ; nursing|kejururawatan|护理 ; computer science|sains komputer|计算机科学",
    "floor": "the third floor|tingkat tiga|三楼 ; the ground floor|tingkat bawah|一楼 ; the top floor|tingkat paling atas|顶楼 ; the twelfth floor|tingkat dua belas|十二楼 ; the second floor|tingkat dua|二楼 ; the fifth floor|tingkat lima|五楼",
    "rule": "pets are not allowed|haiwan peliharaan tidak dibenarkan|不允许养宠物 ; smoking is forbidden|dilarang merokok|禁止吸烟 ; shoes must stay outside|kasut mesti ditinggalkan di luar|鞋子必须放在外面 ; it must be quiet after ten|mesti senyap selepas pukul sepuluh|十点以后必须安静 ; only women may apply|hanya untuk wanita|只限女性 ; no cooking with oil|dilarang memasak dengan minyak|不许油炸",
    "material": "aluminium|aluminium|铝合金 ; bamboo|buluh|竹子 ; steel|keluli|钢 ; recycled plastic|plastik kitar semula|再生塑料 ; oak|kayu oak|橡木 ; glass|kaca|玻璃 ; leather|kulit|皮革 ; ceramic|seramik|陶瓷",
    "drawback": "it gets hot quickly|ia cepat panas|容易发热 ; the buttons are too small|butangnya terlalu kecil|按键太小 ; the cable is too short|kabelnya terlalu pendek|电源线太短 ; it is hard to clean|ia sukar dibersihkan|很难清洗 ; the sound is weak|bunyinya lemah|声音太小 ; it scratches easily|ia mudah calar|容易刮花",
    "season": "early spring|awal musim bunga|早春 ; the dry months|bulan kering|旱季 ; late autumn|akhir musim luruh|深秋 ; the weeks before the monsoon|minggu sebelum monsun|雨季之前 ; early in the morning|awal pagi|清晨 ; at sunset|waktu matahari terbenam|日落时分 ; in winter|musim sejuk|冬天",
    "animal": "otters|memerang|水獭 ; hornbills|burung enggang|犀鸟 ; wild horses|kuda liar|野马 ; sea turtles|penyu|海龟 ; fireflies|kelip-kelip|萤火虫 ; black monkeys|monyet hitam|黑猴 ; owls|burung hantu|猫头鹰 ; deer|rusa|鹿",
    "transport": "by ferry|menaiki feri|坐渡轮 ; by train|menaiki kereta api|坐火车 ; on foot|berjalan kaki|步行 ; by bus number 12|menaiki bas nombor 12|坐12路公交车 ; by bicycle|menaiki basikal|骑自行车 ; with a taxi|menaiki teksi|打车 ; by cable car|menaiki kereta kabel|坐缆车",
    "level": "beginners|pemula|初学者 ; advanced learners|pelajar lanjutan|高级学员 ; children under twelve|kanak-kanak bawah dua belas tahun|十二岁以下儿童 ; retired people|pesara|退休人员 ; parents|ibu bapa|家长 ; working adults|orang dewasa yang bekerja|在职人士",
    "room": "room 204|bilik 204|204教室 ; the blue hall|dewan biru|蓝厅 ; room B3|bilik B3|B3室 ; the small meeting room|bilik mesyuarat kecil|小会议室 ; the workshop next door|bengkel sebelah|隔壁工作室 ; the library|perpustakaan|图书馆 ; room 17|bilik 17|17号房",
    "skill": "patience with customers|sabar melayan pelanggan|对客户有耐心 ; a driving licence|lesen memandu|驾照 ; good English|bahasa Inggeris yang baik|良好的英语 ; knowledge of spreadsheets|pengetahuan hamparan|熟悉电子表格 ; experience with children|pengalaman dengan kanak-kanak|带孩子的经验 ; strong hands|tangan yang kuat|力气大 ; basic Mandarin|asas bahasa Mandarin|基础普通话",
    "licence": "MIT|MIT|MIT ; Apache-2.0|Apache-2.0|Apache-2.0 ; BSD-3-Clause|BSD-3-Clause|BSD-3-Clause ; GPL-3.0|GPL-3.0|GPL-3.0 ; MPL-2.0|MPL-2.0|MPL-2.0",
}.items()}
AT = {"en": 0, "ms": 1, "zh": 2}
EVENTS = [tuple(part.split("|")) for part in "spring fair|pesta musim bunga|春季集市 ; charity run|larian amal|慈善跑 ; book market|pasar buku|书市 ; open day|hari terbuka|开放日 ; cooking workshop|bengkel masakan|烹饪工作坊 ; music night|malam muzik|音乐之夜 ; school play|persembahan sekolah|校园话剧 ; blood donation drive|kempen derma darah|献血活动 ; beach clean-up|gotong-royong membersihkan pantai|海滩清洁活动 ; job fair|pesta kerjaya|招聘会 ; lantern parade|perarakan tanglung|灯笼游行 ; family day|hari keluarga|家庭日 ; photo exhibition|pameran foto|摄影展 ; repair café|kafe pembaikan|维修咖啡馆 ; chess tournament|kejohanan catur|象棋比赛 ; garden tour|lawatan taman|花园参观 ; annual dinner|jamuan makan malam tahunan|年度晚宴 ; film evening|malam filem|电影晚会 ; health talk|ceramah kesihatan|健康讲座 ; farmers' market|pasar tani|农夫市集 ; robotics contest|pertandingan robotik|机器人大赛 ; sports day|hari sukan|运动会".split(" ; ")]
TOPICS = [tuple(part.split("|")) for part in "new website|laman web baharu|新网站 ; office move|perpindahan pejabat|办公室搬迁 ; holiday plan|rancangan cuti|假期计划 ; customer survey|tinjauan pelanggan|客户调查 ; spring campaign|kempen musim bunga|春季活动 ; warehouse|gudang|仓库 ; canteen|kantin|食堂 ; training programme|program latihan|培训计划 ; security report|laporan keselamatan|安全报告 ; playground|taman permainan|游乐场 ; summer party|majlis musim panas|夏季聚会 ; budget|bajet|预算 ; delivery problems|masalah penghantaran|配送问题 ; new logo|logo baharu|新标志 ; hiring plan|rancangan pengambilan pekerja|招聘计划".split(" ; ")]
HOMES = [tuple(part.split("|")) for part in "apartment|pangsapuri|公寓 ; room|bilik|房间 ; house with garden|rumah berkebun|带花园的房子 ; studio|studio|单间公寓 ; shop|kedai|店面 ; office|pejabat|办公室 ; terrace house|rumah teres|排屋 ; garage|garaj|车库 ; warehouse|gudang|仓库".split(" ; ")]
PLACES = [tuple(part.split("|")) for part in "the swimming pool|kolam renang|游泳池 ; the town library|perpustakaan bandar|市图书馆 ; the car park|tempat letak kereta|停车场 ; the night market|pasar malam|夜市 ; Lift B|Lif B|B电梯 ; the sports hall|dewan sukan|体育馆 ; the river bridge|jambatan sungai|河桥 ; the clinic|klinik|诊所 ; the post office|pejabat pos|邮局 ; the children's playground|taman permainan kanak-kanak|儿童游乐场 ; the bus terminal|terminal bas|汽车总站 ; the community hall|dewan komuniti|社区礼堂 ; the canteen|kantin|食堂 ; the north gate|pintu utara|北门 ; the parking garage|bangunan letak kereta|停车楼".split(" ; ")]
SIGHTS = [tuple(part.split("|")) for part in "Lighthouse|Rumah Api|灯塔 ; Castle|Istana|城堡 ; Botanical Garden|Taman Botani|植物园 ; Museum|Muzium|博物馆 ; Lake|Tasik|湖 ; Cave|Gua|洞 ; Tower|Menara|塔 ; Temple|Kuil|寺 ; Bridge|Jambatan|大桥 ; Waterfall|Air Terjun|瀑布 ; National Park|Taman Negara|国家公园".split(" ; ")]
COURSES = [tuple(part.split("|")) for part in "Pottery for Everyone|Tembikar untuk Semua|人人学陶艺 ; Basic Sewing|Asas Jahitan|缝纫基础 ; Spanish I|Bahasa Sepanyol I|西班牙语一 ; First Aid|Pertolongan Cemas|急救 ; Photography at Night|Fotografi Malam|夜间摄影 ; Web Design|Reka Bentuk Web|网页设计 ; Bread Baking|Membakar Roti|烘焙面包 ; Public Speaking|Pengucapan Awam|公众演讲 ; Bookkeeping|Simpan Kira|记账 ; Guitar Basics|Asas Gitar|吉他入门 ; Garden Care|Penjagaan Kebun|园艺 ; Python for Beginners|Python untuk Pemula|Python 入门".split(" ; ")]
JOBS = [tuple(part.split("|")) for part in "cook|tukang masak|厨师 ; night guard|pengawal malam|夜间保安 ; warehouse assistant|pembantu gudang|仓库助理 ; receptionist|penyambut tetamu|前台 ; data analyst|penganalisis data|数据分析师 ; van driver|pemandu van|货车司机 ; kindergarten teacher|guru tadika|幼儿园老师 ; sales assistant|pembantu jualan|销售助理 ; mechanic|mekanik|技工 ; web developer|pembangun web|网页开发员 ; cleaner|tukang cuci|清洁工 ; pharmacist|ahli farmasi|药剂师 ; graphic designer|pereka grafik|平面设计师".split(" ; ")]
WEEKDAYS = {"en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(), "ms": "Isnin Selasa Rabu Khamis Jumaat Sabtu Ahad".split(), "zh": "星期一 星期二 星期三 星期四 星期五 星期六 星期日".split()}


def choice(rng, language, name):
    text = rng.choice(CHOICES[name])[AT[language]]
    return text, text


def date(rng, language):
    """Text; the value is the ISO date (what a field of format date wants), the text otherwise."""
    day = datetime.date(rng.randint(2019, 2031), rng.randint(1, 12), rng.randint(1, 28))
    y, m, d = day.year, day.month, day.day
    if language == "zh":
        text = rng.choice([f"{y}年{m}月{d}日", f"{y}年{m}月{d}日", f"{m}月{d}日", f"{y}-{m:02d}-{d:02d}"])
    else:
        month = v.MONTHS[language][m - 1]
        weekday = WEEKDAYS[language][day.weekday()]
        options = [f"{d} {month} {y}", f"{d} {month} {y}", f"{d} {month}", f"{d}/{m}/{y}", f"{d:02d}.{m:02d}.{y}", f"{y}-{m:02d}-{d:02d}", f"{weekday}, {d} {month}", f"{weekday}, {d} {month} {y}", f"{d} {month[:3]} {y}"]
        if language == "en":
            suffix = "th" if 10 < d < 14 else {1: "st", 2: "nd", 3: "rd"}.get(d % 10, "th")
            options += [f"{month} {d}, {y}", f"{month} {d}", f"the {d}{suffix} of {month}", f"{month} {d}{suffix}, {y}"]
        text = rng.choice(options)
    # Without a year there is no ISO date to give.
    return text, day.isoformat() if str(y) in text else None


def clock(rng, language):
    hour, minute = rng.randint(6, 22), rng.choice([0, 0, 15, 30, 30, 45, rng.randint(0, 59)])
    half = hour % 12 or 12
    iso = f"{hour:02d}:{minute:02d}"
    if language == "en":
        text = rng.choice([iso, f"{half}:{minute:02d} {'am' if hour < 12 else 'pm'}", f"{half}{f':{minute:02d}' if minute else ''} {'a.m.' if hour < 12 else 'p.m.'}", f"{half}.{minute:02d} {'am' if hour < 12 else 'pm'}"])
    elif language == "ms":
        part = "pagi" if hour < 12 else "tengah hari" if hour < 14 else "petang" if hour < 19 else "malam"
        text = rng.choice([iso, f"{half}.{minute:02d} {part}", f"{half}:{minute:02d} {part}"])
    else:
        part = "上午" if hour < 12 else "下午" if hour < 18 else "晚上"
        text = rng.choice([iso, f"{part}{half}点" + (f"{minute}分" if minute else "") if minute != 30 else f"{part}{half}点半", f"{part}{half}:{minute:02d}"])
    return text, iso


def money(rng, language, low=3, high=4000):
    value = rng.choice([rng.randint(low, max(90, 2 * low)), rng.randint(low, high), rng.randint(low // 10 + 1, high // 10) * 10, round(rng.uniform(low, high), 2), round(rng.uniform(low, max(200, 2 * low)), 2)])
    text = f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if rng.chance(0.7) else str(value)
    if language == "zh":
        return rng.choice([f"{text}元", f"{text}元", f"¥{text}", f"RM{text}", f"{text}令吉"]), value
    signs = ["RM", "RM ", "$", "€", "£", "USD ", "S$", "RM"] if language == "en" else ["RM", "RM "]
    return rng.choice([f"{rng.choice(signs)}{text}", f"{rng.choice(signs)}{text}", f"{text} {'ringgit' if language == 'ms' else rng.choice(['ringgit', 'euros', 'dollars', 'pounds'])}"]), value


def bigmoney(rng, language):
    if rng.chance(0.5):
        return money(rng, language, 900, 900_000)
    n = rng.choice([rng.randint(2, 90), round(rng.uniform(1, 30), 1)])
    if language == "zh":
        return f"{n}万元", round(n * 10_000)
    million = "juta" if language == "ms" else "million"
    return f"{'RM' if language == 'ms' else rng.choice(['RM', '$', '€'])}{n} {million}", round(n * 1_000_000)


SMALL = {"en": "zero one two three four five six seven eight nine ten eleven twelve".split(), "ms": "sifar satu dua tiga empat lima enam tujuh lapan sembilan sepuluh".split(), "zh": "零一二三四五六七八九十"}


def integer(rng, language, low, high):
    value = rng.randint(low, high) if rng.chance(0.7) else rng.randint(low, max(low, min(high, low * 8)))
    if value > 100 and rng.chance(0.5):
        value = value // 10 * 10
    if 1 < value < len(SMALL[language]) and rng.chance(0.4):
        word = SMALL[language][value]
        return ("两" if language == "zh" and value == 2 else word), value
    return (f"{value:,}" if value > 999 and rng.chance(0.6) else str(value)), value


def _unit(rng, language, low, high, names, decimals=False):
    value = round(rng.uniform(low, high), 1) if decimals and rng.chance(0.5) else rng.randint(low, high)
    text = f"{value}{'' if language == 'zh' else ' '}{rng.choice(names[language])}"
    return text, text


KINDS = {
    "date": date, "clock": clock, "money": money, "bigmoney": bigmoney,
    "percent": lambda rng, language: (lambda n: (f"{n}%" if language != "en" or rng.chance(0.8) else f"{n} per cent", n))(rng.choice([rng.randint(2, 95), rng.randint(1, 19) * 5, round(rng.uniform(1, 30), 1)])),
    "year": lambda rng, language: (lambda n: (str(n), n))(rng.randint(1740, 2025)),
    "person": lambda rng, language: (lambda n: (n, n))(person(rng, language)),
    "org": lambda rng, language: (lambda n: (n, n))(v.company(rng, language)),
    "city": lambda rng, language: (lambda n: (n, n))(v.city(rng, language)),
    "product": lambda rng, language: (lambda n: (n, n))(v.product(rng, language)),
    "colour": lambda rng, language: (lambda n: (n, n))(v.colour(rng, language)),
    "email": lambda rng, language: (lambda n: (n, n))(v.email(rng)),
    "phone": lambda rng, language: (lambda n: (n, n))(v.phone(rng)),
    "code": lambda rng, language: (lambda n: (n, n))(v.code(rng)),
    "url": lambda rng, language: (lambda n: (n, n))(v.url(rng)),
    "weekday": lambda rng, language: (lambda n: (n, n))(rng.choice(WEEKDAYS[language])),
    "area": lambda rng, language: _unit(rng, language, 14, 320, {"en": ["square metres", "m²", "sq ft"], "ms": ["meter persegi", "kaki persegi"], "zh": ["平方米", "平米"]}),
    "weight": lambda rng, language: _unit(rng, language, 1, 900, {"en": ["g", "kg", "grams", "kilograms"], "ms": ["g", "kg", "gram"], "zh": ["克", "公斤"]}, True),
    "length": lambda rng, language: _unit(rng, language, 2, 900, {"en": ["m", "metres", "km", "kilometres"], "ms": ["meter", "km", "kilometer"], "zh": ["米", "公里"]}, True),
    "duration": lambda rng, language: _unit(rng, language, 2, 36, {"en": ["months", "weeks", "minutes", "hours", "days", "years"], "ms": ["bulan", "minggu", "minit", "jam", "hari", "tahun"], "zh": ["个月", "周", "分钟", "小时", "天", "年"]}),
    "hoursdur": lambda rng, language: _unit(rng, language, 3, 60, {"en": ["hours", "days"], "ms": ["jam", "hari"], "zh": ["小时", "天"]}),
    "datasize": lambda rng, language: _unit(rng, language, 2, 900, {"en": ["GB", "MB"], "ms": ["GB", "MB"], "zh": ["GB", "MB"]}),
    "version": lambda rng, language: (lambda n: (n, n))(f"{rng.randint(1, 12)}.{rng.randint(0, 20)}" + (f".{rng.randint(0, 9)}" if rng.chance(0.5) else "")),
    "flight": lambda rng, language: (lambda n: (n, n))(f"{''.join(rng.choice('ABCEFGHJKLMOQRSTUX') for _ in range(2))}{' ' if rng.chance(0.3) else ''}{rng.randint(10, 9999)}"),
    "seat": lambda rng, language: (lambda n: (n, n))(f"{rng.randint(1, 60)}{rng.choice('ABCDEF')}"),
    "venue": lambda rng, language: (lambda n: (n, n))(venue(rng, language)),
    "hotel": lambda rng, language: (lambda n: (n, n))({"en": f"Hotel {v.made_up(rng).capitalize()}", "ms": f"Hotel {v.made_up(rng).capitalize()}", "zh": rng.choice(v.words("zh")) + "酒店"}[language]),
    "title": lambda rng, language: (lambda n: (n, n))(title(rng, language)),
    "address": lambda rng, language: (lambda n: (n, n))(address(rng, language)),
    "hours": lambda rng, language: (lambda a, b: (lambda n: (n, n))({"en": f"from {a}:00 to {b}:00", "ms": f"dari {a}:00 hingga {b}:00", "zh": f"{a}:00至{b}:00"}[language]))(rng.randint(7, 11), rng.randint(15, 22)),
}


def person(rng, language):
    name = v.person(rng, language)
    if rng.chance(0.2):
        return rng.choice({"en": ["Mr ", "Ms ", "Dr ", "Mrs ", "Prof. "], "ms": ["Encik ", "Puan ", "Cik ", "Dr. "], "zh": [""]}[language]) + name if language != "zh" else name + rng.choice(["先生", "女士", "医生", "老师", "经理"])
    return name


def venue(rng, language):
    name = v.made_up(rng).capitalize()
    if language == "zh":
        return rng.choice(v.words("zh")) + rng.choice(["广场", "公园", "礼堂", "图书馆", "酒店", "体育馆", "小学", "社区中心"])
    if language == "ms":
        return rng.choice([f"Dewan {name}", f"Taman {name}", f"Hotel {name}", f"Perpustakaan {name}", f"Pusat Komuniti {name}", f"Sekolah {name}", f"Padang {name}"])
    return rng.choice([f"{name} Park", f"{name} Hall", "the town hall", f"the {name} Community Centre", f"the {name} Hotel", f"{name} School", f"the library in {name} Street", f"{name} Stadium", "the old market", "the main square"])


def title(rng, language):
    if language == "zh":
        return rng.choice(v.words("zh")) + rng.choice(["入门", "之路", "的秘密", "手册"])
    noun = v.word(rng, language).capitalize()
    return rng.choice({"en": [f"The {noun} Handbook", f"First Steps in {noun}", f"A Short History of {noun}", f"The Last {noun}"], "ms": [f"Panduan {noun}", f"Rahsia {noun}", f"Asas {noun}"]}[language])


def address(rng, language):
    name, number = v.made_up(rng).capitalize(), rng.randint(1, 180)
    if language == "zh":
        return f"{rng.choice(v.words('zh'))}路{number}号"
    if language == "ms":
        return rng.choice([f"{number}, Jalan {name} {rng.randint(1, 9)}", f"No. {number}, Lorong {name}", f"{number} Jalan {name}, {v.city(rng, 'ms')}"])
    return rng.choice([f"{number} {name} Street", f"{number} {name} Road, {v.city(rng, 'en')}", f"{number}, Jalan {name}", f"{name} Avenue {number}"])


def make(rng, kind, language):
    """(text as written, value as a field wants it)."""
    name, _, rest = kind.partition(":")
    if name == "choice":
        return choice(rng, language, rest)
    if name == "int":
        return integer(rng, language, *map(int, rest.split("-")))
    return KINDS[name](rng, language)


def subject_of(rng, scene, language):
    at = AT[language]
    name = v.made_up(rng).capitalize()
    return {
        "event": lambda: rng.choice(EVENTS)[at], "order": lambda: v.product(rng, language), "organisation": lambda: v.company(rng, language), "person": lambda: v.person(rng, language),
        "rental": lambda: rng.choice(HOMES)[at], "notice": lambda: rng.choice(PLACES)[at],
        "product": lambda: f"{v.product(rng, language)}{'' if language == 'zh' else ' '}{name} {rng.randint(2, 900)}" if rng.chance(0.6) else v.product(rng, language),
        "incident": lambda: venue(rng, language), "meeting": lambda: rng.choice(TOPICS)[at],
        "place": lambda: (lambda s: {"en": f"{name} {s}", "ms": f"{s} {name}", "zh": rng.choice(v.words('zh')) + s}[language])(rng.choice(SIGHTS)[at]),
        "course": lambda: rng.choice(COURSES)[at], "work": lambda: rng.choice(JOBS)[at], "travel": lambda: v.city(rng, language),
        "software": lambda: name + rng.choice(["", " Desk", " Server", " Notes", "OS", " Mail", " Backup"]),
    }[scene]()
