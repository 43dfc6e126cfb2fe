"""What somebody who was hit has seen, as a text says it: the one lexicon of symptoms.

A symptom is a claim: it is read only where a text states it, never from what a fix looks like.
`symptoms` reads any text (a title, a description, an issue); who calls it decides whether the
change is one that runs for users at all. A sentence that denies the symptom, names a tool against
it (`leak checker`), or tells of a test gives none.
"""

import re
from collections.abc import Collection, Iterator

from digest.facts import Evidence, Symptom
from digest.models import Item
from digest.reading.description import BODY_READ, TITLE_READ, written

ISSUE_READ = 1_500
"""Characters of an issue that say what was seen; further down stand versions and logs."""
MOST_SENTENCES = 200
"""Sentences of a text that are read."""

_FEW = r"(?:(?!but|and|so|which|that|when|of\b)[\w/-]+ ){0,3}?"
"""What may stand between a bad value and its name."""
_START = r"(?:server |engine |model )?(?:start-?up|init\w*|boot\w*|launch\w*|load\w*|import\w*)"
_BUILD = (
    r"(?:(?<!metadata )(?<!graph )(?<!index )(?<!table )build\b"
    r"(?!-| (?:id|keys?|script|cache|time|flags?|options?|warnings?))|"
    r"(?<!torch )(?:compilation|compile)\b"
    r"(?= *$|[.,;:!?()/]| (?:fail|err|bug|break|broke|issue|for|on|with|in|when|under|of|by|due)))"
)
"""What is built: nothing of the program's own, and no word for a part, as in `compile counter`."""
_PATTERNS: tuple[tuple[Symptom, str], ...] = (
    (
        Symptom.SECURITY,
        r"\bCVEs?\b|\bGHSA-|\bvulnerab\w+|\bremote code execution\b|\bRCE\b|\bpath traversal\b|"
        r"\bSSRF\b|\b(?:command|code|shell|prompt template) injection\b|\bReDoS\b|"
        r"\bdenial[- ]of[- ]service\b|\binsecure deseriali\w+|^\W*security\b(?!\.\w)|"
        r"\b(?:arbitrary|untrusted) (?:code|pickle|file (?:read|write|access))|安全漏洞",
    ),
    (
        Symptom.DATA_LOSS,
        r"\bdata loss\b|\blos(?:e|es|ing) (?:user )?data\b|\b(?:logs?|events?|metrics?|requests?|"
        r"spans|checkpoints?) (?:are|is|were|was|get|gets|got) (?:silently )?lost\b|数据丢失",
    ),
    (
        Symptom.BUILD_FAILS,
        r"(?<!torch )(?<!torch\.)\b(?:build|compil\w+|link(?:ing|er)|nvcc|cmake)(?: \w+){0,2} "
        r"(?:fail\w*|errors?|break\w*|broken?|issues?|regression)\b|"
        rf"\b(?:fix\w*|break(?:s|ing)?) (?:the )?(?:[\w./-]+ ){{0,4}}?{_BUILD}|"
        r"\b(?:fail(?:s|ed|ure|ing)? to|cannot|can't|does(?:n't| not)) (?:build|compile|link)\b|"
        r"\(\d+\): error: |(?<![\w/])[\w/]{1,120}\.h(?:pp)?\b[`'\"]? (?:is |was )?"
        r"(?:not found|missing)\b|编译(?:失败|错误|报错)",
    ),
    (
        Symptom.HANG,
        r"\bhangs?\b|\bhanging\b(?! indent)|\bhung\b|\b(?:dead|live)-?locks?\w*|"
        r"\b(?:gets?|got|getting|is|are|be|was|were|becomes?|fix\w*) stuck\b|"
        r"\bstuck (?:request|in|on|at|forever|when|while|after)\b|"
        r"\bfreez(?:e|es|ing)\b(?! (?:layers?|weights?|the|gc))|"
        r"\binfinite(?:ly)? (?:loop|wait|recurs\w+|block)\w*|"
        r"\b(?:blocks?|waits?|loops?|spins?) (?:forever|indefinitely)\b|卡死|死锁|挂起|卡住",
    ),
    (
        Symptom.OUT_OF_MEMORY,
        r"\bOOM(?:s|-killed|ed|ing)?\b|\bout[- ]of[- ](?!bounds?|range)(?:\w+ )?memory\b|"
        r"\bOutOfMemory(?:Error)?\b|"
        r"显存不足|内存不足|爆显存",
    ),
    (
        Symptom.MEMORY_LEAK,
        r"\b(?:memory|mem|vram|resource|handle|block|kv cache)[ -]leakage\b|"
        r"\b(?!(?:this|that|it|which|not|never|no|without|to|may|can|could|would|will|and|or)\b)"
        r"\w+[ -]leak(?:s|ed|ing)?\b(?! tokens?\b)"
        r"(?! (?:(?:into|through|out|onto|between|across|to)|(?:of )?stale)\b)|"
        r"\bleak(?:s|ed|ing)?\b (?!(?:[\w-]+ ){0,5}?(?:into|through|out|onto|between|across) |to |"
        r"tokens? |(?:of )?stale )|"
        r"\b(?:unbounded|unlimited) (?:\w+ ){0,2}(?:growth|memory)\b|"
        r"\bgrows? (?:without bound|unbounded\w*|indefinitely|forever)\b|内存泄[漏露]|显存泄[漏露]",
    ),
    (
        Symptom.CANNOT_START,
        r"\b(?:fail(?:s|ed|ure|ing)?|unable|cannot|can't|could not|couldn't|refus\w+|"
        r"(?:does|did|would|will)(?:n't| not)) (?:to |in )?(?:be )?(?:correctly |properly )?"
        r"(?:load\w*|start\w*|launch\w* (?:the )?(?:server|service|engine|model)|"
        r"init\w*|boot\w*|import\w*|resolve the (?:model|config))\b"
        r"(?! (?:the )?(?:\w+ )?(?:descriptor|tensor ?map)| from an? )|"
        r"\b(?:start-?up|boot|(?:server|service|engine|model) (?:launch|start\w*|init\w*)|"
        r"init(?:ialization)?|import(?: [\w.]+|-time)?|loading|"
        r"(?:weight |model |checkpoint |config )load)"
        r"[ -](?:crash\w*|fail\w*|errors?|breakage|"
        r"(?<!init )(?:issues?|bugs?)|(?<!init )(?<!loading )regression)\b|"
        r"\b(?:ImportError|ModuleNotFoundError|UnboundLocalError at import)\b"
        r"(?!.{0,60}\b(?:shutdown|destructor|exit)\b)|"
        r"\bmodule [`'\"]?[\w.]+[`'\"]? has no attribute\b|"
        r"\b\w*(?:weights?|scales?|_proj)\b.{0,20}\bKeyError\b|"
        rf"\b(?:\w+(?:Error|Exception)\b.{{0,60}}|errors?|crash\w*) "
        rf"(?:at|during|on|when|while) {_START}\b|"
        r"\b(?:circular import|(?:broken|missing) imports?)\b|\bundefined symbol\b|"
        r"(?:^|[\]:] )(?:do not|don't) fail (?:the )?(?:server |engine |model )?"
        r"(?:start-?up|launch|boot)\b|"
        r"\bfix\w* (?:the )?(?:[\w./-]+ ){0,4}?"
        r"(?:start-?up|(?:server|service|engine|model) launch)"
        r"(?: (?:for|of|when|in|on|with)\b|[;,]|$)|无法启动|启动失败|加载失败|无法加载",
    ),
    (
        Symptom.SLOW,
        r"\b(?:perf(?:ormance)?|throughput|latency|speed|TTFT|TPOT|ITL)(?: \w+)? "
        r"(?:regress\w*|drops?|degradation|issues?|bugs?|loss)\b|"
        r"\b(?:decode|prefill|serving) regression (?:caused|of)\b|"
        r"\b(?:regress\w*|drop|degradation) (?:in|of) (?:\w+ )?(?:perf\w*|throughput|latency)\b|"
        r"\b(?:degrad(?:es|ed|ing)|recover\w*) (?:[\w-]+ ){0,3}(?:perf\w*|throughput|latency)\b|"
        r"\bvisible in (?:[\w-]+ ){0,2}(?:latency|throughput)\b|"
        r"\bslow(?:s|er|ed)?[- ]?downs?\b|\b(?:very|too|extremely|much) slow\w*\b|"
        r"\b(?:unintended|unnecessary|unneeded|redundant|accidental|implicit|blocking|spurious|"
        r"hidden|extra|avoid\w*|prevent\w*|remov\w+|eliminat\w+) (?:an? |the )?"
        r"(?:[\w-]+ ){0,2}?(?:(?:CPU|GPU|D2H|H2D|device|host|stream|cuda)"
        r"[-/ <>]{0,3}){1,3}sync\w*|"
        r"\b(?:fix\w*|avoid\w*|prevent\w*|caus\w+|spurious|unexpected|unnecessary|frequent) "
        r"(?:[\w/-]+ ){0,4}(?<!encoder )cache miss(?:es)?\b|性能(?:下降|退化|回退)",
    ),
    (
        Symptom.CRASH,
        r"(?i:\bcrash(?:es|ed|ing)?\b|\bseg(?:mentation)?[ -]?faults?\b|\bcore dump\w*|"
        r"\btorch[. ]compiles? (?:fail\w*|errors?)\b|"
        r"\billegal (?:memory|instruction|address|access)\w*|\bindex\b.{0,12}\bout of range\b|"
        r"\b(?:shape|dims?|dimension|dtype|device|type) mismatch\w*\b|"
        r"\b(?:GPU(?: (?:page|memory))?|memory(?: access)?)[- ]faults?\b|"
        r"\b(?:fail(?:s|ed|ing)? to launch|(?:kernel)?launch (?:failures?|errors?))\b|"
        r"\bmisaligned address\b|\b(?:device-side )?assert(?:ion)?s? "
        r"(?:error|fail\w*|trigger\w*|crash\w*|fir(?:es|ing))\b|"
        r"\b(?:runtime|assert\w*|inference|shape|out[- ]of[- ]range|CUDA)[ _]errors?\b"
        r"(?! codes?\b(?! ?\d))|"
        r"\b(?:fix\w* (?:an? |the )?(?:[\w.-]+ )?(?:OOB|out[- ]of[- ]bounds?)\b|"
        r"(?:out[- ]of[- ]bounds?|OOB) (?:[\w-]+ )?(?:write|read|access|memory|index|store)\w*)|"
        r"\b[Ff]ix(?:e[sd])? (?:an? |the )?`assert\b|"
        r"\bno attribute\b|\breferenced before assignment\b|"
        r"\bis not (?:callable|iterable|subscriptable|defined)\b|"
        r"\b(?:division|divide|modulo) by zero\b|\bnull[ -]?(?:ptr|pointer) deref\w*|"
        r"\binvalid (?:[\w-]+ ){0,2}_*(?:global|shared|local)_* (?:read|write)\w*|"
        r"\b(?:kills?|killed|brings? down|takes? down) (?:the )?(?:whole )?"
        r"(?:engine|server|scheduler|worker|process)\b|"
        r"\b(?:unexpected|missing|\d+) (?:keyword|positional) arguments?\b)|"
        r"\b(?:IMAs?|ima (?:issue|error|bug))\b|\bSIG(?:SEGV|ABRT|BUS)\b|"
        r"\b(?:CUBLAS_STATUS|CUDA_ERROR)_(?!SUCCESS)\w+|\b(?:cuda|hip)Error(?!Check)[A-Z]\w+|"
        r"\b(?:Key|Index|Attribute|Type|Value|Runtime|Name|ZeroDivision|UnboundLocal|Unicode\w*|"
        r"Recursion|NotImplemented|Assert(?:ion)?|Validation|OS|Permission|FileNotFound|"
        r"StopIteration|Import)(?:Error|Exception)\b(?! (?:message|instead|when the|with a clear))|"
        # Any other name may as well be of a class that is spoken of.
        r"\b(?:[Ff]ix(?:e[sd])?|[Rr]aises?|raised|throws?|threw|hits?|got) (?:an? |the |`)*"
        r"[A-Z]\w*(?:Error|Exception)\b(?! \w+ (?:to|into|for)\b| (?:sub)?class|-)|"
        r"\b[A-Z]\w*(?:Error|Exception): |"
        r"\b(?:throws?|raises?|raised|raising|threw) (?:an? )?(?:[\w`]+ )?"
        r"(?:exceptions?|errors?)\b(?= (?:when|if|on|for|because|during|at|with))|"
        r"崩溃|段错误|非法(?:内存|访问)",
    ),
    (
        Symptom.WRONG_OUTPUT,
        r"\b(?:wrong|incorrect|bad|garbage|corrupt\w*|garbled|inaccurate|invalid|inconsistent|"
        rf"mismatched|broken|(?<!non-)degenerate|non-?deterministic|stale) {_FEW}"
        r"(?:outputs?|results?|answers?|logits?|logprobs?|tokens?|text|accuracy|generation|"
        r"numerics?|predictions?|embeddings?|attention|gradients?|scores?|images?|audio|"
        r"hidden states?|sampling|computation|softmax|data|lse|scal(?:es?|ing)|positions?|"
        r"mask(?:s|ing)?|routing|weights?|cache|kv|page table|states?|shards?|layout)\b"
        r"(?! (?:types?|errors?|exceptions?|warnings?|sizes?|shapes?|lengths?|"
        r"files?|inputs?|uploads?|URLs?|payloads?)\b)|"
        r"\b(?:outputs?|results?|answers?|weights?|KV(?: cache)?|cache|memory|data|state|token|"
        r"logits?) (?:is |are |was |were |gets? |being )?(?:silently )?"
        r"(?:corrupt\w*|wrong|garbled|incorrect)\b|"
        r"\b(?:acc(?:uracy)?|numeric(?:al|s)?|correctness|precision) (?:bugs?|issues?|drops?|"
        r"regressions?|problems?|loss|degradation|collapse\w*|errors?|fix\w*|gap|mismatch\w*|"
        r"instability)\b|"
        r"\b(?:fix\w*|repair\w*|restor(?:e[sd]?|ing)|correct(?:s|ed|ing)?) (?!are|is)"
        r"(?:the )?(?:[\w./()<>=-]+ ){0,4}?"
        r"(?:accuracy|correctness|numerics|precision|determinism|batch[- ]invarian\w+)\b"
        r"(?! warnings?)|"
        r"(?<!signed )\bnans?\b(?![ -]?(?:check|detect|guard|count|handling|value check|"
        r"safe|test|propagat\w* (?:mode|option)|option|semantic|input))|"
        r"\b(?:scalars|tensor-likes) are not (?:close|equal)\b|"
        r"\b(?:all|each|every) (?:[\w-]+ ){1,3}?"
        r"(?:decod|encod|get|index|load|read|receiv|reus|scal|us)\w* "
        r"(?:[\w-]+ ){0,4}?(?:\w+ 0|the first \w+|one \w+)'s\b|"
        r"\bdouble[- ](?:bos|reduc\w+|count\w*|scal\w+|appl\w+)\b|"
        r"\bover-?count(?:s|ed|ing)?\b|"
        r"(?<!file )(?<!heap )(?<!memory )(?<!stack )\bcorruption\b"
        r"(?![ -]?(?:check|detect|guard|test))|"
        r"\bgibberish\b|\bhallucinat(?:e[sd]?|ions?|ing)\b(?![- ](?:bench|detect|eval))|"
        r"\bgarbage\b(?! ?-?(?:collect\w*|gc))|\bnonsense\b|"
        r"\bgarbled\b(?! (?:error )?messages?)|"
        r"\bsilent(?:ly)? (?:wrong|"
        r"corrupt\w*(?! (?:[\w-]+ )?(?:detection|dispatch)\b)|incorrect|produc\w+|"
        r"miscomput\w+|data corruption|"
        r"mis(?!conf)\w+|re-?interpret\w*|truncat\w+|overwr\w+|alias\w*|"
        r"un(?:masked|normali[sz]ed|scaled))\b|"
        r"\b(?:breaking|degrad\w+|loss of)\b.{0,30}\b(?:accuracy|precision)\b|"
        r"\b(?:from|to|at|into) (?:the )?wrong "
        r"(?:page|slot|block|row|buffer|token|position|expert)\b|\bmissing tokens\b|"
        r"\b(?:drop(?:s|ped|ping)?|skip(?:s|ped|ping)?|los(?:es?|t|ing)) (?:the )?"
        r"(?:first|last|final|one)(?: [\w-]+){0,2} tokens?\b|"
        r"结果错误|精度(?:问题|下降|异常)|乱码|输出错误",
    ),
    (
        Symptom.BAD_ANSWER,
        r"\b(?:HTTP |status |code |returns? |returned )*(?:400|404|422|500|503)s? "
        r"(?:errors?|responses?|status|internal|on|when|for|instead|bad|Unprocessable)|"
        r"\binternal server error\b|\b(?:invalid|malformed|broken|truncated) (?:JSON|SSE|chunks?|"
        r"responses?|tool[- ]calls?|arguments)\b|"
        r"\b(?:missing|wrong|incorrect|empty|null|duplicate\w*|lost|drop\w*|inconsistent|"
        rf"los(?:e|es|ing)) {_FEW}(?:finish[_ ]reason|usage|tool[-_ ]calls?|response|"
        r"content|logprobs?|deltas?|chunks?|arguments|fields?|ids?|names?|reasoning\w*|"
        r"status codes?)\b|"
        r"\bfix\w*(?:\([\w/-]{1,20}\))?:? (?:[\w./()`-]+ ){0,5}?"
        r"stop[- ](?:string|sequence|token)s?(?: check)?\b|"
        r"\bfix\w* (?:[\w./()`-]+ ){0,5}?(?:tool[- _]?(?:call|pars)\w*|finish_reason|"
        r"stream(?:ing)? (?:response|output|usage|delta)\w*|"
        r"response(?:s)?(?: format| id| schema)?|chat templates?|reasoning pars\w*|"
        r"json[_ ]schema|structured output\w*|health check\w*)\b|"
        r"\btokens? leakage\b|"
        r"\bleak(?:s|ed|ing|age)? (?:in)?to (?:the )?(?:content|output|response|reasoning|text)\b",
    ),
)
_READ = tuple(
    (symptom, re.compile(pattern, re.IGNORECASE if symptom is not Symptom.CRASH else 0))
    for symptom, pattern in _PATTERNS
)
_GRAVITY = (
    Symptom.SECURITY,
    Symptom.DATA_LOSS,
    Symptom.WRONG_OUTPUT,
    Symptom.HANG,
    Symptom.OUT_OF_MEMORY,
    Symptom.MEMORY_LEAK,
    Symptom.BUILD_FAILS,
    Symptom.CANNOT_START,
    Symptom.CRASH,
    Symptom.BAD_ANSWER,
    Symptom.SLOW,
)
"""Which one is told where a title states several: the gravest."""
_DENIED = re.compile(
    r"(?:\b(?:not?|never|without|zero|n't|nor|neither|free of|rather than|safe from|unlikely to|"
    r"(?<![\w./])0)|\bd(?:oes|id) not)\s+(?:(?!longer\b|only\b|matter\b)\w+\s+){0,2}$",
    re.IGNORECASE,
)
"""Words before a symptom that deny it; `no longer` tells that it was there."""
_NOT_SEEN = re.compile(
    r"^no(?:ne|body)?\b(?! longer)[^,;:.]{0,80}"
    r"\b(?:show|ha|s[ae]|caus|exhibit|observ)\w*\b[^,;:.]*$",
    re.IGNORECASE,
)
"""What a sentence begins with that says of something that nothing had it: *No run showed a …*."""
_UNDONE = re.compile(r"^(?:\[[^\]]*\]\s*)*(?:\w+(?:\([^)]*\))?: *)?do(?: not|n't) $", re.IGNORECASE)
"""What a title that forbids a symptom begins with: it was there."""
_ALLOWED = re.compile(r"\b(?:avoid|don't|do not|no longer|not|stop|without) $", re.IGNORECASE)
"""Words before an error that is raised no more: what was refused is let through."""
_GIVEN = re.compile(
    r"\b(?:if|when)\b[^,;]{0,80}\b(?:are|is|were) (?:all )?`?$",
    re.IGNORECASE,
)
"""Words before a NaN that was given, not made."""
_TOOL = re.compile(
    r"^[- ]free\b|^[^\w(]{0,3}(?:detect\w*|check(?:s|er|ers|ing)?\b|dumps?\b|report\w*|handl\w+|"
    r"recover\w*|toleran\w*|monitor\w*|watchdog|tests?\b|sanitizer|proof|safe\b|guards?\b|"
    r"protection|log(?:s|ging)?\b|diagnos\w*|debug\w*|simulat\w*|hook|"
    r"(?:[\w-]+ )?saniti[sz]\w*)",
    re.IGNORECASE,
)
"""Words after a symptom that make it the name of a tool or feature."""
_INTENDED = re.compile(r"\b(?:as intended|by design)\b", re.IGNORECASE)
"""Words that make no fault of one that is used for all: *all read row 0's scale as intended*."""
_STALE = re.compile(r"\bstale (?:[\w-]+ ){0,2}$", re.IGNORECASE)
"""Words before a leak of what is out of date, from one request into another: of no memory."""
_AT_EXIT = re.compile(
    r"\b(?:destructors?|__del__)\b|"
    r"\b(?:at|during|on) (?:the )?(?:python |interpreter |process )*(?:shut-?down|exit|teardown)\b",
    re.IGNORECASE,
)
"""Where an error is printed and nothing else comes of it."""
_IN_EFFECT = re.compile(
    r"[^.;]{0,40}\b(?:that|which) degrades? (?:\w+ ){0,3}(?:throughput|performance|latency)\b",
    re.IGNORECASE,
)
"""Words after an error that say what it does: it is caught, and costs time."""
_SPEAKS_OF = re.compile(
    r"(?:\[[^\]]*\]\s*)*(?:\w+(?:\([^)]*\))?!?: *)?"
    r"(?:infer|detect|report|tell|take|classify|label|monitor|mark|log|show|count|name|"
    r"warn (?:of|about|on|when))\b(?:(?!\bto (?:avoid|prevent|fix)\b)[^;:(]){0,80}",
    re.IGNORECASE,
)
"""A title up to a symptom that it wants to be told, not mended."""
_REFUSES = re.compile(
    r"(?:\[[^\]]*+\]\s*+)*+:?\s*+(?:\w+(?:\([^)]*\))?!?: *)?(?:raise|throw|join)\b"
    r"(?:(?!\bfix)[^.;]){0,80}?\b\w{0,60}(?:Error|Exception|Warning)s?\b",
    re.IGNORECASE,
)
"""What a title begins with that from now on raises an error, or words it anew."""
_NOW_REFUSES = re.compile(
    r"(?:^|[,;:] |\b(?:and|now|to) )(?:raise|report|throw)\b(?! when\b)(?:(?!\bfix)[^.;:]){0,80}$",
    re.IGNORECASE,
)
"""Words before an error that a change raises from now on: *reject these, and raise a …*."""
_MADE_TO = re.compile(
    r"\b(?:caus\w+|crash|die|forc\w+|hang|known|lead\w*|led|likely|mak\w+|made|stall|start\w*|"
    r"used|would)\b"
    r"[^.;,]{0,80}$",
    re.IGNORECASE,
)
"""Words before *to raise* that tell of what happened."""
_ADDS_TESTS = re.compile(
    r"^\W{0,4}(?:add|cover|include)(?:s|ed)?\b(?:(?!\b(?:fix|work ?around))[^.;]){0,120}$",
    re.IGNORECASE,
)
"""Words before *regressions* that are tests."""
_FIXED_BEFORE = re.compile(
    r"^\W{0,4}(?:that|#\d{1,7}|(?:an|the) (?:earlier|first|previous) \w{1,20})(?: \w{1,20})? $",
    re.IGNORECASE,
)
"""What a sentence begins with that tells what another change has fixed."""
_SHOWN = re.compile(
    r"\b(?:error|exception|log|warning) messages? (?:about|for|from|in|of|on|when)\b[^.;]*$|"
    r"\b(?:show|surface) (?:[\w-]+ ){1,4}in $|\bfeedback (?:during|for|of|on) $|"
    r"\b(?:preserv|surfac|propagat|clarif|improv|rephras|reword)\w* (?:the |an? )?"
    r"(?:[\w-]+ ){0,2}$|"
    r"\b(?:clear(?:er)?|better|friendl(?:y|ier)|helpful|descriptive) (?:[\w-]+ )?$",
    re.IGNORECASE,
)
"""Words before an error that somebody is shown: it was there before, and stays."""
_OF_TESTS = re.compile(
    r"\b(?:tests?|test_\w+|(?<!-)CI|testing|pytest|pre-?commit|workflow|mypy|lint\w*|docs?|"
    r"doc build|bench(?:mark)? script|(?<!model )(?<!batch )(?<!`)runners?|pipeline job)\b",
    re.IGNORECASE,
)
_TEST_WORDS_NEAR = 28
"""Characters between a symptom and a word for tests that still belong together."""
_OF_METRICS = re.compile(
    r"^(?:(?!\b(?:when|if|with|under|over|at)\b).)*"
    r"\b(?:metrics?|gauges?|histograms?|dashboards?|(?P<log>log lines?)|"
    r"(?:cached|prompt|completion)_tokens)\b",
    re.IGNORECASE,
)
"""What is wrong of these is what a server says of itself, not what a model computes.

Of a log nobody asked it.
"""
_OF_KERNELS = re.compile(r"\bkernels?\b", re.IGNORECASE)
"""What works out a histogram for a model is no part of a server's metrics."""
_METRICS_NEAR = 40
_MESSAGES = (Symptom.CRASH, Symptom.CANNOT_START, Symptom.BUILD_FAILS)
"""Symptoms that may as well be what a message is about."""
_ENDS = re.compile(
    r"(?<=[.!?;。！？])\s+|(?<=[。！？])|\n{2,}|\n(?=\s*(?:[-*+#>|]|\d{1,2}[.)]) )|"
    r"(?<![^\n]{55})\n(?![a-z(`])"
)
"""A line that goes on in lower case, or is as long as wrapped ones are, goes on in the next one."""
_TAGS = re.compile(r"^\s*(?:\[[^\]]{1,40}\]\s*){0,4}")
_TAG_OF_TESTS = re.compile(
    r"\[(?:ci|tests?|docs?|misc/ci|ci/build|ci-fix|infra|bench\w*)\b|"
    r"^\s*(?:ci|tests?|docs?)(?:\([^)]*\))?!?:",
    re.IGNORECASE,
)
_OF_TESTS_ALONE = re.compile(
    r"^(?:\[[^\]]{1,40}\]\s*)*add(?:s|ed|ing)? (?:[\w-]+ ){0,4}tests?\b(?= (?:to|for|of|in)\b| *$)|"
    r"\bfix(?:es|ed)? (?:[\w-]+ ){0,4}"
    r"(?:tests?(?= for\b| with\b| in\b| on\b|[;,]| *$)|test_\w+(?:\.py)?(?![\w/]))",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text as they stand in it, stripped, as far as they are read."""
    parts = _ENDS.split(text[:BODY_READ], maxsplit=MOST_SENTENCES)[:MOST_SENTENCES]
    return [part.strip() for part in parts if part.strip()]


def symptoms(text: str) -> Iterator[tuple[Symptom, str]]:
    """Yield each symptom that a text states, once, with the sentence that states it.

    In: a title, or a text without code and templates (`description.written`). Out: the symptom
    and the sentence (or line) that states it, copied exactly from the text and stripped, in the
    order of the text; two of one sentence in the order of the lexicon (`cannot start` before
    `crash`, both before `wrong output`). `BROKEN` is never among them: no text states it.
    """
    found: set[Symptom] = set()
    for sentence in sentences(text):
        line = sentence.replace("\n", " ")
        for symptom, pattern in _READ:
            if symptom in found:
                continue
            matches = pattern.finditer(line)
            meant = next((each for each in matches if _is_meant(line, each, symptom)), None)
            if meant is not None:
                after = line[meant.start() : meant.end() + _METRICS_NEAR]
                of_server = _OF_METRICS.search(after) if symptom is Symptom.WRONG_OUTPUT else None
                of_server = None if _OF_KERNELS.search(after) else of_server
                if of_server and of_server["log"]:
                    continue
                told = Symptom.BAD_ANSWER if of_server else symptom
                found |= {symptom, told}
                yield told, sentence


def symptom_of(text: str) -> Symptom | None:
    """Return the gravest symptom that a text states, or None."""
    return gravest({symptom for symptom, _ in symptoms(text)})


def gravest(stated: Collection[Symptom]) -> Symptom | None:
    """Return the gravest of some symptoms, None of none."""
    return next((symptom for symptom in _GRAVITY if symptom in stated), None)


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
    head = title[:TITLE_READ]
    opening = _TAGS.match(head)
    tags = opening.group() if opening else ""
    return any(
        (_TAG_OF_TESTS.search(tags), _TAG_OF_TESTS.match(head), _OF_TESTS_ALONE.search(head))
    )


def _of_another(denial: str, symptom: str) -> bool:
    """Tell whether a denial is of the subject of what failed: *what is not ready failed to*."""
    return len(denial.split()) > 1 and symptom.lower().startswith(("failed ", "raised ", "threw "))


def _is_done(before: str, words: str, symptom: Symptom) -> bool:
    """Tell whether a symptom is none, but a thing that this change does, or another one did."""
    if words.lower().startswith("fixed") and _FIXED_BEFORE.match(before):
        return True
    if words.endswith(("regression", "regressions")) and _ADDS_TESTS.match(before):
        return True
    if symptom is not Symptom.CRASH or "rror" not in words:
        return False
    near = before[-120:]
    found = _NOW_REFUSES.search(near)
    return found is not None and not _MADE_TO.search(near[: found.start() + 1])


def _is_meant(sentence: str, match: re.Match[str], symptom: Symptom) -> bool:
    before, after = sentence[: match.start()], sentence[match.end() :]
    denied = _DENIED.search(before[-60:])
    is_denied = denied and not (_UNDONE.match(before) or _of_another(denied[0], match[0]))
    if (
        is_denied
        or _is_done(before, match[0], symptom)
        or _NOT_SEEN.match(before.lstrip(" -*"))
        or _TOOL.match(after[:24])
    ):
        return False
    if match[0].lower().startswith(("rais", "throw")) and _ALLOWED.search(before):
        return False
    if symptom is Symptom.CRASH and "Error" in match[0] and _AT_EXIT.search(sentence):
        return False
    if symptom is Symptom.CRASH and (_IN_EFFECT.match(after) or _REFUSES.match(sentence)):
        return False
    if _SPEAKS_OF.fullmatch(before):
        return False
    if match[0].endswith("'s") and _INTENDED.search(sentence):
        return False
    if match[0].lower().startswith("nan") and _GIVEN.search(before):
        return False
    of_memory = re.search(r"mem|vram", match[0], re.IGNORECASE)
    if symptom is Symptom.MEMORY_LEAK and not of_memory and _STALE.search(before[-60:]):
        return False
    if symptom in _MESSAGES and _SHOWN.search(before[-60:]):
        return re.search(r"crash|fault|dump", match[0], re.IGNORECASE) is not None
    begin, end = match.start() - _TEST_WORDS_NEAR, match.end() + _TEST_WORDS_NEAR
    return _OF_TESTS.search(sentence, max(0, begin), end) is None
