"""Words that claim much: each needs a word in the source that allows it, in either language.

A sentence is wrong in three ways that names and numbers do not show: it says that something was
done which was not (fix, support, remove), how much (significantly, all, always), or what comes of
it (faster, breaking, recommended). What a source does not say of itself is not said of it.
"""

# ruff: noqa: E501 - one term a line reads as the table that it is

import re
from collections.abc import Iterator, Sequence

from digest.grounding.plain import spread
from digest.grounding.source import Diff, Source
from digest.grounding.stems import stem
from digest.grounding.subjects import is_trouble
from digest.grounding.term import Term, said, term

DEEDS = (
    term("fix", "fix(?:es|ed|ing)?|repair(?:s|ed|ing)?|resolv(?:es|ed|ing)|correct(?:s|ed|ing)|mend(?:s|ed)|address(?:es|ed)", "修复|修正|修补|解决|纠正|订正", r"fix|bug|repair|resolv|correct|mend|patch|hotfix|regress|crash|fail|error|wrong|broken?\b|issue|hang|leak|incorrect|mis\w+|bad\b|invalid|illegal|oom|nan\b|race|deadlock|typo|prevent|avoid|workaround|stale|overflow|问题|错误|崩溃|失败|异常", strict=True),
    term("support", "support(?:s|ed|ing)?|compatib\\w+", "支持|适配|兼容", r"support|enabl|allow|add|implement|accept|handl|compat|work|feat|integrat|extend|port\b|adapt|recogni|regist|new\b|use\b|接入|启用|新增|添加"),
    term("default", "defaults?|by default", "默认|缺省", r"default|opt[- ]?(?:in|out)|\w*_default|fallback|get_\w*env\w*\(|getenv\(|\w+(?:: ?\w+)? ?= ?(?:true|false|none|[\d\"'])"),
    term("remove", "remov(?:es|ed|ing|al)|delet(?:es|ed|ing|ion)|drop(?:s|ped|ping)|eliminat(?:es|ed|ing)|strip(?:s|ped|ping)", "删除|移除|去除|去掉|删掉|剔除|清理|丢弃|取消", r"remov|delet|drop|goes? away|eliminat|strip|discard|clean|purg|rid of|no longer|prun|retir|unused|dead\b|obsolet|replac|without|get rid|cleanup|cancel|instead"),
    term("revert", "revert(?:s|ed|ing)?|roll(?:s|ed|ing)? back|back(?:s|ed) out|undo(?:es|ne)?", "(?<!作为)回退(?!到|至|方案|路径|值)|回滚|撤销", r"revert|roll(?:ed|ing)?[- ]?back|undo|back out|backed out|还原", strict=True),
    term("restore", "restor(?:es|ed|ing)|brings? back|reinstat\\w+", "恢复|还原", r"restor|recover|revert|resume|bring back|re-?enabl|re-?add|fix|back\b|again|reset|resum"),
    term("rename", "renam(?:es|ed|ing)", "重命名|改名|更名", r"renam|->|→|\bmv\b|call it|naming|from .{1,60} to ", strict=True),
    term("move", "mov(?:es|ed|ing)|relocat\\w+|migrat(?:es|ed|ing)", "移动|迁移|移至|移到|挪到", r"mov|relocat|migrat|transfer|extract|refactor|port\b|into\b|hoist|split|shift|switch|renam|consolidat|lift|unify"),
    term("deprecate", "deprecat(?:es|ed|ing|ion)", "弃用|废弃", r"deprecat|obsolet|legacy|sunset|DeprecationWarning", strict=True),
    term("refactor", "refactor\\w*|restructur\\w+|rewrit\\w+|reorgani[sz]\\w+", "重构|重写|重新组织", r"refactor|restructur|rewrit|reorgani|clean|split|extract|move|unify|simplif|consolidat|re-?work|replac|overhaul|dedup|modular|decoupl|migrat|rewrote"),
    term("merge", "merg(?:es|ed|ing)|land(?:s|ed)", "已合并|合入|合并", r"merg|land|combin|join|fus|unif|consolidat|concat|state: merged|fold"),
    term("release", "releas(?:es|ed|ing)|ship(?:s|ped|ping)|publish(?:es|ed|ing)|launch(?:es|ed)", "发布|发行|上线", r"releas|ship|publish|version|v?\d+\.\d+\.\d+|launch|free|nightly|state: published|tag\b|unlock|dealloc|drop"),
    term("upgrade", "upgrad(?:es|ed|ing)|bump(?:s|ed|ing)", "升级", r"upgrad|bump|updat|version|\d+\.\d+|migrat|pin|sync|raise|newer|latest|move to"),
    term("downgrade", "downgrad(?:es|ed|ing)", "降级", r"downgrad|pin|revert|lower|fallback|fall(?:s|ing)? back|demot|older", strict=True),
    term("reject", "reject(?:s|ed|ing)?|refus(?:es|ed|ing)|forbid\\w*|prohibit\\w*|ban(?:s|ned)", "拒绝|禁止", r"reject|refus|forbid|prohibit|ban\b|bans\b|rais|error|disallow|valid|block|disabl|assert|invalid|deny|denied|guard|not allowed|4\d\d\b|prevent|only|unsupported|check"),
    term("rerun", "cherry-?picks?(?:ed)?|backport\\w*", "回移|移植到", r"cherry|backport|port\b"),
    term("test", "verif(?:y|ies|ied)|validat(?:es|ed)|confirm(?:s|ed)", "验证|证实|校验|确认", r"verif|valid|confirm|check|test|assert|ensur|sanit|eval|accura|schema"),
)  # fmt: skip
AMOUNTS = (
    term("significantly", "significant(?:ly)?|substantial(?:ly)?|dramatic(?:ally)?|drastic(?:ally)?|massive(?:ly)?|huge(?:ly)?|considerabl[ey]|vast(?:ly)?|tremendous(?:ly)?|remarkabl[ey]|greatly|enormous(?:ly)?|much|noticeabl[ey]|radical(?:ly)?|extreme(?:ly)?", "显著|大幅|极大|明显|大大|巨大|大量|飞跃|极其|极度|非常|质的", r"significan|substanti|dramatic|drastic|massive|huge|considerab|vast|tremendous|great|much\b|noticeab|a lot|obvious|extrem|very\b", strict=True),
    term("completely", "completely|fully|entirely|totally", "彻底|完全|全面", r"complet|full|entire|total|whole|all\b", strict=True),
    term("never", "never", "从不|绝不|从未|永不", r"never|not\b|n't|no longer|forbid|avoid|prevent", strict=True),
    term("only", "only|solely|exclusive(?:ly)?", "仅|只(?!是|读|写)|唯一", r"only|sole|exclusiv|exactly|just\b|limit|restrict|unless|except|guard|gate|if\b|when\b|single|skip|instead|alone|condition|for\b|on\b|filter", strict=True),
    term("first", "first(?: time| ever)|for the first|unprecedented|world's|pioneer\\w*", "首次|首个|首款|前所未有|业界", r"first|initial|unprecedented|new\b|首", strict=True),
    term("best", "best|optimal(?:ly)?|perfect(?:ly)?|flawless\\w*|seamless(?:ly)?|ideal(?:ly)?|fastest|state-of-the-art|sota|superior|world-class|cutting-edge|robust(?:ly|ness)?|powerful", "最佳|最优|完美|无缝|最快|最先进|卓越|健壮|强大|极致|领先", r"best|optim|perfect|seamless|ideal|fastest|state-of-the-art|sota|superior|robust|max|highest|autotun|heuristic", strict=True),
    term("critical", "critical(?:ly)?|severe(?:ly)?|serious(?:ly)?|urgent(?:ly)?|crucial(?:ly)?|essential(?:ly)?|vital|fatal|catastroph\\w+|important(?:ly)?|major|key improvement", "严重|关键|致命|重大|紧急|至关重要|重要|灾难", r"critical|sever|serious|urgent|crucial|essential|vital|fatal|catastroph|importan|major|blocker|p0\b|high.?priority|crash|key\b|core\b", strict=True),
    term("certainly", "guarantee(?:s|d|ing)?|definite(?:ly)?|certain(?:ly)|undoubted(?:ly)?|inevitabl[ey]|100%|absolute(?:ly)?|impossible|proven", "保证|必将|必定|一定会|肯定|绝对|毫无疑问|不可能|百分之百|必然", r"guarante|definit|certain|inevitab|absolut|impossib|proven|ensur|make sure|always|must|determin", strict=True),
    term("ensure", "ensur(?:es|ed|ing)", "确保", r"ensur|guarante|make sure|makes sure|so that|assert|enforc|must|requir|always|fix|check|valid|prevent|avoid|keep|consisten|correct|sync|force|safe", strict=True),
    term("will", "will|shall|going to", "将会|必将|即将", r"will\b|'ll|would|shall|going to|plan|upcoming|next (?:release|version|step|pr)|future|later|todo|follow|deprecat|should|goes away", strict=True),
    term("must", "must|mandatory|obligat\\w+", "必须|务必|强制", r"must|mandat|obligat|requir|need|have to|has to|enforc|forc|assert|only", strict=True),
    term("soon", "soon|upcoming|in the future|future (?:releases?|versions?)|next (?:release|version)|roadmap|planned|eventually", "即将|未来|将来|下个?版本|下一个版本|路线图|后续", r"soon|upcoming|next (?:release|version|step|pr)|future|plan|eventual|follow.?up|todo|roadmap|subsequent|wip\b|next step|下一|剩余|remaining", strict=True),
    term("stable", "stable|mature|production(?:-ready)?|battle-tested|official(?:ly)?", "稳定|成熟|生产(?:环境|级|就绪|可用|部署)|正式(?!版)|官方", r"stab|matur|production|official|robust|flak|unstable|hang|crash|intermittent|deploy|vendor|upstream|numerically|ga\b", strict=True),
    term("experimental", "experimental|beta|preview|prototype|proof of concept", "实验性|试验性|预览版", r"experimental|beta|preview|prototyp|poc\b|early|alpha|wip\b|draft", strict=True),
)  # fmt: skip
EFFECTS = (
    term("faster", "fast(?:er)?|speed(?:s|ed|ing)?[ -]?ups?|accelerat\\w+|quicker|quickly|boost(?:s|ed|ing)?|high(?:er)?[ -]performance|performant", "更快|加速|提速|变快|加快|性能提升|提升性能|高性能|快速|快 ?\\d", r"fast|speed|accelerat|perf|optimi|throughput|latenc|\d(?:\.\d+)?x\b|quick|boost|overhead|efficien|slow|cheap|tflops|tok/s|bandwidth|\d ?%|fus|overlap|加速|性能|优化", strict=True),
    term("slower", "slow(?:er|s|ed|ing|down)?|slow(?:s|ed)? down|degrad(?:es|ed|ing|ation)", "变慢|更慢|减慢|拖慢|(?<!精度)下降|劣化|降速|缓慢", r"slow|regress|degrad|wors|overhead|drop|penalt|bottleneck|latenc|reduc|lower|decreas|expensive|costly|perf", strict=True),
    term("optimize", "optimi[sz]\\w+|efficien(?:t|cy|tly)", "优化|高效", r"optimi|perf|fast|speed|efficien|reduc|improv|tun|fus|overhead|avoid|latenc|cach|overlap|throughput|eliminat|vectori|cheap|slow|unneces|redundan|simplif|重复|加速", strict=True),
    term("improve", "improv\\w+|enhanc\\w+|better|stronger", "改进|改善|提升|提高|增强|更好|完善", r"improv|enhanc|better|fast|speed|perf|optimi|increas|rais|boost|refin|reduc|support|up to|\d+(?:\.\d+)?x|more|higher|bump|polish|clean|upgrad|extend|fix|robust|strengthen|tighten|add|\d ?%"),
    term("reduce", "reduc(?:es|ed|ing|tion)|decreas(?:es|ed|ing)|lower(?:s|ed|ing)?|shrink\\w*|shrunk|sav(?:es|ed|ing|ings)|cut(?:s|ting)?|fewer|less|smaller|minimi[sz]\\w+|shorten\\w*", "减少|降低|缩减|节省|减小|缩短|更少|更低|更小|下降|下调|减轻", r"reduc|decreas|lower|shrink|sav|cut\b|cuts\b|less|fewer|small|avoid|remov|skip|eliminat|optimi|drop|minimi|trim|compact|down\b|from .{1,40} to |->|→|short|lazy|reus|shar|improv|faster|speed|free|cap\b|limit|dedup|unneces|half|halv|without|light|\d ?%|减|降|lean"),
    term("increase", "increas(?:es|ed|ing)|rais(?:es|ed) the|grow(?:s|n|ing)?|larger|bigger|higher|more|expand(?:s|ed|ing)?|enlarg\\w+|extend(?:s|ed|ing)?", "提高|增大|扩大|扩展|更多|更高|更大|上调|延长|放宽", r"increas|rais|grow|larg|big|high|more|expand|enlarg|extend|bump|up to|upper|improv|boost|max|doubl|\d(?:\.\d+)?x|faster|throughput|add|relax|long|scal|from .{1,40} to |->|→|support|additional|better|extra|cover|general|enabl|allow|broad|\d+k\b|optimi"),
    term("enable", "enabl(?:es|ed|ing)|turn(?:s|ed|ing)? on|activat(?:es|ed)|switch(?:es|ed)? on", "启用|开启|打开|激活", r"enabl|turn(?:ed|ing|s)? (?:\w+ ){0,3}on\b|activat|allow|support|on by default|opt[- ]?in|add|use\b|using|unlock|switch|integrat|make|on\b|open|default|start|true\b|feat"),
    term("disable", "disabl(?:es|ed|ing)|turn(?:s|ed|ing)? off|deactivat\\w+|switch(?:es|ed)? off", "禁用|关闭|停用", r"disabl|turn(?:ed|ing|s)? (?:\w+ ){0,3}off\b|deactivat|off\b|skip|bypass|forbid|not\b|opt[- ]?out|exclud|guard|avoid|close|shut|stop|terminat|remov|only|ignor|false\b|gate"),
    term("ignore", "ignor(?:es|ed|ing)|silently", "忽略(?!列表)|静默", r"ignor|skip|silen|suppress|exclud|discard|drop|omit|quiet|filter"),
    term("skip", "skip(?:s|ped|ping)?|bypass(?:es|ed|ing)?", "跳过|绕过", r"skip|bypass|ignor|avoid|without|not\b|no\b|exclud|only|unless|drop|disabl|guard|early return|return|if\b|omit|filter|n't|unneces|continue|when\b|silent|instead"),
    term("prevent", "prevent(?:s|ed|ing)?|avoid(?:s|ed|ing)?", "避免|防止|阻止|杜绝", r"prevent|avoid|fix|skip|guard|protect|no longer|not\b|without|stop|reject|instead|check|eliminat|remov|n't|bug|valid|never|ensur|race|leak|crash|hang|oom|redundan|unneces|cache|lazy|only|reduc|re-?us"),
    term("breaking", "breaking|incompatib\\w+", "破坏性|不兼容", r"breaking|incompatib|bc[ -]break|!:|backwards?[ -]", strict=True),
    term("break", "breaks?|broken?", "破坏(?!性)", r"break|broke|incompatib|fail|crash|error|wrong|bug|corrupt|fix|regress|incorrect", strict=True),
    term("still", "still|keeps? (?:on|failing|hanging|crashing)", "", r"still|remain|stay|unchanged|continu|yet\b|仍", strict=True),
    term("as before", "", "仍|依然|依旧", r"still|remain|keep|stay|unchanged|continu|as before|yet\b|until|仍|保持|不变", strict=True),
    term("security", "secur(?:e|ed|es|ity|ely|ing)|malicious|sanitiz\\w+|harden\\w*", "安全(?:漏洞|问题|性|风险|隐患)|恶意", r"secur|vulnerab|cve|exploit|attack|malicious|saniti|harden|safe|inject|travers|unsafe|trust|pickle|escape|auth|secret|leak|permission", strict=True),
    term("recommend", "recommend(?:s|ed|ation|ations)?|consider(?:s|ed)?|make sure|be sure|advis(?:e|es|ed|able)|suggest(?:s|ed|ion)?|please|best practice|keep an eye|be aware|take care|is worth|as soon as possible|immediate(?:ly)?|right away", "建议|推荐(?!系统|模型)|宜|(?<![发申邀])请(?!求|改用|使用|改为|设|传)|注意(?!力)|谨慎|不妨|值得|留意|考虑|尽快|立即|尽早", r"recommend|should|consider|make sure|please|advis|suggest|migrat|instead|as soon as|immediate|建议|推荐|应|请|注意", strict=True),
    term("need", "need(?:s|ed)?", "需要|需(?!求)", r"need|requir|must|should|have to|has to|necessar|depend|want|at[_ ]least|minimum|assert|rais|check|expect|if\b|应|需|必须"),
    term("should", "should|users? (?:need|have) to|you (?:can|may|need)", "应该|应当", r"should|must|need|requir|make sure|have to|has to|migrat|instead|necessar|depend|want|应|需|必须|if you|you (?:can|may|have)", strict=True),
)  # fmt: skip
ADD = term(
    "add", "add(?:s|ed|ing)?|introduc(?:es|ed|ing)|creat(?:es|ed|ing)|implement(?:s|ed|ing)|new",
    "新增|增加|添加|加入|引入|实现|创建|新建|新的", r"add|new\b|introduc|implement|creat|support|enabl|feat|init|expos|allow|extend|port\b|integrat|regist|provid|includ|insert|bring|land|make|first|bump|allocat|increas|plus|append|wrap|emit|show|print|log|accept|build|generat|fix|handl|updat|import|publish|document|replac|switch|use\b",
)  # fmt: skip

