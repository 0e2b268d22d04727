"""Parameters as programmers name and describe them: a noun, a noun with a modifier, two nouns."""

import re

from . import values as v

QUANTITIES = "temperature temp value rate year years number points height width population budget distance speed time amount area length weight size count price level score concentration pressure capacity age volume density mass radius base side edge depth range limit duration interval minutes hours months days steps degree power charge resistance frequency voltage income salary balance principal payment deposit term ratio margin percentage rating seats tickets rooms guests adults children servings calories protein goals wins matches rounds players floors doors members shares units copies page pages line index offset top_n max_results sample_size".split()
PLACES = "country state region province district location place origin destination town city venue address area_code county island airport station port".split()
PEOPLE = "author artist player actor director doctor patient owner manager teacher student winner inventor composer employee buyer seller lawyer sender receiver".split()
THINGS = "species team season subject course genre platform topic title event league sport animal plant food ingredient cuisine dish metal element compound substance material fabric instrument key scale chord song album movie book game brand product crop disease drug symptom vehicle model currency language religion industry sector service department dataset table column field keyword tag label theme style shape pattern gene cell organ planet star river mountain era period culture painting museum law case court crime document".split()
MODIFIERS = "initial final total max min start end target current annual monthly average first second third new old source destination input output main primary base net gross expected desired actual user customer home away left right upper lower from to".split()
GROUPS = [(QUANTITIES, "quantity", 10), (PLACES, "city", 4), (PEOPLE, "person", 3), (THINGS, "word", 8)]
# How a question says a value: {} the value, {k} the parameter's words.
PHRASES = {
    "quantity": {"en": ("with {k} {}", "with a {k} of {}", "{} {k}", "a {k} of {}", "{k} {}", "given a {k} of {}", "where the {k} is {}", "for {} {k}", "at {k} {}", "and a {k} of {}", "using {} as the {k}", "and {} {k}", "of {} {k}"), "ms": ("dengan {k} {}", "{k} {}", "{k} ialah {}"), "zh": ("{k}为{}", "{k}是{}", "{k} {}")},
    "city": {"en": ("in {}", "for {}", "of {}", "near {}", "from {}", "at {}", "with {k} {}", "around {}"), "ms": ("di {}", "untuk {}", "dari {}"), "zh": ("在{}", "{}的", "{k}为{}")},
    "person": {"en": ("by {}", "of {}", "for {}", "with {k} {}", "named {}", "whose {k} is {}"), "ms": ("oleh {}", "untuk {}", "{k} {}"), "zh": ("{k}为{}", "由{}")},
    "word": {"en": ("of {}", "for {}", "on {}", "about {}", "with {k} {}", "of the {} {k}", "for the {k} {}", "in the {k} of {}", "using {}", "{k} {}", "the {} {k}"), "ms": ("bagi {}", "tentang {}", "{k} {}"), "zh": ("{k}为{}", "关于{}", "{k}{}")},
}
DESCRIPTIONS = ("The {k}", "The {k} of the {o}", "The {k} of the {o} in {u}", "{K} for the {o}", "The {k} for which the {o} is needed", "Desired {k}", "The specific {k} to use", "{K}, e.g. {e}", "Name or value of the {k}", "The {k} you want", "The {k} that the {o} has", "{K} in {u}. Default is {e}", "Optional {k}. Default is {e}", "The {k} (defaults to {e} if not specified)", "The {k} to get the {o} from", "How the {k} is given, such as {e}")
UNITS = "meters kilometers units kelvin celsius kilograms grams percent years days hours dollars square meters liters pascals".split()
MARKS = ("", "", "", "", "K", "m", " m", " km", "%", " units", " meters", " degrees", " kg", " grams", " years", " J", " m/s", " dollars", "C")


def spoken(name):
    """A name in words: `max_speed` and `maxSpeed` as max speed."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()


def compose(rng, object_name, language):
    """(name, kind, description, phrase templates) of a parameter never listed by hand."""
    nouns, kind, _ = rng.choices(GROUPS, [weight for *_, weight in GROUPS])[0]
    noun = rng.choice(nouns) if rng.chance(0.85) else v.word(rng, "en")
    form = rng.random()
    if form < 0.35:
        name = noun
    elif form < 0.6:
        name = f"{rng.choice(MODIFIERS)}_{noun}"
    elif form < 0.75:
        name = f"{noun}_{rng.choice(['name', 'id', 'type'] if kind == 'word' else ['value', 'name'])}" if kind != "quantity" else f"{rng.choice(THINGS)}_{noun}"
    elif form < 0.9:
        name = f"{rng.choice(THINGS)}_{noun}"
    else:
        name = rng.choice(MODIFIERS) + noun.capitalize()
    words = spoken(name)
    example = str(v.integer(rng)) if kind == "quantity" else getattr(v, kind)(rng, "en")
    description = rng.choice(DESCRIPTIONS)
    for mark, text in (("{k}", words), ("{K}", words.capitalize()), ("{o}", object_name), ("{u}", rng.choice(UNITS)), ("{e}", example)):
        description = description.replace(mark, text)
    return name, kind, description + rng.choice(["", "."]), PHRASES[kind][language]
