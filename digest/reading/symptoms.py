"""What somebody who was hit has seen, as a text says it: the one lexicon of symptoms.

A symptom is a claim: it is read only where a text states it, never from what a fix looks like.
`symptoms` reads any text (a title, a description, an issue); who calls it decides whether the
change is one that runs for users at all. A sentence that denies the symptom, names a tool against
it (`leak checker`), or tells of a test gives none.
"""

import re
from collections.abc import Iterator

from digest.facts import Evidence, Symptom
from digest.models import Item
from digest.reading.description import BODY_READ, written

ISSUE_READ = 1_500
"""Characters of an issue that say what was seen; further down stand versions and logs."""
MOST_SENTENCES = 200
"""Sentences of a text that are read."""

_OF = r"(?:(?!but|and|so|which|that|when)[\w/-]+ ){0,3}?"
_OF_VALUE = _OF.replace("when)", "when|sizes?|shapes?|lengths?|counts?|number|dims?|ranks?)")
"""What may stand between a bad value and its name: where its size is wrong, code mostly fails."""
_BAD = (
    r"(?:wrong|incorrect|bad|garbage|corrupt\w*|garbled|inaccurate|invalid|inconsistent|mismatched|"
    r"broken|degenerate|non-?deterministic|stale) "
)
_OUTPUT = (
    r"(?:outputs?|results?|answers?|logits?|logprobs?|tokens?|text|accuracy|generation|numerics?|"
    r"predictions?|embeddings?|attention|gradients?|scores?|images?|audio|hidden states?|sampling|"
    r"computation|softmax|data|lse)"
)
_INNER = (
    r"(?:values?|scal(?:e|es|ing)|positions?|rope|mask(?:s|ing)?|routing|weights?|cache|kv|states?|"
    r"calculation|reads?|dtype|offsets?|ind(?:ex|exing|ices)|strides?|shards?|slic\w+|gather\w*|"
    r"reduc\w+|quantization|dequant\w*|layout|merge|expert\w*)"
)