ALL = term("all", "all|anyone|anybody|everyone|every|everything|everywhere|any|entire|whole|complete|full|total|universal(?:ly)?|across the board|throughout|once and for all", "所有|全部|任何|任意|一切|一律|完整|整个", r"all\b|every|any|entire|whole|complet|full|total|always|univers|uncondition|each|through|permanent|any", strict=True)  # fmt: skip
ALWAYS = term("always", "always|forever|permanent(?:ly)?|unconditional(?:ly)?|at all times|every time", "总是|始终|永远|永久|一直", r"always|forever|permanent|uncondition|at all times|every time|each time|constant", strict=True)  # fmt: skip
_BEYOND = frozenset({"breaking", "recommend"})
_ON = frozenset({"still", "as before"})
_FAILURES = frozenset(stem(word) for word in ("fails", "breaks", "broken", "loses", "wrong"))
_ALL_OF = 70
_MOST_READ = 60_000
_WORD = re.compile(r"[a-z][a-z0-9]{2,}")
_SMALL = frozenset(
    [
        "the",
        "and",
        "are",
        "was",
        "were",
        "for",
        "that",
        "this",
        "with",
        "its",
        "not",
        "now",
        "when",
        "then",
    ]
)
_ENDS = re.compile(
    r"\b(?:no longer|not|never|without|cannot|(?:fix|remov|drop|stop|avoid|prevent|delet)\w*)\b|n't\b"
)
_GOES_ON = frozenset({"still", "also", "then", "have", "been"})
_MASKS = re.compile(
    r"\b(?:(?:read|write|append|text|cpu|gpu)-only|all[ -]?(?:reduce|gather|to[ -]?all)|all2all|(?:no|not) (?:\w+ ){1,3}at all(?! times)|as soon as(?! possible)|not? only|new[- ]?lines?|mov(?:es|ed) from (?=v?\d))\b"
    r"|(?<=\bthe )shipped\b|[不无]\w{0,1}任何|没有任何"
)


