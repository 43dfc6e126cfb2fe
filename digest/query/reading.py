"""From a question in plain words, English or Chinese, to the program's own query (pure).

Repositories, a time, kinds of facts and names of the field are taken out where they stand; of the
rest the words that say nothing are dropped. What is left is looked for, so nothing is guessed.
"""

import re
import unicodedata
from collections.abc import Container, Mapping, Sequence, Set
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from digest.errors import BadWindow
from digest.languages import Language
from digest.models import Repo, Window
from digest.query.query import SUBJECTS, About, Query
from digest.reading.paths import words as words_in
from digest.reading.whom import FEATURE, MODEL, NVIDIA, SETTING, VENDOR
from digest.search_words import as_written
from digest.search_words import words as words_of
from digest.times import found_in
from digest.windows import parse as parse_window
from digest.windows import window_of
from digest.wording.phrases import SAY

DEFAULT_RANGE = "week"
"""The seven days before today: what is asked without a time."""
MOST_TOKENS = 120
MOST_WORDS = 8
_CJK = "\u3400-\u9fff\uf900-\ufaff"
_KANA = "[\u3040-\u30ff]"
"""What Japanese has beside the characters of Chinese."""
_TOKEN = re.compile(rf"[{_CJK}]+|[^\s{_CJK}，。？！、；：“”‘’「」『』（）]+")
_EDGES = "?!.,;:'\"()[]{}<>`*~|"
_WORTH = re.compile(r"\w", re.UNICODE)
_LETTER = re.compile(r"[^\W\d_]")

_SPELLINGS = (
    ("attention", "注意力"),
    ("quantization", "quant", "量化"),
    ("multimodal", "multi modal", "多模态"),
    ("speculative decoding", "spec decoding", "spec decode", "speculative", "投机解码", "推测解码"),
    ("prefix caching", "prefix cache", "前缀缓存"),
    ("kv cache", "kvcache", "kv 缓存"),
    ("cuda graph", "cudagraph", "cuda 图"),
    ("tensor parallel", "tp", "张量并行"),
    ("pipeline parallel", "pp", "流水线并行"),
    ("data parallel", "dp", "数据并行"),
    ("expert parallel", "ep", "专家并行"),
    ("context parallel", "cp", "上下文并行"),
    ("moe", "mixture of experts", "混合专家", "专家模型"),
    ("disaggregation", "disagg", "disaggregated", "pd 分离"),
    ("structured output", "guided decoding", "结构化输出"),
    ("tool call", "tool calling", "function call", "工具调用", "函数调用"),
    ("load balancing", "load balancer", "负载均衡"),
    ("scheduler", "scheduling", "调度器", "调度"),
    ("sampling", "sampler", "采样"),
    ("tokenizer", "分词器"),
    ("streaming", "流式"),
    ("offloading", "offload", "卸载"),
    ("distributed", "分布式"),
    ("compile", "compilation", "编译"),
    ("diffusion", "扩散"),
    ("metrics", "指标"),
    ("logging", "日志"),
    ("audio", "音频", "语音"),
    ("video", "视频"),
    ("router", "routing", "路由"),
    ("amd", "rocm", "hip"),
    ("ascend", "npu", "昇腾"),
    ("blackwell", "sm100", "b200"),
    ("hopper", "sm90", "h100"),
    ("mi300", "gfx942"),
    ("mi355", "gfx950"),
)
ALSO: Mapping[str, tuple[str, ...]] = {
    spelled: tuple(other for other in alike if other != spelled)
    for alike in ([words_of(each).strip() for each in some] for some in _SPELLINGS)
    for spelled in alike
}
"""Other spellings of a name, all as they are looked for."""
_KNOWN = re.compile(
    "|".join(
        rf"\b{re.escape(each)}\b" if each.isascii() else re.escape(each)
        for each in sorted({each for some in _SPELLINGS for each in some}, key=len, reverse=True)
        if " " in each or not each.isascii()
    ),
    re.IGNORECASE,
)