_PATTERNS: tuple[tuple[Symptom, str], ...] = (
    (
        Symptom.SECURITY,
        r"\bCVEs?\b|\bGHSA-|\bvulnerab\w+|\bremote code execution\b|\bRCE\b|\bpath traversal\b|"
        r"\bSSRF\b|\b(?:command|code|shell|prompt template) injection\b|\bReDoS\b|"
        r"\bdenial[- ]of[- ]service\b|\binsecure deseriali\w+|^\W*security\b|"
        r"\b(?:arbitrary|untrusted) (?:code|pickle|file (?:read|write|access))|安全漏洞",
    ),
    (
        Symptom.DATA_LOSS,
        r"\bdata loss\b|\blos(?:e|es|ing) (?:user )?data\b|\b(?:logs?|events?|metrics?|requests?|"
        r"spans|checkpoints?) (?:are|is|were|was|get|gets|got) (?:silently )?lost\b|数据丢失",
    ),
    (
        Symptom.BUILD_FAILS,
        r"\b(?:build|compil\w+|link(?:ing|er)|nvcc|cmake)(?: \w+){0,2} "
        r"(?:fail\w*|errors?|break\w*|broke|broken|issues?)\b|"
        r"\bfix\w* (?:the )?(?:[\w./-]+ ){0,4}?(?:build|compilation|compile)\b"
        r"(?!-| (?:id|keys?|script|cache|time|flags?|options?|warnings?))|"
        r"\b(?:fail(?:s|ed|ure|ing)? to|cannot|can't|can not|does(?:n't| not)|do(?:n't| not)) "
        r"(?:build|compile|link)\b|\bbroken (?:\w+ ){0,2}build\b|"
        r"\bbreak(?:s|ing)? (?:the )?(?:[\w-]+ ){0,4}(?:build|compilation)\b|"
        r"\bcompil\w+ (?:\w+ )?regression\b|"
        r"\bundefined reference\b|\(\d+\): error: |\btreated as errors\b|"
        r"(?<![\w/])[\w/]{1,120}\.h(?:pp)?\b[`'\"]? (?:is |was )?(?:not found|missing)\b|"
        r"编译(?:失败|错误|报错)",
    ),
    (
        Symptom.HANG,
        r"\bhangs?\b|\bhanging\b(?! indent)|\bhung\b|\b(?:dead|live)-?locks?\w*|\bspins? forever\b|"
        r"\b(?:gets?|got|getting|is|are|be|was|were|become|becomes) stuck\b|\bfix\w* stuck\b|"
        r"\bstuck (?:request|in|"
        r"on|at|forever|when|while|after)\b|\bfreez(?:e|es|ing)\b(?! (?:layers?|weights?|the|gc))|"
        r"\binfinite(?:ly)? (?:loop|wait|recurs\w+|block)\w*|"
        r"\b(?:blocks?|waits?|loops?) (?:forever|indefinitely)\b|\bnever (?:returns?|completes?|"
        r"finish(?:es)?|terminates?)\b|卡死|死锁|挂起|卡住",
    ),
    (
        Symptom.OUT_OF_MEMORY,
        r"\bOOMs?\b|\bOOM(?:-killed|ed|ing)\b|\bout[- ]of[- ](?!bounds?|range)(?:\w+ )?memory\b|"
        r"\bOutOfMemory(?:Error)?\b|显存不足|内存不足|爆显存",
    ),
    (
        Symptom.MEMORY_LEAK,
        r"\b(?:mem(?:ory)?|vram|ram|cpu|gpu|kv|cache|blocks?|pages?|slots?|locks?|fds?|handles?|"
        r"pool|resource|thread|process|reference|refs?|shm|shared memory|sockets?|tensors?|tasks?|"
        r"connections?|buffers?|host|device|lora|mamba|swa|token|session|object|state|request|req|"
        r"port|semaphores?|tokens|refcount|file descriptors?)s?[ -]leak\w*\b|"
        r"\bleak(?:s|ed|ing)?\b (?!(?:[\w-]+ ){0,5}?(?:into|through|out|onto|between|across) |to )|"
        r"\bleak(?:s|ed|age)?$|"
        r"\b(?:unbounded|unlimited) (?:\w+ ){0,2}(?:growth|memory)\b|"
        r"\bgrows? (?:without bound|unbounded\w*|indefinitely|forever)\b|"
        r"\bnever (?:freed|released)\b|内存泄[漏露]|显存泄[漏露]",
    ),
    (
        Symptom.CANNOT_START,
        r"\b(?:fail(?:s|ed|ure|ing)?|unable|cannot|can't|can not|could not|couldn't|refus\w+)"
        r" (?:to |in )?(?:be )?(?:correctly |properly )?"
        r"(?:load\w*|start\w*|launch\w* (?:the )?(?:server|service|engine|model)|"
        r"init\w*|boot\w*|import\w*|resolve the (?:model|config))\b"
        r"(?! (?:the )?(?:\w+ )?(?:descriptor|tensor ?map))|"
        r"\b(?:unable|could not|couldn't|cannot|can't) (?:to )?launch\b|"
        r"\bpreventing\b.{0,40}\bfrom (?:loading|starting|launching)\b|"
        r"\b(?:start-?up|boot|(?:server|service|engine|model) launch|server start|"
        r"engine init\w*|model init\w*|"
        r"initialization|init|import|(?:weight |model |checkpoint |config )load|loading)"
        r" (?:crash\w*|fail\w*|errors?|issues?|bugs?|breakage|regression)\b|"
        r"\bcrash\w* (?:at|on|during) (?:server |engine |model )?"
        r"(?:start-?up|init\w*|boot|launch|load(?:ing)?|import)\b|"
        r"\b(?:ImportError|ModuleNotFoundError|UnboundLocalError at import)\b"
        r"(?!.{0,60}\b(?:shutdown|destructor|exit)\b)|"
        r"\bmodule [`'\"]?[\w.]+[`'\"]? has no attribute\b|"
        r"\bimport[- ](?:time )?(?:crash|failures?)\b|"
        r"\b\w*(?:weights?|scales?|_proj)\b.{0,20}\bKeyError\b|"
        r"\b\w+(?:Error|Exception)\b.{0,60}\b(?:at|during|on|when|while) "
        r"(?:server |engine |model )?"
        r"(?:start-?up|init\w*|boot\w*|launch\w*|load\w*|import\w*)\b|"
        r"\berrors? (?:at|during|on|when|while) (?:the )?(?:server |engine |model )?"
        r"(?:start-?up|start\w*|boot\w*|launch\w*|load\w*|import\w*)\b|"
        r"\bimport [`\w.]+ fails\b|\bundefined symbol\b|"
        r"\b(?:server|ray|service|engine) start\w* (?:fail\w*|errors?)\b|"
        r"\bcircular imports?\b|"
        r"\b(?:broken|missing) imports?\b|\bimport [\w.]+ (?:errors?|fail\w*)\b|"
        r"\bfix\w* (?:the )?(?:[\w./-]+ ){0,4}?"
        r"(?:imports?|start-?up|(?:server|service|engine|model) launch)"
        r"(?: (?:for|of|when|in|on|with)\b|$)|"
        r"\b(?:does|did|do|would|will)(?:n't| not) (?:load|start|launch|boot)\b|"
        r"无法启动|启动失败|加载失败|无法加载",
    ),
    (
        Symptom.SLOW,
        r"\b(?:decode|prefill|serving) regression (?:caused|of)\b|"
        r"\b(?:perf(?:ormance)?|throughput|latency|speed|TTFT|TPOT|ITL)(?: \w+)? "
        r"(?:regress\w*|drops?|degradation|issues?|bugs?|loss)\b|"
        r"\b(?:regress\w*|drop|degradation) (?:in|of) (?:\w+ )?(?:perf\w*|throughput|latency)\b|"
        r"\bdegrad(?:es|ed|ing) (?:[\w-]+ ){0,3}(?:perf\w*|throughput|latency)\b|"
        r"\brecover\w* (?:\w+ )?perf\w*|\bslow(?:s|er|ed)?[- ]?downs?\b|"
        r"\b(?:very|too|extremely|much|unexpectedly) slow\w*\b|"
        r"\b(?:unintended|unnecessary|unneeded|redundant|accidental|implicit|blocking|spurious|"
        r"hidden|extra|avoid\w*|prevent\w*|remov\w+|eliminat\w+) (?:an? |the )?"
        r"(?:[\w-]+ ){0,2}?(?:(?:CPU|GPU|D2H|H2D|device|host|stream|cuda)"
        r"[-/ <>]{0,3}){1,3}sync\w*|\bcompile storms?\b|"
        r"\brecompil\w+ (?:on|at|for) (?:each|every)\b|\bcache miss(?:es)?\b|"
        r"性能(?:下降|退化|回退)",
    ),
    (
        Symptom.CRASH,
        r"\bcrash(?:es|ed|ing)?\b|\bseg(?:mentation)?[ -]?faults?\b|\bSIG(?:SEGV|ABRT|BUS)\b|"
        r"\bcore dump\w*|\billegal (?:memory|instruction|address|access)\w*|"
        r"\b(?:IMAs?|ima (?:issue|error|bug))\b|"
        r"\bindex\b.{0,12}\bout of range\b|"
        r"(?i:\b(?:shape|dims?|dimension|dtype|device|type) mismatch\w*\b)|"
        r"\blaunch (?:failures?|errors?)\b|\bfail(?:s|ed|ing)? to launch\b|\bmisaligned address\b|"
        r"\bdevice-side assert\w*|\bassert(?:ion)?(?:s)? "
        r"(?:error|fail\w*|trigger\w*|crash\w*|fir(?:es|ing))\b|"
        r"(?i:\b(?:runtime|assert\w*|inference|shape|out[- ]of[- ]range) errors?\b)|"
        r"(?i:\bfix\w* (?:an? |the )?(?:[\w.-]+ )?(?:OOB|out[- ]of[- ]bounds?)\b)|"
        r"\bno attribute\b|\breferenced before assignment\b|"
        r"\btakes \d+ positional arguments?\b|\b(?:CUBLAS_STATUS|CUDA_ERROR)_(?!SUCCESS)\w+|"
        r"\bis not (?:callable|iterable|subscriptable|defined)\b|"
        r"\b(?:Key|Index|Attribute|Type|Value|Runtime|Name|ZeroDivision|UnboundLocal|Unicode\w*|"
        r"Recursion|NotImplemented|Assert(?:ion)?|Validation|OS|Permission|FileNotFound|"
        r"StopIteration|Import)"
        r"(?:Error|Exception)\b(?! (?:message|instead|when the|with a clear))|"
        # Any other name may as well be of a class that is spoken of.
        r"\b(?:[Ff]ix(?:e[sd])?|[Rr]aises?|raised|throws?|threw|hits?|got) (?:an? |the |`)*"
        r"[A-Z]\w*(?:Error|Exception)\b(?! \w+ (?:to|into|for)\b| (?:sub)?class|-)|"
        r"\b[A-Z]\w*(?:Error|Exception): |"
        r"\bCUDA(?:_| )errors?\b|\bnull(?: |-)?(?:ptr|pointer) deref\w*|"
        r"\b(?:division|divide|modulo) by zero\b|\bunhandled exceptions?\b|\bpanics?\b|"
        r"\b(?:throws?|raises?|raised|raising|threw) (?:an? )?(?:[\w`]+ )?"
        r"(?:exceptions?|errors?)\b(?= (?:when|if|on|for|because|during|at|with))|"
        r"\b(?:out[- ]of[- ]bounds?|OOB) (?:[\w-]+ )?(?:write|access|memory|index|store)\w*|"
        r"\b[Ii]nvalid (?:[\w-]+ ){0,2}_*(?:global|shared|local)_* (?:read|write)\w*|"
        r"\b(?:kills?|killed|brings? down|takes? down) (?:the )?(?:whole )?"
        r"(?:engine|server|scheduler|worker|process)\b|\b(?:unexpected|missing) (?:keyword|"
        r"positional) arguments?\b|\bNoneType\b|崩溃|段错误|非法(?:内存|访问)",
    ),
    (
        Symptom.WRONG_OUTPUT,
        rf"\b{_BAD}{_OF}{_OUTPUT}\b(?! types?\b)|"
        r"\b(?:wrong|incorrect)ly (?:comput\w+|calculat\w+)\b|\bmis-?(?:comput|compil)\w+|"
        r"\b(?:zero|0) (?:accuracy|acceptance|accept)\b|"
        r"\bshould (?:return|equal|give|produce)\b.{1,80}"
        r"\bbut (?:\w+ )?(?:it )?(?:returns?|gives?|produces?)\b|"
        r"\b(?:outputs?|results?|answers?|weights?|KV(?: cache)?|cache|memory|data|state|token|"
        r"logits?) (?:is |are |was |were |gets? |being )?(?:silently )?(?:corrupt\w*|wrong|garbled|"
        r"incorrect)\b|"
        r"\bacc(?:uracy)? (?:bugs?|issues?|drops?|regressions?|problems?|loss|degradation|"
        r"collapse\w*|"
        r"errors?|fix\w*|gap)\b|"
        r"\b(?:fix|repair)\w* (?!are|is)(?:the )?(?:[\w./()<>=-]+ ){0,4}?(?:accuracy|correctness|"
        r"numerics|precision)\b|\b(?:numeric(?:al|s)?|correctness|precision) "
        r"(?:issues?|errors?|bugs?|problems?|loss|mismatch\w*|instability)\b|"
        r"\bnans?\b(?! ?(?:check|detect|guard|count|handling|value check|-safe|safe|test))|"
        r"\bdouble[- ](?:bos|reduc\w+|count\w*|scal\w+|appl\w+)\b|"
        r"\bgibberish\b|\bgarbage\b(?! ?-?(?:collect\w*|gc))|\bnonsense\b|\bgarbled\b|"
        r"\bsilent(?:ly)? (?:wrong|corrupt\w*|incorrect|produc\w+|miscomput\w+|data corruption|"
        r"mis\w+|re-?interpret\w*|truncat\w+|overwr\w+|alias\w*)\b|"
        r"\boutput (?:corruption|mismatch\w*|"
        r"divergence|quality)\b|\bdegraded? (?:output|accuracy|quality)\b|"
        r"\bloss of (?:accuracy|precision)\b|\bbreaking\b.{0,30}\baccuracy\b|"
        r"\b(?:from|to|at|into) (?:the )?wrong "
        r"(?:page|slot|block|row|buffer|token|position|expert)\b|"
        r"\bfix\w* (?:[\w-]+ ){0,3}?(?:determinism|batch[- ]invarian\w+)\b|\bmissing tokens\b|"
        r"\bdata corruption\b|"
        r"结果错误|精度(?:问题|下降|异常)|乱码|输出错误",
    ),
    (
        Symptom.BAD_ANSWER,
        r"\b(?:HTTP )?(?:status )?(?:code )?(?:400|404|422|500|503)(?:s)?\b "
        r"?(?:errors?|responses?|status|internal|on|when|for|instead|bad|Unprocessable)|"
        r"\b(?:HTTP|returns?|returned|status) (?:a |an |code )?(?:400|404|422|500|503)\b|"
        r"\binternal server error\b|\b(?:invalid|malformed|broken|truncated) (?:JSON|SSE|chunks?|"
        r"responses?|tool[- ]calls?|arguments)\b|"
        r"\b(?:missing|wrong|incorrect|empty|null|duplicate\w*|lost|dropped|drop\w*|inconsistent|"
        r"los(?:e|es|ing)) "
        + _OF
        + r"(?:finish_reason|finish reason|usage|tool[- ]calls?|tool_calls?|response|"
        r"content|logprobs?|delta|deltas|chunks?|arguments|fields?|ids?|names?|reasoning\w*|"
        r"status codes?)\b|"
        r"\bfix\w* (?:[\w./()`-]+ ){0,5}?(?:tool[- _]?(?:call|pars)\w*|finish_reason|"
        r"stream(?:ing)? (?:response|output|usage|delta)\w*|"
        r"response(?:s)?(?: format| id| schema)?|chat templates?|reasoning pars\w*|"
        r"json[_ ]schema|structured output\w*|health check\w*|stop (?:string|sequence|token)s?)\b|"
        r"\bleak(?:s|ed|ing|age)? (?:in)?to (?:the )?(?:content|output|response|reasoning|text)\b",
    ),
)
_READ = tuple(
    (symptom, re.compile(pattern, re.IGNORECASE if symptom is not Symptom.CRASH else 0))
    for symptom, pattern in _PATTERNS
)
_CAUSE_OF_WRONG = re.compile(
    # As compute-sanitizer says it, of an address, not of what was read.
    r"\b(?!invalid (?:[\w-]+ ){0,2}_*(?:global|shared|local)_* (?:read|write))"
    rf"{_BAD}{_OF_VALUE}{_INNER}\b(?! (?:types?|errors?|exceptions?|warnings?)\b)|"
    r"\b(?:wrong|incorrect)ly (?:scal\w+|appl\w+|mask\w+|read\w*|shard\w*|load\w*|rout\w+|"
    r"quantiz\w+|us(?:es|ed|ing))\b",
    re.IGNORECASE,
)
"""What goes wrong inside, and is mostly seen as a wrong output."""
_WITH_CAUSES = (*_READ, (Symptom.WRONG_OUTPUT, _CAUSE_OF_WRONG))
_CRASH_LOWER = re.compile(
    r"^\W{0,3}(?:crash|segfault|panic)|\bCrash(?:es|ed|ing)?\b|\bIllegal memory access|\bSegfault",
)