def unlicensed(
    rest: str,
    source: Source,
    quote: str,
    near_diff: Diff | None = None,
    *,
    alone: bool = False,
    english: str = "",
) -> Iterator[tuple[str, str]]:
    """Give name and words of each strong word in a sentence that the source does not allow.

    `rest` is the sentence in lower case without its identifiers, `quote` the folded quote in
    lower case, which is part of the source wherever it stands. What is claimed beyond the deed
    itself has to be in quote, title or facts, or in what the hunk that is quoted (`near_diff`)
    remarks. `alone` is a Chinese sentence without an English
    one: all of it has to be there. `english` is the English one, if it was proven: what allows a
    word there allows the Chinese one.
    """
    masked = _MASKS.sub(" ", rest)
    remarks = near_diff.remarks if near_diff else ""
    near = "\n".join(
        (quote, spread(quote), source.title, spread(source.title), *_told(source), remarks)
    )
    prose = near if alone else f"{source.words[:_MOST_READ]}\n{quote}\n{remarks}"
    whole = near_diff.whole if near_diff else ""
    changed = f"{source.changed_words[:_MOST_READ]}\n{source.changed[:_MOST_READ]}\n{whole}"
    everything = near if alone else f"{prose}\n{changed}"
    for each, spelled in said((*DEEDS, *AMOUNTS, *EFFECTS, ADD), masked):
        if each is ADD and not alone and _adds(source):
            continue
        if each.name == "remove" and not alone and not _takes_out(source):
            if not each.licence.search(prose):
                yield each.name, spelled
            continue
        if each.name in _ON and not alone and not _has_ended(each, masked, source, quote):
            continue
        if english and each.licence.search(english):
            continue
        if each.name == "will" and _is_foretold(masked, quote):
            continue
        beyond = each in AMOUNTS or each.name in _BEYOND
        if not each.licence.search(near if beyond else prose if each.strict else everything):
            yield each.name, spelled
    for each in (ALL, ALWAYS):
        for spelled in _alls(
            each, masked, (quote, *source.sentences, *_told(source), *remarks.split("\n"))
        ):
            yield each.name, spelled