_SILENT = """
    a about after all also an and any anything are as at be been before but by can changed
    change changes could did do does done for from give had happen happened happening
    happens has have how i if in into is it its just know last latest lately list me much my
    new news of on or our out over please recent recently regarding related s says show so
    since some something tell than that the their them then there these they thing things
    this those to today till until up update updated updates us was we were what whats
    what's when where whether which who whom why will with would you your still now every
    everything summary summarize summarise work worked landed merged going during pr prs pr's
    pull request requests touch touched touches touching stuff watch careful aware tomorrow should
    anyone someone somebody people team look looking find found see seen hear heard think
    there's that's it's isn't doesn't really actually again currently already such kind
    got get gets getting need needs act code bring brings brought come comes came land lands
    seeing between else other others through onward onwards quite very well good bad weekly daily
"""
SILENT = frozenset(_SILENT.split())
"""English words that say nothing of what is asked for."""
_STOP_ZH = """
    有什么变化 有哪些变化 有什么改动 有哪些改动 发生了什么 怎么样了 有没有 改了 改过 什么时候
    有什么 有哪些 是什么 为什么 变化 改动 变更 更新 进展 情况 消息 动态 什么 哪些 哪个 如何 怎么样
    怎么 怎样 请问 告诉我 列出 看看 一下 关于 相关 方面 里面 之中 最近 目前 现在 我们 发生 出现
    影响 以来 期间 至今 截至 截止 有关 所有 全部 了什么 里的 中的 的 了 吗 呢 吧 啊 在 里 中 有 是
    和 与 对 对于 把 被 将 从 自 到 上 些 这 那 都 还 过 以及 或 我 你 请 做 给 谁 明天 后天 下周
    下星期 要注意 注意什么 遇到 碰到 有没有人 有人 提升 新版本 需要 主要 重要 要 合并 合入 提交
    代码 之间 开启 启用 怎么办 具体 最新
"""
_KINDS: Mapping[About, str] = {
    About.BROKE: "broke broken break breaks breakage bug bugs bugfix bugfixes fix fixed fixes "
    "regression regressions regressed fail fails failed failing failure failures "
    "error errors wrong garbage garbled bitten 输出错误 输出不对 结果不对 结果错误 "
    "不正确 不对 乱码 精度不对 精度问题 精度错误 精度下降 坏了 坏掉 出错 报错 "
    "出问题 问题 故障 错误 修复 修了 修好 修过 回归 失败 踩坑 缺陷",
    About.CRASH: "crash crashes crashed crashing 崩溃 闪退",
    About.HANG: "hang hangs hanging hung deadlock deadlocks 卡死 挂起 死锁",
    About.MEMORY: "oom leak leaks leaked 内存泄漏 内存泄露 显存泄漏 内存不足 显存不足 爆显存",
    About.SLOW: "slow slower slowdown slowdowns 变慢 很慢",
    About.SECURITY: "security vulnerability vulnerabilities cve 安全 漏洞",
    About.BREAKING: "breaking incompatible upgrade upgrading 不兼容 破坏性 升级",
    About.REMOVED: "removed remove removes dropped drop drops gone deleted 删除 删了 删掉 移除 "
    "去掉 去除",
    About.RENAMED: "renamed rename renames 改名 重命名",
    About.DEPRECATED: "deprecated deprecate deprecates deprecation deprecations 弃用 废弃",
    About.DEFAULT: "default defaults 默认值 默认",
    About.ADDED: "added add adds 新增 新加 添加 加入 加了 支持了",
    About.REVERTED: "reverted revert reverts rollback 回退 撤销 回滚",
    About.RELEASED: "release releases released 发布 发版",
    About.SPEED: "faster speedup speedups speed performance perf 加速 更快 性能 提速",
    About.FLAG: "flag flags option options 参数 选项 命令行",
    About.ENV: "env envs environment var vars variable variables 环境变量",
    About.API: "api apis endpoint endpoints 接口",
    About.REQUIREMENT: "dependency dependencies requirement requirements pin pins bump bumps "
    "bumped 依赖",
    About.MODEL: "supported-models",
    About.HARDWARE: "supported-hardware",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_MENDED = frozenset(
    (
        *("fix", "fixed", "fixes", "bugfix", "bugfixes", "修复", "修了", "修好", "修过"),
        *("bug", "bugs", "问题", "缺陷"),
    )
)
"""What is asked of a symptom that is named beside it: `which crashes were fixed` is of crashes."""
_SYMPTOMS = frozenset({About.CRASH, About.HANG, About.MEMORY, About.SLOW, About.SECURITY})
_SUPPORTED = frozenset({About.MODEL, About.HARDWARE})
_SUBJECTS = "|".join(word for kind in SUBJECTS for word in _KINDS[kind].split())
_NEW = r"\b(?:new(?:ly)?|added) (?:added |supported )?"
_COME = r"(?:that )?(?:are |were |is |was |got |have been )?(?:newly |now )?(?:added|supported)\b"
_DEVICES, _DEVICE = r"(?:gpus|accelerators)", r"(?:hardware|gpu|accelerator)"
_ALONE = (
    r"(?: support)?(?=\s*(?:$|[^\w\s]|(?:and|are|did|do|for|from|got|have|in|is|of|on|since|to|was|"
    r"were|with)\b))"
)
"""What follows a model or device that is asked for: `a new model runner` is a part of it."""
_NEW_ZH = r"(?<![更最重刷创])新(?:增|加)?了?的?"
_WHICH_ZH = r"(?:支持|新增)了?(?:哪些|什么)新?"
_ALONE_ZH = r"(?:支持)?(?=$|[^\u3400-\u9fff]|[吗呢有是了都和与及被])"
_PHRASES = (
    (r"\b(?:wrong|garbage|garbled|bad|incorrect) (?:outputs?|results?|answers?)\b", "wrong"),
    (r"\bmemory (leaks?)\b|\b(leaks?|leaking|leaked) (?:gpu )?memory\b", "leak"),
    (r"\bout[ -]of[ -]memory\b", "oom"),
    (r"\bsecurity (?:holes?|issues?|bugs?|fix(?:es)?|problems?)\b", "security"),
    (
        r"\bdependency (?:upgrades?|updates?)\b|\b(?:upgraded?|updated?) dependenc(?:y|ies)\b",
        "pins",
    ),
    (r"依赖的?升级|升级了?依赖", "依赖"),
    (r"新的?(?:功能|特性)|\bnew features?\b", "added "),
    (
        rf"{_NEW}(?:models\b|model\b{_ALONE})|\bmodels? {_COME}|"
        rf"(?:{_NEW_ZH}|{_WHICH_ZH})模型{_ALONE_ZH}",
        "added supported-models ",
    ),
    (
        rf"{_NEW}(?:{_DEVICES}\b|{_DEVICE}\b{_ALONE})|\b(?:{_DEVICES}|{_DEVICE}) {_COME}|"
        rf"(?:{_NEW_ZH}|{_WHICH_ZH})(?:硬件|显卡){_ALONE_ZH}",
        "added supported-hardware ",
    ),
    (rf"\bnew (?:cli |server |public )?(?={_SUBJECTS})|新的?(?={_SUBJECTS})", "added "),
)
"""What several words say together, as one that names a kind; in lower case."""
_HOLLOW = words_in(
    "adapter adapters backend backends card cards cli compatible engine framework gpu gpus"
    " integration kernel kernels library model models output outputs performance result results"
    " server servers support version versions"
    " 模型 后端 算子 通信 版本 框架 显卡 支持 功能 模块 性能"
)
"""Words that say little beside another: looked for only where no other is."""
_CHINESE_HOLLOW = sorted(each for each in _HOLLOW if not each.isascii())
_PART = words_in("backend backends kernel kernels integration 后端 算子")
"""What follows the name of a repository that is not asked for: `the flashinfer backend in vllm`."""
_CHINESE_KINDS = sorted((each for each in _KIND_OF if not each.isascii()), key=len, reverse=True)
_STOPS_BY_LENGTH = sorted(_STOP_ZH.split(), key=len, reverse=True)


def read_question(
    text: str,
    *,
    named: Mapping[str, Repo],
    otherwise: Sequence[Repo],
    now: datetime,
    tz: str,
    any_time: bool = False,
) -> Query:
    """Read a question; `named` are repositories by alias and by `owner/name`, in lower case.

    Those that it names are asked for, `otherwise` the others. Raises `BadWindow` where it names a
    time that there is not, unless it may be left for somebody else to read (`any_time`).
    """
    plain = _without_own_name(unicodedata.normalize("NFKC", text), named)
    time = found_in(plain, now.astimezone(ZoneInfo(tz)).date())
    window: Window | None = None
    try:
        window = window_of(time.said(), now=now, tz=tz) if time.said else None
    except BadWindow:
        if not any_time:
            raise
    tokens = [token for token in map(_trimmed, _TOKEN.findall(time.rest)) if token][:MOST_TOKENS]
    rest = " ".join(tokens).casefold()
    for phrase, one in _PHRASES:
        rest = re.sub(phrase, one, rest)
    repos: dict[Repo, None] = {}
    words: dict[str, None] = {}
    kind_words: dict[str, None] = {}
    named_kinds: set[str] = set()
    tokens = _TOKEN.findall(_with_names(rest, named))
    aliases = {token for token in tokens if token in named}
    for folded, after in zip(tokens, (*tokens[1:], ""), strict=False):
        if folded in aliases and after in _PART and len(aliases) > 1:
            words[looked_for(folded)] = None
        elif folded in named:
            repos[named[folded]] = None
        elif folded in _KIND_OF:
            named_kinds.add(folded)
            kind_words.update(dict.fromkeys(_in_english(folded)))
        elif folded in SILENT:
            continue
        elif not re.match(rf"[{_CJK}]", folded):
            words[looked_for(folded)] = None
        else:
            left, found = _chinese(folded)
            named_kinds.update(found)
            kind_words.update(dict.fromkeys(each for word in found for each in _in_english(word)))
            words.update(dict.fromkeys(left))
    kinds = _kinds(named_kinds)
    chosen = _without_hollow([word for word in words if word])
    if time.is_coming and not (window or kinds or chosen or any_time):
        today = now.astimezone(ZoneInfo(tz)).date()
        tomorrow, yesterday = today + timedelta(days=1), today - timedelta(days=1)
        raise BadWindow(SAY.windows.to_come(tomorrow, today, tz, yesterday))
    return Query(
        question=text,
        repos=tuple(repos) or tuple(otherwise),
        window=window or parse_window(DEFAULT_RANGE, now=now, tz=tz),
        kinds=frozenset(kinds),
        words=chosen,
        kind_words=tuple(kind_words)[:MOST_WORDS],
        also={word: ALSO[word] for word in chosen if word in ALSO},
        names_time=window is not None,
    )


def _kinds(words: Set[str]) -> set[About]:
    """Return the kinds that words name: `which crashes of new models were fixed` is of crashes."""
    kinds = {_KIND_OF[word] for word in words}
    if kinds & _SYMPTOMS:
        kinds = {_KIND_OF[word] for word in words - _MENDED}
    if kinds & {*_SYMPTOMS, About.BROKE} and kinds & _SUPPORTED:
        kinds -= {About.ADDED, *_SUPPORTED}
    return kinds


def written_in(text: str) -> Language | None:
    """Return the language that a question shows by its script; None where it could be any.

    Its Chinese characters are as many as its words of others: names are Latin in any language.
    """
    characters, words = re.findall(f"[{_CJK}]", text), re.findall(r"[A-Za-z]+", text)
    is_chinese = len(characters) > len(words) and not re.search(_KANA, text)
    return Language.ZH if is_chinese else None


def _without_own_name(text: str, named: Container[str]) -> str:
    """Give what follows the command's own name, written once more: `infra sglang tomorrow`."""
    begun, _, rest = text.strip().partition(" ")
    is_own = begun.casefold() in ("infra", "/infra")
    return rest if is_own and rest.casefold().partition(" ")[0] in named else text


def _without_hollow(words: Sequence[str]) -> tuple[str, ...]:
    """Give the words without hollow ones, where others are left, and without others' spellings."""
    telling = [word for word in words if as_written(word) not in _HOLLOW]
    chosen = telling if any(map(_LETTER.search, telling)) else words
    spelled: set[str] = set()
    distinct = []
    for word in chosen:
        if word not in spelled:
            distinct.append(word)
            spelled |= {*ALSO.get(word, ())}
    return tuple(distinct)[:MOST_WORDS]


def written_names(text: str) -> tuple[str, ...]:
    """Give the words of a question that could be `OWNER/NAME`, in lower case."""
    tokens = map(_trimmed, _TOKEN.findall(unicodedata.normalize("NFKC", text)))
    return tuple(dict.fromkeys(each.casefold() for each in tokens if each.count("/") == 1))


def looked_for(word: str) -> str:
    """Give a word as it is looked for, of several parts as a phrase; empty where it has none."""
    return words_of(word).strip()


def _trimmed(token: str) -> str:
    token = token.strip(_EDGES).removesuffix("'s").removesuffix("’s")
    return token if _WORTH.search(token) else ""


def _chinese(run: str) -> tuple[list[str], list[str]]:
    """Part Chinese words, which nothing parts, into what is looked for and what names a kind."""
    kinds: list[str] = []
    for word in _CHINESE_KINDS:
        if word in run:
            kinds.append(word)
            run = run.replace(word, " ")
    for word in _STOPS_BY_LENGTH:
        run = run.replace(word, " ")
    for word in _CHINESE_HOLLOW:
        run = run.replace(word, f" {word} ")
    # One character that is left over is of a verb more often than a name.
    return [looked_for(part) for part in run.split() if len(part) > 1], kinds


def _in_english(word: str) -> list[str]:
    """Return a word of a kind, or the first English ones of a Chinese word: titles hold these."""
    if word.isascii():
        return [looked_for(word)]
    return [each for each in _KINDS[_KIND_OF[word]].split() if each.isascii()][:_OF_A_KIND]


_OF_A_KIND = 4


def _with_names(text: str, known: Container[str]) -> str:
    """Give a text in which each name of the field is one word, `deepseek-v3.2`, and Latin.

    What is `known` in lower case is left as it stands.
    """
    found: dict[int, re.Match[str]] = {}
    # Hardware before models: `Qwen3 MI300` is two names, though `Kimi K2.5` is one.
    for pattern in (SETTING, _KNOWN, VENDOR, NVIDIA, FEATURE, MODEL):
        for match in pattern.finditer(text):
            taken = any(
                match.start() < other.end() and other.start() < match.end()
                for other in found.values()
            )
            if not taken and match[0].strip() and match[0].casefold() not in known:
                found[match.start()] = match
    parts, at = [], 0
    for start in sorted(found):
        parts += [text[at:start], f" {_one_word(found[start][0])} "]
        at = found[start].end()
    return "".join((*parts, text[at:]))


def _one_word(name: str) -> str:
    alike = ALSO.get(words_of(name).strip(), ())
    latin = name if name.isascii() else next(each for each in alike if each.isascii())
    return "-".join(latin.split())
