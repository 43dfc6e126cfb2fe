"""The words of a text without their endings, so that `allocates` meets `allocation`."""

import re

_WORD = re.compile(r"[a-z][a-z0-9]+", re.ASCII)
_ENDINGS = (
    "izations", "ization", "isation", "ations", "ation", "ments", "ment", "ingly", "ities",
    "ively", "ables", "able", "ibly", "ably", "ions", "ness", "ings", "ical", "ally", "ence",
    "ance", "ing", "ion", "ize", "ise", "ity", "ive", "ers", "ors", "ies", "ied", "ed",
    "er", "or", "es", "ly", "al", "s", "e", "y",
)  # fmt: skip
_SHORTEST = 3
_IRREGULAR = {
    "used": "use", "using": "use",
    "ran": "run", "running": "run", "kept": "keep", "sent": "send", "built": "build",
    "chose": "choos", "chosen": "choos", "wrote": "writ", "written": "writ", "held": "hold",
    "lost": "los", "left": "leav", "made": "mak", "froze": "freez", "frozen": "freez",
    "indices": "index", "matrices": "matrix", "vertices": "vertex", "caches": "cach",
    "weights": "weight", "init": "initial", "initialize": "initial", "initialise": "initial",
    "config": "configur", "configs": "configur", "params": "paramet", "param": "paramet",
    "args": "argument", "arg": "argument", "env": "environ", "environment": "environ",
    "docs": "document", "doc": "document", "documentation": "document", "attn": "attent",
    "attention": "attent", "perf": "perform", "performance": "perform", "mem": "memor",
    "memory": "memor", "memories": "memor", "impl": "implement", "req": "request",
    "reqs": "request", "num": "number", "max": "maxim", "maximum": "maxim", "min": "minim",
    "minimum": "minim", "dtype": "type", "dtypes": "type", "kwargs": "argument",
    "quant": "quantiz", "quantization": "quantiz", "quantized": "quantiz",
    "sched": "schedul", "scheduler": "schedul", "scheduling": "schedul", "dist": "distribut",
    "ptr": "point", "pointer": "point", "pointers": "point", "idx": "index", "len": "length",
    "msg": "messag", "ctx": "context", "dir": "director", "directory": "director",
    "spec": "specul", "speculative": "specul", "dequant": "dequantiz", "alloc": "alloc",
    "lib": "librar", "library": "librar", "libraries": "librar", "repo": "repositor",
    "deps": "depend", "dependency": "depend", "dependencies": "depend", "dependent": "depend",
    "auth": "authent", "err": "error", "errors": "error", "failures": "fail", "failure": "fail",
}  # fmt: skip


def stem(word: str) -> str:
    """Give the stem of one word in lower case."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for _ in range(2):
        ending = next(
            (end for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= _SHORTEST),
            "",
        )
        if not ending or (ending == "s" and word.endswith("ss")):
            break
        word = word[: -len(ending)]
    if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word


def stems(text: str) -> frozenset[str]:
    """Give the stems of all words of a text in lower case."""
    return frozenset(stem(word) for word in _WORD.findall(text))