def _is_foretold(masked: str, quote: str) -> bool:
    """Tell whether what a sentence says will be is what the quote says is: "will stop", "stop"."""
    verbs = [_telling(after) for after in re.split(r"\bwill\b", masked)[1:]]
    known = {stem(word) for word in _telling(quote)}
    return bool(verbs) and all(
        any(stem(word) in known for word in words[:2] if word not in _GOES_ON) for words in verbs
    )


def _has_ended(on: Term, masked: str, source: Source, quote: str) -> bool:
    """Tell whether a sentence says that something goes on which is a trouble, or has ended.

    A Chinese one says the same as its English one, where that is held against this.
    """
    words = {
        stem(word)
        for found in on.said.finditer(masked)
        if found.group().isascii()
        for word in _telling(masked[found.end() : found.end() + 60])[:3]
    }
    ended = {
        stem(word)
        for text in (quote, *source.sentences)
        for found in _ENDS.finditer(text)
        for word in _telling(text[found.end() : found.end() + 60])[:4]
    }
    return bool(words & (ended | _FAILURES)) or any(is_trouble(word) for word in words)


def strengths(rest: str) -> frozenset[str]:
    """Give the strong words of a sentence by name."""
    masked = _MASKS.sub(" ", rest)
    return frozenset(
        each.name for each, _ in said((*DEEDS, *AMOUNTS, *EFFECTS, ADD, ALL, ALWAYS), masked)
    )


