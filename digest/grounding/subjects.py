"""What sentences of this field are about, in both languages: each has to be in the source.

It holds the words that are no names and that a wrong sentence would be made of: a leak told as a
deadlock, a scheduler told as a cache. It is also what joins a Chinese word to an English source.
"""

# ruff: noqa: E501 - one term a line reads as the table that it is

from collections.abc import Iterator

from digest.grounding.term import Term, said, term

TROUBLES = (
    term("crash", "crash(?:es|ed|ing)?|segfaults?|aborts?", "崩溃|段错误|闪退", "segv|sigsegv|core dump|fatal|abort|panic|exception|illegal|fail|error|assert|kill|die"),
    term("hang", "hangs?|hung|hanging|stalls?|freez(?:es|ing)", "挂起|卡死|卡住|停滞", "stuck|deadlock|block|timeout|never return|stall|freez|hung|wait"),
    term("deadlock", "deadlocks?|deadlocked", "死锁", "lock|hang|stuck"),
    term("leak", "leaks?|leaked|leaking|leakage", "泄漏|泄露", "leak|never freed|not freed|release|grow|accumulat|dangling|expos"),
    term("race", "races?|race conditions?", "竞态|竞争条件|竞争", "race|racing|concurren|thread.?safe|sync|lock|atomic|raci"),
    term("oom", "oom|out[ -]of[ -]memory", "内存不足|显存不足|内存溢出|爆显存", "oom|out of memory|memory|outofmemory|vram"),
    term("overflow", "overflow(?:s|ed|ing)?", "溢出", "overflow|int32|int64|2\\^31|wrap|overrun|oom"),
    term("out of bounds", "out[ -]of[ -](?:bounds|range)|oob", "越界", "oob|bound|illegal memory|index|range|overrun"),
    term("corruption", "corrupt(?:s|ed|ion|ing)?", "损坏|破坏数据|错乱", "corrupt|garbage|garbled|wrong|overwrit|clobber|invalid|alias|stale"),
    term("nan", "nans?|infs?", "", "nan|inf\\b|infinit|numer"),
    term("regression", "regress(?:ions?|ed|es)", "退化|回归(?!测试)|劣化", "regress|slow|degrad|drop|since|worse|broke"),
    term("timeout", "time(?:d)?[ -]?outs?|timing out", "超时", "time_?out|timed|deadline|hang"),
    term("mismatch", "mismatch(?:es|ed|ing)?", "不匹配|不一致", "mismatch|inconsist|differ|diverg|wrong|incorrect|unequal|align|match|same|equal"),
    term("duplicate", "duplicat(?:es?|ed|ion|ing)", "重复", "duplicat|twice|repeat|redundan|dedup|again|double|re-?comput|already"),
    term("typo", "typos?", "拼写", "typo|spell|misspel|wording"),
    term("flaky", "flak(?:y|iness|es)", "不稳定", "flak|intermittent|unstable|random|nondetermin|sporadic|retry"),
    term("exception", "exceptions?", "异常", "except|raise|error|throw|traceback|crash|fail|abnormal|assert|invalid|unexpected"),
    term("error", "errors?", "错误|报错|出错", "err|fail|except|wrong|incorrect|bug|fix|rais|crash|invalid|illegal|bad|mis\\w+|typo|broken|assert|问题|异常"),
    term("accuracy", "accura(?:cy|te)|precision", "精度|准确率|准确", "accura|precis|correct|numer|mismatch|diverg|nan|wrong|garbage|fp32|float|gsm8k|eval|round|ulp|toleran|decimal|bf16|fp8"),
    term("vulnerability", "vulnerabilit(?:y|ies)|exploits?|cves?", "漏洞|攻击", "vulnerab|exploit|cve|attack|secur|inject|travers|rce|malicious|ssrf"),
)  # fmt: skip
THINGS = (
    term("scheduler", "schedul(?:er|ers|ing|e|es|ed)", "调度", "sched"),
    term("cache", "cach(?:e|es|ed|ing)", "缓存", "cach|radix|hicache|memo|prefix|kv"),
    term("kv cache", "kv[ -]?cache", "键值缓存", "kv"),
    term("memory", "memory", "内存|显存", "mem|[gsd]mem|vram|oom|alloc|buffer|ram\\b|\\d ?gi?b\\b|leak|storage|pool|workspace|bytes|gib|hbm|smem"),
    term("attention", "attention", "注意力", "attn|attention|mla\\b|mha|gqa|fmha|flash|fa[234]|sdpa"),
    term("quantization", "quanti[sz]\\w+|dequanti[sz]\\w+", "量化", "quant|dequant|fp8|fp4|int[48]|awq|gptq|w\\d+a\\d+|nvfp4|mxfp\\d|gguf|marlin|scale"),
    term("expert", "experts?|moe|mixture[ -]of[ -]experts", "专家", "expert|moe\\b|\\w*moe|ep\\b|eplb|deepep"),
    term("routing", "rout(?:e|es|ed|ing|er|ers)", "路由", "rout|gate|topk|top_k|dispatch|lb\\b|load balanc"),
    term("speculative", "speculat\\w+|drafts?|draft models?", "投机|推测解码|推测|草稿", "spec|eagle|mtp|draft|ngram|medusa|dflash"),
    term("prefill", "prefill\\w*", "预填充", "prefill|extend|context|chunk"),
    term("decode", "decod(?:e|es|ed|ing|er|ers)", "解码", "decod|detok|gener|draft|eagle|spec"),
    term("sampling", "sampl(?:e|es|ed|ing|er|ers)", "采样", "sampl|temperature|top_?[pk]|logit|penalt|seed|softmax"),
    term("tokenizer", "(?:de)?tokeni[sz]\\w+", "分词|词元化", "token|detok"),
    term("token", "tokens?", "词元|令牌", "token|tok/s|tps|eos|bos"),
    term("streaming", "stream(?:ing|ed|s)?", "流式", "stream|sse\\b|delta|chunk|async"),
    term("batch", "batch(?:es|ed|ing)?", "批处理|批次|批量|批大小", "batch|bs\\b|bsz|group"),
    term("parallel", "parallel\\w*", "并行", "parallel|tp\\b|pp\\b|dp\\b|ep\\b|cp\\b|dcp|tp_|pp_|dp_|ep_|world_size|shard|rank|concurren|worker|multi"),
    term("pipeline", "pipelin\\w+", "流水线", "pipelin|pp\\b|pp_|stage|workflow|ci\\b|overlap"),
    term("distributed", "distribut\\w+|multi-?node", "分布式|多机|多节点", "dist|nccl|multi.?node|rank|parallel|world|allreduce|all_reduce|ray\\b|cluster"),
    term("all-reduce", "all-?reduce", "全归约|全规约", "all_?reduce|allreduce|ar\\b"),
    term("communication", "communicat\\w+", "通信", "comm|nccl|all_?reduce|all_?gather|all_?to_?all|a2a|send|recv|transport|rpc|nvshmem|ipc|zmq|transfer|ep\\b|rdma"),
    term("disaggregation", "disaggregat\\w+", "分离式?|PD ?分离", "disagg|pd\\b|prefill|decode|separat|split|decoupl|detach|isolat"),
    term("lora", "loras?|adapters?", "适配器", "lora|adapter|peft|adapt"),
    term("kernel", "kernels?", "内核|核函数|算子", "kernel|\\.cuh?\\b|op\\b|ops\\b|triton|cute|gemm|cutlass|__global__|operator|jit|cuda|csrc|tilelang|fused"),
    term("operator", "operators?", "运算符|操作符", "oper|op\\b|ops\\b|kernel|gems|gemm"),
    term("gemm", "gemms?|matmul|matrix multipl\\w+", "矩阵乘(?:法)?", "gemm|matmul|mm\\b|bmm|linear|wgmma|mma"),
    term("fusion", "fus(?:e|es|ed|ing|ion)", "融合", "fus|merge|combin"),
    term("graph", "graphs?", "图捕获|计算图|CUDA ?图", "graph|capture|compile"),
    term("compile", "compil\\w+|recompil\\w+", "编译", "compil|jit|nvcc|build|ptx|inductor|codegen|cmake|ninja"),
    term("build", "builds?(?! (?:its|a|an|the)\\b)|built(?! (?:from|with|of|on)\\b)|building", "构建", "(?:re)?build|key|config|cmake|setup\\.py|wheel|docker|compil|make|pyproject|image|packag|construct|creat|assembl"),
    term("wheel", "wheels?", "轮子包|wheel 包", "wheel|whl|publish|pypi|build"),
    term("image", "images?", "镜像|图像|图片", "image|docker|vision|pixel|vlm|mm\\b|png|jpe?g|multimodal|visual|vae"),
    term("video", "videos?", "视频", "video|frame|mp4|wan|diffusion"),
    term("audio", "audios?|speech", "音频|语音", "audio|whisper|speech|asr|tts|voice|voxtral"),
    term("multimodal", "multi-?modal\\w*", "多模态", "multi-?modal|mm\\b|mm_|vlm|vision|image|audio|video"),
    term("diffusion", "diffusion", "扩散", "diffusion|dit\\b|wan|flux|denois|dllm|vae"),
    term("embedding", "embed(?:ding|dings|s|ded)?", "嵌入|向量化", "embed|rerank|pool"),
    term("weight", "weights?", "权重", "weight|param|checkpoint|safetensors|loader|load|scale"),
    term("checkpoint", "checkpoints?", "检查点", "checkpoint|ckpt|safetensors|weight|load|resume"),
    term("load", "load(?:s|ed|ing|er|ers)?", "加载|载入|负载", "load|init|read|import|fetch|weight|config"),
    term("offload", "offload\\w*", "卸载", "offload|unload|hicache|swap|cpu|evict|uninstall"),
    term("eviction", "evict\\w*", "驱逐|淘汰", "evict|lru|free"),
    term("allocation", "allocat\\w+", "分配", "alloc|malloc|empty|buffer|pool|assign|reserve|distribut|dispatch|map"),
    term("buffer", "buffers?|buffered|buffering", "缓冲", "buf|workspace|pool|ring|stag"),
    term("lock", "locks?|locked|locking|mutex", "加锁|互斥|(?<!死)锁(?!文件|定)", "lock|mutex|exclusiv|exclud|sync|atomic|race"),
    term("thread", "threads?|threading|threaded", "线程", "thread|worker|concurren|executor|pool|warp"),
    term("process", "process(?:es)", "进程", "process|worker|rank|fork|spawn|pid|subprocess|engine|executor|daemon|killall"),
    term("queue", "queues?|queued|queu?ing", "队列|排队", "queue|fifo|waiting|pending"),
    term("request", "requests?", "请求", "req|request|client|http|api|call|endpoint|server|post\\b|get\\b|rid\\b|abort"),
    term("response", "respon(?:se|ses|ds?)", "响应|回应|应答", "respon|reply|answer|output|return|result|status|http"),
    term("latency", "latenc(?:y|ies)|ttft|tpot|itl", "延迟|时延", "latenc|ttft|tpot|itl\\b|ms\\b|delay|slow|fast|speed|time|lag|lazy|defer|overhead"),
    term("throughput", "throughput", "吞吐", "throughput|tok/s|req/s|tps|tflops|gb/s|faster|speed|bandwidth"),
    term("bandwidth", "bandwidth", "带宽", "bandwidth|gb/s|tb/s|throughput"),
    term("metric", "metrics?", "指标", "metric|prometheus|stat|counter|gauge|histogram|monitor|telemetry|measure|usage|score"),
    term("log", "logs?|logg(?:ed|ing|er|ers)", "日志", "log|print|warn|debug|verbose|trace|stderr"),
    term("warning", "warn(?:s|ed|ing|ings)?", "警告|告警", "warn|deprecat|log|alert"),
    term("profiling", "profil\\w+", "性能分析|剖析", "profil|trace|nvtx|nsys|perf|analy"),
    term("benchmark", "benchmark\\w*", "基准|压测", "bench|perf|measure|baseline|speed|throughput|latency"),
    term("documentation", "docs?|document(?:s|ed|ation|ing)?|readme", "文档", "doc|readme|guide|tutorial|example|comment|\\.md\\b|\\.rst\\b|changelog|说明"),
    term("example", "examples?", "示例|例子|样例", "example|demo|sample|tutorial|cookbook|e\\.g"),
    term("test", "(?<!emptiness )(?<!null )tests?(?! (?:whether|if)\\b)|tested(?! (?:whether|if|for)\\b)|testing", "测试", "test|ci\\b|pytest|gsm8k|eval|check|verif|bench|unittest|assert"),
    term("ci", "ci|continuous integration", "持续集成", "ci\\b|workflow|github actions|\\.github|runner|nightly|pipeline|test"),
    term("workflow", "workflows?", "工作流", "workflow|\\.github|pipeline|ci\\b|actions"),
    term("configuration", "config(?:s|uration|urations)?", "配置", "conf|option|setting|param|arg|flag|yaml|toml|json|tun|setup|env"),
    term("flag", "flags?|switch(?:es)?(?! (?:to|from|over|between)\\b)|command[ -]line", "标志|开关|命令行|选项", "flag|--|option|arg|cli\\b|switch|toggle|bool|server_args|param|enable|disable"),
    term("argument", "arguments?|parameters?|args?", "参数", "arg|param|--|option|flag|kwarg|signature|weight|conf|setting|env|template|input"),
    term("environment variable", "environment variables?|env(?:ironment)? vars?", "环境变量", "env|environ|[a-z]+_[a-z_]+="),
    term("dependency", "dependenc(?:y|ies)", "依赖", "depend|require|pin|version|bump|upgrade|import|package|pyproject|submodule|install|rely|reli"),
    term("version", "versions?", "版本", "version|v?\\d+\\.\\d+|bump|release|upgrade|tag\\b|pin|compat|newer|older|or later|or above"),
    term("template", "templates?", "模板", "templat|jinja|chat"),
    term("parser", "pars(?:e|es|ed|ing|er|ers)", "解析", "pars|regex|json|grammar|extract|decode|resolv|deserial|read"),
    term("tool call", "tool[ -]?calls?|tool[ -]?calling|function[ -]?call\\w*", "工具调用|函数调用", "tool|function"),
    term("reasoning", "reasoning", "推理内容|思考内容", "reason|think|cot\\b"),
    term("inference", "inference", "推理", "infer|serv|generat|decode|prefill|model|reason|think|forward|engine"),
    term("training", "train(?:s|ed|ing)?", "训练", "train|backward|grad|rl\\b|finetun|sft|optimizer"),
    term("gradient", "gradients?", "梯度", "grad|backward"),
    term("server", "servers?", "服务器|服务端", "server|serv|http|endpoint|uvicorn|api|launch|daemon"),
    term("client", "clients?", "客户端", "client|user|request|sdk|curl"),
    term("endpoint", "endpoints?", "端点|接口", "endpoint|api|route|/v\\d|url|interface|http|abstract|protocol|def\\b|method|signature|function|backend"),
    term("authentication", "authenticat\\w+|authoriz\\w+|credentials?|api keys?", "认证|鉴权|授权|凭据|密钥", "auth|token|key|credential|login|permission|secret|licen"),
    term("database", "databases?|sql", "数据库", "database|sql|db\\b|redis|store"),
    term("hash", "hash(?:es|ed|ing)?", "哈希|散列", "hash|sha\\d*|digest|checksum|fingerprint"),
    term("network", "network\\w*", "网络", "network|net\\b|http|tcp|socket|rdma|nccl|port|internet|model|layer|nn\\b|proxy|neural"),
    term("disk", "disks?", "磁盘|硬盘", "disk|file|storage|ssd|nvme|path"),
    term("tensor", "tensors?", "张量", "tensor|torch|tp\\b|shape|dtype|stride"),
    term("shape", "shapes?", "形状", "shape|size|dim|stride|view|contiguous|layout"),
    term("head", "heads?", "注意力头|头数", "head|mha|gqa|mqa"),
    term("layer", "layers?", "(?:每|逐|各|单|线性|隐藏|解码)层|层数", "layer|block|level|depth|norm|tier|hierarch|stack|l[123]\\b"),
    term("norm", "normali[sz]\\w+|rms ?norm|layer ?norm", "归一化|规范化", "norm"),
    term("activation", "activations?", "激活", "activ|silu|gelu|swiglu|relu|enabl|act\\b"),
    term("softmax", "softmax", "", "softmax"),
    term("rope", "rope|rotary", "旋转位置", "rope|rotary|mrope|yarn|posit"),
    term("position", "positions?|positional", "位置", "posit|pos\\b|rope|rotary|index|offset|loc|where|place"),
    term("offset", "offsets?", "偏移", "offset|drift|shift|stride|indptr|posit"),
    term("index", "ind(?:ex|exes|ices|exing)", "索引|下标", "ind(?:ex|ices|ptr)|idx|slot|topk|lookup|offset"),
    term("mask", "masks?|masked|masking", "掩码|遮罩", "mask|causal|bias|pad"),
    term("padding", "pad(?:s|ded|ding)?", "(?<!预)填充(?!器)", "pad|align|fill"),
    term("backend", "backends?", "后端", "backend|engine|impl|attention|kernel|provider|runner"),
    term("frontend", "front-?ends?", "前端", "front|ui\\b|web|dsl|api"),
    term("registry", "registr(?:y|ies|ation)", "注册表", "regist|entry|plugin|import"),
    term("plugin", "plugins?", "插件", "plugin|entry_point|extension|hook"),
    term("hook", "hooks?", "钩子", "hook|callback|pre-commit"),
    term("health", "health\\w*", "健康检查|健康", "health|alive|heartbeat|ready|liveness|watchdog"),
    term("priority", "priorit(?:y|ies|i[sz]e\\w*)", "优先级|优先", "priorit|prefer|first|order|urgent|weight"),
    term("grammar", "grammars?|structured output\\w*|constrained", "语法|结构化输出|约束解码", "grammar|struct|json|schema|guided|constrain|regex|ebnf|syntax|xgrammar|bitmask"),
    term("penalty", "penalt(?:y|ies)", "惩罚", "penalt|repetition|frequency"),
    term("logits", "logits?|logprobs?", "对数概率", "logit|logprob|prob"),
    term("window", "windows?|sliding", "滑动窗口|窗口", "window|swa\\b|sliding|win32"),
    term("chunk", "chunk\\w*", "分块", "chunk|block|tile|split|partition|segment"),
    term("page", "pages?|paged|paging", "分页|页", "page|paged|block"),
    term("block", "blocks?", "(?<!模)块(?!钱)", "block|chunk|page|tile|cta\\b|segment|brick|module|hunk|shard|part"),
    term("tile", "til(?:e|es|ed|ing)", "分块|平铺|瓦片", "til|block|cta|chunk|split|partition"),
    term("warp", "warps?", "线程束", "warp|wave"),
    term("cluster", "clusters?", "集群", "cluster|multi.?node|ray|k8s|cta"),
    term("barrier", "barriers?|sync(?:s|ed|hroni[sz]\\w+)?", "屏障|栅栏|同步", "barrier|lockstep|sync|fence|wait|join|mbar|event|stream|update|mirror|align|bump|cherry"),
    term("asynchronous", "async\\w*", "异步", "async|await|non_?blocking|overlap|background|concurren|thread|stream"),
    term("overlap", "overlap\\w*", "重叠", "overlap|async|concurren|pipelin|hid"),
    term("shared memory", "shared[ -]memory|smem", "共享内存", "shared|smem|shm|ipc"),
    term("register", "registers?(?= (?:spill\\w*|pressure|usage|files?|allocation|per)\\b)", "寄存器", "regist|reg\\b|regs\\b|spill"),
    term("tuning", "tun(?:e|es|ed|ing)|autotun\\w+", "调优|调参", "tun|config|heuristic|optimi|best|sweep"),
    term("session", "sessions?", "会话", "session|conversation|chat|turn"),
    term("prompt", "prompts?", "提示词", "prompt|input|message|template"),
    term("permission", "permissions?", "权限", "permission|access|chmod|role|privileg|auth"),
    term("model", "models?", "模型", "model|qwen|llama|deepseek|glm|kimi|gemma|mistral|vlm|llm|arch|hf\\b|mtp|moe|lora|weight|gpt|encoder"),
    term("user", "users?", "用户", "user|people|customer|client|anyone|who\\b|caller|request|you\\b"),
    term("license", "licen[sc]\\w+", "许可证", "licen|copyright|spdx"),
    term("reviewer", "reviewers?|maintainers?", "审阅者|维护者", "review|maintain|owner|codeowner"),
)  # fmt: skip
SUBJECTS = (*TROUBLES, *THINGS)


def unlicensed(rest: str, words: str) -> Iterator[str]:
    """Give the subjects of a sentence in lower case that no word of the source allows."""
    for subject, spelled in said(SUBJECTS, rest):
        if not subject.licence.search(words):
            yield spelled


def subjects(text: str) -> frozenset[str]:
    """Give the subjects of a text in one spelling."""
    return frozenset(subject.name for subject, _ in said(SUBJECTS, text))


def licensed_words(rest: str, words: str) -> Iterator[str]:
    """Give the words of a sentence that say a subject which the source has in other words."""
    for subject, _ in said(SUBJECTS, rest):
        if subject.licence.search(words):
            for found in subject.said.finditer(rest):
                yield from found.group().split()


def is_trouble(word: str) -> Term | None:
    """Give the trouble that a word names, or None."""
    return next((trouble for trouble in TROUBLES if trouble.said.search(word)), None)