_DENIED = re.compile(
    r"(?:\b(?:no|not|never|without|zero|n't|nor|neither|free of|rather than|safe from|"
    r"neither|unlikely to|(?<![\w./])0)|\bdoes not|\bdid not)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
"""Words before a symptom that deny it; `no longer` tells that it was there."""
_STILL = re.compile(
    r"\bno longer\s+(?:\w+\s+)?$|\bnot only\b.{0,40}$|\bno matter\b.{0,40}$|"
    r"\b(?:does|do|did|could|can|would|was|is|are)(?: not|n't) (?:properly |correctly )?"
    r"(?:handle|catch|check|free|release|match|support)\s.{0,60}$",
    re.IGNORECASE,
)
_REWORDED = re.compile(
    r"(?:^|[\]:]\s*)(?:join|reword|rephrase|concatenate|propagate|check|report|surface|log|print|"
    r"expose|make|rename|remove|support|add)\s+(?:for\s+)?(?:[\w-]+\s+){0,4}$",
    re.IGNORECASE,
)
"""Words that begin a title of an error that stays, and is told otherwise or somewhere else."""
_AN_ERROR = re.compile(r"(?:errors?|exceptions?|failures?):? ?$", re.IGNORECASE)
_TOOL = re.compile(
    r"^[- ]free\b|"
    r"^\W{0,3}(?:-| )?(?:detect\w*|check(?:s|er|ers|ing)?\b|dumps?\b|reports?\b|reporter|handl\w+|"
    r"recover\w*|toleran\w*|monitor\w*|watchdog|tests?\b|sanitizer|proof|safe\b|resilien\w*|guards?\b"
    r"|protection|injection tests?|log(?:s|ging)?\b|diagnos\w*|debug\w*|simulat\w*|hook)",
    re.IGNORECASE,
)
"""Words after a symptom that make it the name of a tool or feature."""
_OF_TESTS = re.compile(
    r"\b(?:unit |e2e |integration |flaky |failing |nightly )*(?:tests?|test_\w+|CI|testing|pytest|"
    r"pre-?commit|workflow|mypy|lint\w*|test case|docs?|doc build|readthedocs|benchmark script|"
    r"bench script|(?<!model )(?<!`)runners?|pipeline job)\b",
    re.IGNORECASE,
)
_TEST_WORDS_NEAR = 28
"""Characters between a symptom and a word for tests that still belong together."""
_ENDS = re.compile(
    r"(?<=[.!?;。！？])\s+|(?<=[。！？])|\n{2,}|\n(?=\s*(?:[-*+#>|]|\d{1,2}[.)]) )|"
    r"(?<![^\n]{55})\n(?![a-z(`])"
)
"""A line that goes on in lower case, or is as long as wrapped ones are, goes on in the next one."""


def sentences(text: str) -> list[str]:
    """Return the sentences of a text as they stand in it, stripped, as far as they are read."""
    parts = _ENDS.split(text[:BODY_READ], maxsplit=MOST_SENTENCES)[:MOST_SENTENCES]
    return [part.strip() for part in parts if part.strip()]


def symptoms(text: str, *, causes: bool = True) -> Iterator[tuple[Symptom, str]]:
    """Yield each symptom that a text states, once, with the sentence that states it.

    In: a title, or a text without code and templates (`description.written`). Out: the symptom
    and the sentence (or line) that states it, copied exactly from the text and stripped, in the
    order of the text; two of one sentence in the order of the lexicon (`cannot start` before
    `crash`, both before `wrong output`). `BROKEN` is never among them: no text states it. With
    `causes`, what goes wrong inside (a stale scale) is stated as a wrong output, too.
    """
    found: set[Symptom] = set()
    for sentence in sentences(text):
        for symptom, pattern in _WITH_CAUSES if causes else _READ:
            if symptom not in found and _states(sentence, symptom, pattern):
                found.add(symptom)
                yield symptom, sentence


def issue_symptom(issue: Item) -> tuple[Symptom, Evidence] | None:
    """Return what an issue says that somebody has seen, with the words that say so.

    In: an issue; its title is read first, then the beginning of its description. Out: the first
    symptom that is stated, None where none is or the issue is about tests.
    """
    if is_of_tests(issue.title):
        return None
    for symptom, quote in symptoms(issue.title):
        return symptom, Evidence("title", quote, item=issue.key)
    for symptom, quote in symptoms(written(issue.body)[:ISSUE_READ]):
        return symptom, Evidence("issue", quote, item=issue.key)
    return None


def is_of_tests(title: str) -> bool:
    """Return whether a title says of itself that it is about tests, CI or documentation."""
    opening = re.match(r"^\s*(?:\[[^\]]{1,40}\]\s*){0,4}", title)
    tags = opening.group() if opening else ""
    return bool(
        re.search(r"\[(?:ci|tests?|docs?|misc/ci|ci/build|ci-fix|infra|bench\w*)\b", tags, re.I)
        or re.match(r"^\s*(?:ci|tests?|docs?)(?:\([^)]*\))?!?:", title, re.I)
        or re.search(
            r"\bfix(?:es|ed)? (?:[\w-]+ ){0,4}tests?(?= for\b| with\b| in\b| on\b|[;,]| *$)",
            title,
            re.I,
        )
    )


def _states(sentence: str, symptom: Symptom, pattern: re.Pattern[str]) -> bool:
    sentence = sentence.replace("\n", " ")
    matches = [*pattern.finditer(sentence)]
    if symptom is Symptom.CRASH:
        matches += _CRASH_LOWER.finditer(sentence)
    return any(_is_meant(sentence, match) for match in matches)


def _is_meant(sentence: str, match: re.Match[str]) -> bool:
    before, after = sentence[: match.start()], sentence[match.end() :]
    if _DENIED.search(before[-60:]) and not _STILL.search(before[-90:]):
        return False
    if _TOOL.match(after[:24]):
        return False
    if _AN_ERROR.search(match.group()) and _REWORDED.search(before):
        return False
    near = before[-_TEST_WORDS_NEAR:] + match.group() + after[:_TEST_WORDS_NEAR]
    return _OF_TESTS.search(near) is None