def _alls(term: Term, masked: str, texts: Sequence[str]) -> Iterator[str]:
    """Give each "all" of a sentence that no sentence of the source says of the same thing."""
    for found in term.said.finditer(masked):
        if not found.group().isascii():
            if not any(term.licence.search(text) for text in texts):
                yield found.group()
            continue
        words = _telling(masked[found.end() : found.end() + 60])[:2]
        words = words or _telling(masked[: found.start()])[-1:]
        if not any(_is_near(term, stem(word), text) for word in words for text in texts):
            yield found.group()


def _telling(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word not in _SMALL]


def _is_near(term: Term, begin: str, text: str) -> bool:
    return any(
        term.licence.search(text[max(0, place.start() - _ALL_OF) : place.end() + 20])
        for place in re.finditer(rf"\b{re.escape(begin)}", text)
    )


def _takes_out(source: Source) -> bool:
    """Tell whether the diff takes out more than it puts in."""
    put_in = sum(len(diff.added) for diff in source.diffs)
    return sum(len(diff.removed) for diff in source.diffs) > 2 * put_in


def _told(source: Source) -> list[str]:
    """Give the facts that are words about the item; the names of its files claim nothing."""
    return [fact for fact in source.facts if not fact.startswith("path: ")]


def _adds(source: Source) -> bool:
    """Tell whether the diff puts in more than it takes out: then something of it is new."""
    put_in = sum(len(diff.added) for diff in source.diffs)
    taken_out = sum(len(diff.removed) for diff in source.diffs)
    return put_in > 2 * taken_out
