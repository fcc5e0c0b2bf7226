"""Names that wikitext gives a meaning: namespaces, and templates by what they show."""

__all__ = [
    "ANSWERS",
    "BOXES",
    "DATES",
    "DISAMBIGUATION",
    "FIRST",
    "FIXED",
    "HIDDEN",
    "LAST",
    "LISTS",
    "OTHER",
    "PROJECTS",
    "RANGES",
    "SECOND",
    "UNITS",
]

HIDDEN = frozenset({"file", "image", "media", "category"})
"""Namespaces whose links show no words in the article."""

# fmt: off
OTHER = frozenset({
    "talk", "user", "wikipedia", "project", "wp", "mediawiki", "template", "help", "portal", "book",
    "draft", "module", "special", "timedtext", "t",
})
"""Namespaces that hold no articles: their links are words only."""

PROJECTS = frozenset({
    "wikt", "wiktionary", "s", "wikisource", "q", "wikiquote", "b", "wikibooks", "n", "wikinews",
    "v", "wikiversity", "commons", "c", "d", "wikidata", "species", "wikispecies", "m", "meta",
    "voy", "wikivoyage", "w", "doi", "arxiv", "hdl", "imdbname", "imdbtitle", "isbn", "google",
    "gutenberg", "mw", "bugzilla", "phab",
})
"""Prefixes of other sites: their links are words only."""

DISAMBIGUATION = frozenset({
    "disambiguation", "disambig", "disamb", "dab", "hndis", "geodis", "hospitaldis", "schooldis",
    "numberdis", "roaddis", "mathdab", "taxonomydis", "letterdab", "wpdab", "hndab", "geodab",
    "begriffsklärung", "homonymie", "desambiguación", "disambigua", "doorverwijspagina",
})

BOXES = frozenset({
    "taxobox", "speciesbox", "subspeciesbox", "hybridbox", "ichnobox", "oobox", "virusbox",
    "drugbox", "chembox", "elementbox",
})
"""Infoboxes whose name does not say so."""

FIXED = {
    "!": "|", "=": "=", "'": "'", "' \"": "' \"", "'s": "'s", "·": " · ", "•": " • ", "nbsp": " ",
    "snd": " – ", "snds": " – ", "spnd": " – ", "spaced ndash": " – ", "ndash": "–",
    "en dash": "–", "mdash": "—", "mdashb": "—", "em dash": "—", "dash": " – ",
    "--": "—", "thinsp": " ", "spaces": " ",
    "pi": "π", "lbrace": "{", "rbrace": "}", "(": "[", ")": "]",
}
"""Templates that always show the same."""

ANSWERS = {
    "yes": "Yes", "no": "No", "yes2": "Yes", "no2": "No", "tick": "Yes", "cross": "No",
    "won": "Won", "nom": "Nominated", "tbd": "TBD", "tba": "TBA", "dunno": "?", "n/a": "N/A",
    "na": "N/A", "unknown": "Unknown", "pending": "Pending", "partial": "Partial",
    "free": "Free", "nonfree": "Non-free", "included": "Included", "optional": "Optional",
}
"""Templates that fill a table's cell: with their argument, or with this."""

FIRST = frozenset({
    "nowrap", "nobr", "nobreak", "small", "smaller", "big", "larger", "large", "nobold", "noitalic",
    "sc", "smallcaps", "sub", "sup", "mvar", "math", "var", "em", "strong", "code", "mono",
    "center", "longitem", "vanchor", "visible anchor", "keypress", "key", "linktext", "birth-date",
    "death-date", "start-date", "end-date", "nts", "number", "ntsh", "quote", "blockquote",
    "cquote", "bquote", "quotation", "rquote", "abbr", "tooltip", "abbrlink", "native phrase",
    "avoid wrap", "birth year", "death year", "not a typo", "polytonic", "hebrew", "nastaliq",
    "underline", "normal", "ipa", "raise", "lower", "noitalics", "respell", "first word",
    "section link", "unicode", "death year and age", "birth year and age", "oldstyledate",
})
"""Templates that show their first argument."""

SECOND = frozenset({
    "lang", "transl", "transliteration", "script", "color", "colour", "font color", "font colour",
    "native name", "rtl-lang", "sort", "hs", "legend", "legend2", "fontcolor", "ruby", "bg",
    "wikt-lang", "longlink",
})
"""Templates that show their second argument; the first says how."""

LAST = frozenset({"font", "background color", "resize", "nihongo2", "align"})
"""Templates that show their last argument."""

LISTS = frozenset({
    "ubl", "unbulleted list", "ublist", "vunblist", "plainlist", "plain list", "flatlist", "hlist",
    "flat list", "cslist", "bulleted list", "bulletlist", "ordered list", "collapsible list",
    "unbulletedlist", "blist", "comma separated entries",
})
"""Templates that show each argument; written with commas between."""

DATES = frozenset({
    "birth date", "birth date and age", "birthdate", "bda", "dob", "birth date2",
    "birth date and age2", "start date", "start date and age", "start date and years ago",
    "start year", "end date", "end date and age", "dts", "dtsa", "date", "release date",
    "release date and age", "launch date", "death date",
})
"""Templates that show a date: year, month, day."""

UNITS = {
    "km2": "km²", "m2": "m²", "cm2": "cm²", "m3": "m³", "km3": "km³", "cm3": "cm³", "ft2": "sq ft",
    "sqmi": "sq mi", "sqft": "sq ft", "sqkm": "km²", "sqm": "m²", "cuft": "cu ft", "cumi": "cu mi",
    "c": "°C", "f": "°F", "°c": "°C", "°f": "°F", "kph": "km/h", "lbs": "lb", "acre": "acres",
    "mile": "miles", "foot": "feet", "inch": "inches", "kn": "knots", "nmi": "nautical miles",
    "e6acre": "million acres", "pd/sqmi": "per square mile", "pd/km2": "per square kilometre",
    "/sqmi": "per square mile", "/km2": "per square kilometre",
}
"""Units of {{convert}} that are not written as they are read."""

RANGES = {
    "to": " to ", "-": "–", "–": "–", "and": " and ", "or": " or ", "x": " × ", "by": " by ",
    "xx": " × ", "*": " × ", "+/-": " ± ", "±": " ± ", "to(-)": " to ", "and(-)": " and ",
}
"""Words of {{convert}} between two numbers."""
