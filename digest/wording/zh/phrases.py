"""Errors, gaps, refusals and answers in Chinese."""

from digest.github_web import web
from digest.wording import phrases as of

COMMANDS: of.Commands[str] = of.Commands(
    too_long=lambda count, most, example: f"命令有 {count} 个字符，过长，最多 {most} 个：{example}",
    did_you_mean_command=lambda first, meant: f"没有 {first} 这个命令：是想输入 {meant} 吗？",
    for_command_line=lambda first, instead: f"{first} 只用于命令行，这里请用：{instead}",
    all_for_command_line=lambda instead: f"该命令只用于命令行，这里请用：{instead}",
    no_more_words=lambda command, example: f"{command} 之后不带其他词：{example}",
    no_words=lambda example: f"请写明要搜索什么：{example}",
    nothing_to_search="没有要搜索的词：search flash attention",
    no_item=lambda example: f"请写明是哪一项：{example}",
    no_help=lambda topic, hint: f"没有关于 {topic} 的帮助：{hint}",
    topics=lambda topics: f"可选 {topics}",
    did_you_mean=lambda meant: f"是想输入 {meant} 吗？",
    not_this_time=lambda when, meant: f"{when} 不是时间：是想输入 {meant} 吗？",
    neither_time_nor_change=lambda when, first, second, third: (
        f"{when} 既不是时间也不是变更：{first}、{second} 或 {third}"
    ),
    no_channel=lambda text: f"{text} 不是频道：请写 slack:TEAM/CHANNEL 或 discord:GUILD/CHANNEL",
    nobody=lambda word: (
        f"{word} 不是任何人：请写 members、admins，或用 slack:T0123/U0456、slack:T0123/S0456、"
        "discord:1234/5678、discord:1234/role:5678 写人和组"
    ),
)

REPOSITORIES: of.Repositories[str] = of.Repositories(
    watched=lambda repo, alias: f"已关注 {repo}，别名 {alias}",
    not_watched=lambda alias: f"已不再关注 {alias}",
    unknown=lambda name, hint: f"没有名为 {name} 的仓库：{hint}",
    write=lambda names: f"请写 OWNER/NAME，或 {names} 之一",
    only_this=lambda repo: f"该来源只有 {repo}：请去掉 --source",
    alias_taken=lambda alias, taken, repo, other: (
        f"{alias} 已经指 {taken}：请用 watch {repo} as {other}"
    ),
    no_alias=lambda alias, hint: f"{alias} 不是已关注仓库的别名：{hint}",
    only_this_not=lambda only, name, short: f"该来源只有 {only}，没有 {name}：请写 {short}",
    not_owner_name=lambda name, example: f"{name} 不是 OWNER/NAME 的形式：{example}",
    alias_is_word=lambda alias, repo: f"{alias} 是命令中的词：请用 watch {repo} as my-{alias}",
    alias_letter=lambda alias, example: f"别名须以字母开头，{alias} 不是：{example}",
    which_alias="请写明哪个别名：unwatch torch",
    watch_which=lambda example: f"请写明关注哪个仓库：{example}",
)

SUBSCRIBING: of.Subscribing[str] = of.Subscribing(
    first_follows="第一个讨论串马上发出。",
    unless_quiet="第一个讨论串马上发出，除非昨天无动静。",
    not_had=lambda why: f"还缺一点：{why}。",
    hour_and_end=lambda hour, end: f"换个时间：{hour}。停止接收：{end}。",
    managers_only="只有有“管理频道”权限的成员可以用按钮更改本频道的订阅：请联系他们",
    discord_only="发布和提及身份组仅适用于 Discord",
    no_repositories=lambda example: f"请写明哪些仓库：{example}",
    twice=lambda keyword, example: f"{keyword} 写了两次：{example}",
    nothing_follows=lambda keyword, example: f"{keyword} 之后缺少内容：{example}",
    not_a_repository=lambda name, example: f"{name} 不是仓库：{example}",
    from_which=lambda one, every: f"请写明哪些：{one}，或 {every}",
    nothing_yet=lambda example: f"本频道还没有订阅：{example}",
    which_first=lambda example: f"本频道要订阅哪个仓库？点选一个，或一次写出几个：{example}",
    paused_until=lambda example: f"本频道暂停接收，恢复请用：{example}",
    no_subscription=lambda example: f"本频道没有订阅：{example}",
    not_subscribed=lambda repo: f"本频道没有订阅 {repo}",
    subscribed_to_others=lambda repo, names: f"本频道没有订阅 {repo}，已订阅的是 {names}",
    too_many=lambda count, max_repos: (
        f"{count} 个仓库过多，一个频道最多 {max_repos} 个：请取消一些，或另用一个频道"
    ),
    may_not="只有管理员和 INFRA_MAY_SUBSCRIBE 中列出的人可以更改本频道的订阅：请联系他们",
    stranger="访客、其他组织的人，以及暂时无法确认身份的人不能更改这里的设置：请联系成员",
    changed=lambda what: f"本频道订阅：{what}。",
    unreached=lambda what, why: f"本频道订阅：{what}。目前还无法发送：{why}。",
    caught_up="其间应发送的内容马上补发。",
    ended="本频道不再接收讨论串。",
    goes_on=lambda example: f"恢复请用：{example}",
    back_by_itself=lambda example: f"解决后会自动继续，立即恢复请用：{example}",
    which_zone=lambda at, example: (
        f"本频道的 {at} 是哪个时区的时间？请选择，或写明其他时区：{example}"
    ),
    really_all=lambda names: f"本频道将不再收到 {names} 的任何内容，设置也会一并删除。",
    end_all="全部取消订阅",
    paused_since=lambda date: f"自 {date} 起",
)

CHANNELS: of.Channels[str] = of.Channels(
    gets=lambda repos, days, at, tz: f"{days} {at}（{tz}）播报 {repos}",
    every_day="每天",
    on_weekdays="工作日",
    on=lambda days: f"每{days}",
    weekly_on=lambda days: f"每{days}",
    in_language=lambda name: f"{name}",
    without=lambda names: f"不含：{names}",
    paths=lambda globs: f"路径 {globs}",
    topics=lambda words: f"主题 {words}",
    nothing_if_quiet="平静的日子不发",
    eyes_open="👀 会发起跟进",
    eyes_nothing="👀 不会发起跟进",
    one_thread="合并为一个讨论串",
    published="向关注该频道者发布",
    mentioned_on=lambda what: f"遇{what}时提及身份组",
    what_breaks="不兼容变更",
    security="安全问题",
    and_paused=lambda what, why: f"{what}；已暂停：{why}",
    and_failed=lambda what, why: f"{what}；上次出错：{why}",
)

CITIES: of.Cities[str] = of.Cities(
    san_francisco="旧金山",
    new_york="纽约",
    london="伦敦",
    berlin="柏林",
    india="印度",
    beijing="北京",
    tokyo="东京",
)

CONCERNS: of.Concerns[str] = of.Concerns(
    not_a_list=lambda word, example: (
        f"concern 之后是词的列表、add 或 remove，不是 {word}：{example}"
    ),
    say_what=lambda word, example: f"请写明 {word} 是什么：{example}",
    too_many_words=lambda count, name, most: f"{name} 有 {count} 个词，过多，最多 {most} 个",
    not_a_word=lambda word, example: f"{word} 过长，或不是词：{example}",
    add_what=lambda example: f"请写明哪个公开仓库用到什么：{example}",
    nothing_said=lambda words, codebase: f"尚未说明什么与本频道有关：{words}，或 {codebase}",
    none_called=lambda name, has: f"没有名为 {name} 的项：有 {has}",
    taken=lambda names: f"已移除：{names}",
    too_many=lambda most, example: f"每个频道最多 {most} 项：请先移除一项：{example}",
    one_at_a_time="添加代码库、移除、手写词，每次只做一件；of 只与 add 一起使用",
    not_read=lambda repo, why: f"{repo} 未能读取：{why}",
    too_much=lambda repo, disk, memory: (
        f"{repo} 太大，无法在此读取：超过 {disk} MB 文件或 {memory} MB 内存；"
        "请在有该代码库的地方运行 infra surface，再提供生成的文件"
    ),
    too_slow=lambda repo, seconds: f"{repo} 在 {seconds} 秒内未能读完",
    files_not_told=lambda count: (
        f"{count} 个文件不在此处播报：现在有其他人能看到本频道；请在可以播报的地方重新提供"
    ),
    by_hand=lambda name, words: f"手写（{name}）：{words}",
    used=lambda name, repo, names, places, date: (
        f"{name} 用到 {repo} 的 {names} 个名称，共 {places} 处，读取于 {date}"
    ),
    unread=lambda name: f"{name} 即将读取，之后每天读取一次",
    and_failed=lambda what, why: f"{what}；上次读取失败：{why}",
    not_an_address=lambda example: f"文件须从公开的 https 地址获取：{example}",
    not_public=lambda host: f"{host} 不是公开地址：请给出所有人都能读取的文件，或直接上传",
    not_fetched=lambda address, why: f"未能获取 {address}：{why}",
    too_large=lambda name, most: (
        f"{name} 大于 {most} MB：请用 infra surface --of REPO 只保留一个上游仓库"
    ),
    not_text=lambda name: f"{name} 不是文本：请提供 infra surface 写出的文件",
    uses_nothing=lambda name: f"{name} 没有说明用到了什么：请用 infra surface PATH --of REPO 生成",
    too_many_hops="跳转过多",
    status=lambda number: f"服务器答复 {number}",
    no_answer="没有答复",
)

UPGRADES: of.Upgrades[str] = of.Upgrades(
    needs_clone=lambda repo: (
        "这要读取整个范围的每个提交，录制文件里没有：请去掉 --source，或加上 --source "
        f"git:{web()}/{repo}"
    ),
    or_clone=lambda why: f"{why}；已有克隆时无需网络：--source git:路径",
    tree_too_large=lambda repo: (
        f"{repo} 的文件多于 GitHub 能列出的数量：请用 --source git:{web()}/{repo} 给出克隆"
    ),
    needs_token=lambda count, repo: (
        f"这要请求 GitHub {count} 次，而没有令牌时每小时只有 60 次：请设置 GITHUB_TOKEN，或用 "
        f"--source git:{web()}/{repo} 给出克隆"
    ),
    spent="本小时剩余的 GitHub 请求留给晨报：请在一小时内再问一次，会从中断处继续",
    unread=lambda count, names: f"未能查看：{count}（{names}）",
    cut="范围内的提交多于 GitHub 能列出的数量：最旧的不在此报告中",
    no_release=lambda repo: f"{repo} 没有发布版本：请写明到哪里，如 v0.15.0..TAG_OR_SHA",
    not_pinned=lambda repo, pins: (
        f"{repo} 没有所钉住的标签或提交（{pins}）：请写明从哪里，如 v0.15.0.."
    ),
    no_pin="没有钉住任何版本：请写明从哪里，如 v0.15.0..v0.16.0",
    following=lambda count: f"追踪名称（文件 {count} 个）",
    listing=lambda done, total: f"列出变更的文件（{done}/{total}）",
    comparing=lambda done, total: f"比较定义（提交 {done}/{total}）",
    both_ends=lambda count: f"比较两端（文件 {count} 个）",
    of_what=lambda example: f"请写明哪个仓库、从哪里到哪里：{example}",
    not_a_span=lambda words, example: f"{words} 不是标签或 SHA 的范围：{example}",
    being_read="与本频道有关的代码库正在读取：请几分钟后再问",
    no_surface=lambda repo, example: f"就已读取的内容而言，本频道没有代码库用到 {repo}：{example}",
    one_at_a_time="本频道正在生成一份报告：请等它完成后再问",
    whole="完整报告：",
    whole_by=lambda example: f"完整报告以文件给出：{example}",
    no_file=lambda why: f"完整报告的文件未能发送：{why}",
)

SETTINGS: of.Settings[str] = of.Settings(
    choose_days="请至少选择一天。",
    old_form="该表单已过期：请关闭后重新打开设置。",
    not_a_time=lambda given, example: f"{given} 不是一天中的时刻：{example}",
    beyond_clock=lambda given, example: f"{given} 不在 24 小时之内：{example}",
    no_days=lambda example: f"请写明星期几：{example}",
    weekly=lambda alone, example: f"weekly 是一周中的一天：{alone}，或 {example}",
    days=lambda first, second, third: f"{first}、{second} 或 {third}",
    not_a_day=lambda word, hint: f"{word} 不是星期：{hint}",
    no_choice=lambda word, examples: f"不能选择 {word}：{examples}",
    too_many=lambda count, name, most, example: (
        f"{name} 有 {count} 项，过多，最多 {most} 项：{example}"
    ),
    not_followed=lambda word, name, example: f"{word} 不能用于 {name}：{example}",
)

WINDOWS: of.Windows[str] = of.Windows(
    no_zone=lambda name, hint: f"没有名为 {name} 的时区：{hint}",
    zones="时区名如 UTC、Asia/Shanghai 或 Europe/Berlin",
    one_end=lambda words, yesterday, today: f"{words} 只有一端：请写 {yesterday}..{today}",
    one_end_of_tags=lambda words: f"{words} 只有一端：请写两个标签或 SHA，如 v0.15.0..v0.15.1",
    not_a_time=lambda words, hint: f"{words} 不是时间：{hint}",
    forms=lambda forms: f"请写 {forms} 之一",
    not_a_date=lambda words, today: f"{words} 不是日期：请写年-月-日，如 {today}",
    no_such_day=lambda words, _month_name, _year, length, near_day: (
        f"{words} 不存在，该月有 {length} 天：请试 {near_day}"
    ),
    two_zones=lambda name, one, other: f"{name} 既指 {one}，也指 {other}：请写其中之一",
    no_days="天数不能为零：请试 yesterday",
    backwards=lambda first, last: f"{first}..{last} 前后颠倒：请写 {last}..{first}",
    to_come=lambda last, today, key, near: f"{last} 尚未到来，{key} 现在是 {today}：请试 {near}",
    too_early=lambda first, first_day: f"{first} 早于 git 诞生之日：请从 {first_day} 或之后开始",
    too_long=lambda count, max_days, near_first, last: (
        f"{count} 天过长，最多 {max_days} 天：请试 {near_first}..{last}"
    ),
    just_begun=lambda today, key: f"{key} 的 {today} 才刚开始：请试 yesterday",
    skipped=lambda key, first, near_day: f"{key} 的日历中没有 {first}：请试 {near_day}",
    nothing_between=lambda base, head: (
        f"{head} 与 {base} 相同：请写两个版本"
        if base == head
        else f"{head} 没有 {base} 之外的内容：请试 {head}..{base}"
    ),
    good_is_newer=lambda good, bad: f"{good} 比 {bad} 更新：请先写正常的版本，再写其后出错的版本",
)

CHAT: of.Chat[str] = of.Chat(
    failed_repos=lambda repos, why: f"{repos}：{why}",
    both=lambda first, second: f"{first}；{second}",
    own_error_with=lambda repo: f"Infra Digest 处理 {repo} 时自身出错，详见其日志",
    not_allowed=(
        "不允许在此播报：INFRA_PRIVATE_REPOS 没有为本工作区写入，或会被访客、其他组织的人看到"
    ),
    asked_much=lambda wait: f"你短时间内的请求较多：请在 {wait}后再试",
    workspace_asked_much=lambda wait: f"本工作区短时间内的请求较多：请在 {wait}后再试",
    seconds=lambda count: f"{count} 秒",
    minutes=lambda count: f"{count} 分钟",
    much_said="此后的消息太多，机器人无法逐条查找",
    mention_asks=lambda command: f"提及只用来提问，这里请用 {command}",
    no_token=lambda platform: f"没有 {platform} 的令牌：请管理员设置",
    clock=lambda day: (
        f"时钟（PostgreSQL 的，否则是这台机器的）显示 {day}，因此不会发送任何内容："
        "请校准时钟，大多数机器开启 NTP 即可"
    ),
    own_error="摘要未能生成，Infra Digest 自身出错，详见其日志；将以渐长的间隔重试",
    may_not_share="只有能在此发言的人才能分享：回答仅你可见",
    nothing_to_share="这个回答没有可分享的内容",
    broken="出错了，已记入机器人的日志；可以再试一次。",
    model_not_json=lambda model: f"{model} 有回答，但不是 JSON：请换一个模型",
    of_check_model=lambda why: f"INFRA_MODEL_CHECK：{why}",
    cost_not_noted="模型的用量无法记录，因此没有询问模型",
    no_platform=(
        "没有设置任何平台：请设置 SLACK_BOT_TOKEN 和 SLACK_APP_TOKEN，或 DISCORD_TOKEN，"
        "见 docs/slack.zh.md 和 docs/discord.zh.md"
    ),
    port_taken=lambda host, port, names: f"无法监听 {host}:{port}：请更改 {names}",
    no_tokens=lambda name: f"不得花费词元：{name} 为 0",
)

MODEL_SERVER: of.ModelServer[str] = of.ModelServer(
    timeout=lambda host, model, status: (
        f"模型服务器 {host} 未在限时内答复：请检查它是否在运行、是否过载"
    ),
    unreachable=lambda host, model, status: (
        f"无法连接模型服务器 {host}：请检查它是否在运行，以及 OPENAI_BASE_URL"
    ),
    certificate=lambda host, model, status: (
        f"模型服务器 {host} 的证书在此不受信任：请在 SSL_CERT_FILE 中写入其颁发机构的文件"
    ),
    address=lambda host, model, status: (
        f"{host} 的答复不像模型服务器：请检查 OPENAI_BASE_URL，它多以 /v1 结尾"
    ),
    key=lambda host, model, status: f"模型服务器 {host} 拒绝了密钥：请检查 OPENAI_API_KEY",
    access=lambda host, model, status: (
        f"模型服务器 {host} 不让该密钥使用 {model}：请检查 INFRA_MODEL 和密钥"
    ),
    unknown_model=lambda host, model, status: (
        f"模型服务器 {host} 上没有模型 {model}：请检查 INFRA_MODEL"
    ),
    quota=lambda host, model, status: f"{host} 的账户额度已用完：请检查其套餐",
    busy=lambda host, model, status: f"模型服务器 {host} 暂不接受更多提问（429）：请稍后再试",
    broken=lambda host, model, status: f"模型服务器 {host} 出错（{status}）：请稍后再试",
    refused=lambda host, model, status: f"模型服务器拒绝了提问（{status}）",
    too_long=lambda host, model, status: f"提问过长，{model} 读不下",
    declined="模型拒绝作答",
    cut="模型的答复在长度上限处被截断",
    empty="模型的答复为空",
    far_longer="模型的答复远超所要的长度",
    without_json="模型的答复里没有所要格式的 JSON",
)

FOLLOWUPS: of.Followups[str] = of.Followups(
    no_such=lambda word, hint: f"没有 {word} 这类跟进项：{hint}",
    which=lambda example: f"{example}、open、done 或 all",
    old_question="该提问已过期：请重新标记该消息",
    old_button="该按钮已过期：请用命令重新查询",
    may_not="只有管理员和 INFRA_MAY_FOLLOW_UP 中列出的人可以跟进：请联系他们",
    may_not_write="只有能在此发言的人可以跟进",
)

GITHUB: of.GitHub[str] = of.GitHub(
    no_repo=lambda repo: f"没有仓库 {repo}，或者它是私有的：请核对名称，如 vllm-project/vllm",
    nothing_at=lambda repo, ref: f"{repo} 的 {ref} 没有可读的内容：请核对编号，如 #18905",
    no_end=lambda repo, ref: f"{repo} 没有标签或提交 {ref}：请按仓库中的写法写出标签，或给出 SHA",
    no_item=lambda repo, ref, example: (
        f"{repo} 没有 {ref} 这样的 PR、Issue、提交或标签：可看 {example}"
    ),
    refuses_repo=lambda repo: f"GitHub 不允许此令牌查看 {repo}，或已将其屏蔽",
    private=lambda asked: f"{asked} 是私有仓库：允许播报时请写入 INFRA_PRIVATE_REPOS",
    nothing_there="GitHub 上没有该内容，或者它是私有的：请核对名称，如 vllm-project/vllm",
    unknown_name="GitHub 上没有该名称：请核对编号、SHA 或标签",
    blocked="GitHub 因法律原因屏蔽了该仓库",
    token_may_not="GitHub 不允许此令牌查看：请核对其权限",
    may_not="GitHub 不允许查看",
    bad_token="GitHub 拒绝了令牌：请将 GITHUB_TOKEN 设为有效令牌，或不设",
    pause=lambda time: f"GitHub 要求暂停到 {time} UTC，请届时再试",
    limit=lambda until: f"GitHub 每小时的限额已用完{until}，请届时再试",
    limit_without_token=lambda until: (
        f"GitHub 无令牌时每小时 60 次请求已用完{until}：设置 GITHUB_TOKEN 可查看更多仓库"
    ),
    until=lambda time: f"，{time} UTC 恢复",
    own_error=lambda status: f"GitHub 自身出错（{status}），请几分钟后再试",
    not_accepted=lambda status: f"GitHub 不接受该请求（{status}）：请核对 GITHUB_API_URL",
    bad_answer=lambda what: f"GitHub 的回答格式有误（{what}），请稍后再试",
    broke_off="与 GitHub 的连接中断，请稍后再试",
    not_reached="无法连接 GitHub，请稍后再试",
    no_network="无法连接 GitHub：请检查网络和 GITHUB_API_URL",
    too_slow="GitHub 未及时回答，请稍后再试",
    cut_off="GitHub 的回答不完整，请稍后再试",
    not_json="GitHub 的回答不完整或不是 JSON，请稍后再试",
    circle="GitHub 的地址循环跳转：请核对 GITHUB_API_URL",
    unknown_packing="GitHub 的回答压缩方式未知：请核对 GITHUB_API_URL",
    next_page_elsewhere="GitHub 的下一页指向另一台服务器：请核对 GITHUB_API_URL",
    other_server="GitHub 跳转到另一台服务器：请核对 GITHUB_API_URL",
    bad_graphql="GitHub GraphQL 的回答格式有误，请稍后再试",
    graphql_unknown="GitHub GraphQL 不认识所查内容：请核对 GITHUB_API_URL",
    unfinished="GitHub 未能完成查询，请几分钟后再试",
    no_branch="GitHub 没有给出默认分支",
    no_repository_given="GitHub 没有给出该仓库，请几分钟后再试",
    too_large=lambda size: f"GitHub 的回答超过 {size} MB",
    another_repository="GitHub 回答的是另一个仓库，请稍后再试",
    something_else="GitHub 回答的是别的内容",
    moved="GitHub 已将它移到另一个仓库",
    not_given=lambda number: f"GitHub 没有给出 #{number}",
    not_all_given=lambda number: f"GitHub 没有给全 #{number}",
    in_part="GitHub 只给出了一部分",
    too_many_since="此后的数量过多，未能全部查看",
    files_cut=lambda most, refs: f"GitHub 最多列出一项变更的 {most} 个文件：见 {refs}",
    later_reverts="之后的回退未能查到",
    too_many=lambda advice: f"一小时内读不完：{advice}",
    too_many_since_then=lambda advice: f"此后的数量一小时内读不完：{advice}",
    older_without_details=lambda advice: f"较早的没有描述、标签和状态：{advice}",
    reopened_not_read=lambda count, advice: f"{count} 项的重开时间未读取：{advice}",
    tags_not_read=lambda advice: f"没有发布的标签未全部查看：{advice}",
    without_token=lambda advice: (
        f"没有令牌时看不到由谁合并、关闭了哪些 Issue、没有发布的标签：{advice}"
    ),
    files_not_read=lambda left, count, advice: (
        f"{count} 项变更中有 {left} 项的文件未读取：{advice}"
    ),
    merge_too_large=lambda sha, advice: f"合并 {sha} 带来的提交过多，未能读完：{advice}",
    merges_not_read=lambda count, advice: f"{count} 次合并带来的提交未读取：{advice}",
    set_token="设置 GITHUB_TOKEN 即可看到",
    following_needs_token="跟踪上游需要 GITHUB_TOKEN：请设置它",
)

UNREAD: of.Unread[str] = of.Unread(
    reopening=lambda number, why: f"#{number} 的重开时间未能读取：{why}",
    rewritten=lambda why: f"分支是否被改写未能得知：{why}",
    patches=lambda count, why: f"{count} 项变更的补丁未能读取：{why}",
    merge=lambda sha, why: f"合并 {sha} 带来的提交未能读取：{why}",
    originals=lambda why: f"被回退的变更未能查到：{why}",
    later_reverts=lambda why: f"之后的回退未能查到：{why}",
    some=lambda count, why: f"{count} 项未能读取：{why}",
    commit=lambda sha, why: f"{sha} 未能读取：{why}",
)

GIT: of.Git[str] = of.Git(
    # the first two are in stored days
    no_issues="git 中没有 Issue",
    no_descriptions="git 中没有 PR 的描述和标签",
    no_talk="git 中没有 Issue，PR 只有其提交中的内容",
    shallow="这是浅克隆，缺少较早的提交：git fetch --unshallow",
    files_not_compared=lambda missing, whole: f"{whole} 个文件中有 {missing} 个未能比较接口",
    patches_too_large=lambda refs: f"补丁过大（单个过大，或该时段合计过大），未读取：见 {refs}",
    patches_lost=lambda refs: f"git 库中缺少文件内容，补丁未读取：见 {refs}",
    from_before=lambda why: f"{why}；以下为之前取回的内容",
    being_fetched="另一个 infra 仍在取回该仓库",
    needs_login=lambda where: f"{where} 需要登录：请先让 `git ls-remote {where}` 可用，再重试",
    no_repository=lambda where, error: f"{where} 没有仓库：请核对地址（{error}）",
    no_answer=lambda where, error: f"{where} 没有回应：请检查网络（{error}）",
    not_fetched=lambda where, error: f"{where} 未能取回：{error}",
    no_folder=lambda where: f"没有目录 {where}：请核对路径",
    is_a_file=lambda where: f"{where} 是文件：请写克隆所在的目录",
    other_owner=lambda path: (
        f"{path} 属于另一用户：如信任它，请运行 git config --global --add safe.directory {path}"
    ),
    not_git=lambda path: f"{path} 不是 git 仓库：请写一个克隆或裸仓库",
    no_branch=lambda branch: (
        f"默认分支 {branch} 不存在：请用 git symbolic-ref HEAD refs/heads/NAME 指定另一个"
    ),
    no_item=lambda repo, ref: f"{repo} 的 git 历史中没有变更或标签 {ref}",
    failed=lambda error: f"git 未能完成：{error}",
    too_slow=lambda command, seconds: f"git {command} 在 {seconds} 秒内没有结束，请重试",
    bad_list="git 给出的列表不完整或无法识别，请重试",
    bad_files="git 给出的文件列表不完整或无法识别，请重试",
    cannot_run=lambda place, why: f"git 无法在 {place} 中运行：{why}；请清出空间或授予权限",
    one_by_one=lambda count, head: f"未逐一查看：{count} 个更早的或只在 {head} 分支上的提交",
    more_between=lambda base, head: f"{base} 与 {head} 之间的内容多于所列",
    no_revision=lambda revision: f"{revision} 不是 git 的修订：请写标签、分支或 SHA",
    no_codebase_but_file=lambda path: (
        f"{path} 是文件：请写代码库的目录，或使用面的 .toml 或 .json 文件"
    ),
    lacks_revision=lambda name, revision: f"{name} 中没有修订 {revision}：请写标签、分支或 SHA",
    no_address=lambda text: f"{text} 不是 git 仓库的路径或地址",
    not_clonable=lambda text, schemes: f"{text} 无法克隆：请用路径，或用 {schemes} 之一",
    fetch_disk_full=lambda where: f"磁盘已满，{where} 未能取回：请清出空间",
    needs_program=lambda where, error: f"git 还需要别的程序才能读取 {where}：{error}",
    not_installed="没有安装 git：请安装（https://git-scm.com/downloads）后再试",
    cannot_read=lambda path, error: f"git 无法读取 {path}：{error}",
)

FILES: of.Files[str] = of.Files(
    cannot_write=lambda path, why: f"无法写入 {path}：{why}；请清出空间或另写一个文件",
    holds_alone=lambda file, label, start, end: f"{file} 只有 {label}（{start} 至 {end}）",
    other_repo=lambda file, repo, asked: f"{file} 是 {repo}，不是 {asked}：请查 {repo}",
    no_item=lambda file, ref: f"{file} 中没有变更、Issue 或发布 {ref}",
    missing=lambda path: f"没有文件 {path}：请核对路径",
    cannot_read=lambda path, why: f"{path} 无法读取：{why}",
    damaged=lambda path: f"{path} 不是录制文件，或已损坏：请重新记录",
    not_recorded=lambda kind, place, why: f"不是有效的记录（{kind}）：{place}：{why}",
    no_zones=lambda path: f"{path} 中的时间没有时区：应写作 2026-02-11T09:30:00Z",
    no_versions="录制文件里没有版本：请按日期查询，或去掉 --source",
    by_patches="录制文件只按补丁讲用户会遇到什么",
    no_room=lambda place, why: f"无法写入 {place}：{why}；请清出空间或给予权限",
    no_backup=lambda path: f"{path} 不是备份，或已损坏：请写 infra backup 写出的文件",
    own_database=lambda path: f"{path} 就是数据库本身：请写 infra backup 写出的文件",
    not_utf8=lambda path: f"{path} 不是 UTF-8 文本：请换个目录",
)

DATABASE: of.Database[str] = of.Database(
    opened="数据库",
    file=lambda path: f"数据库 {path}",
    in_memory="内存中的数据库",
    postgresql=lambda name, host: f"{host} 上的 PostgreSQL 数据库 {name}",
    postgresql_here=lambda name: f"本机的 PostgreSQL 数据库 {name}",
    disk_full=lambda place: f"存放 {place} 的磁盘已满：请清出空间后再试",
    locked_by_program=lambda place: f"{place} 被另一程序锁定：请结束该程序，或稍后再试",
    not_writable=lambda place: (
        f"{place} 无法写入：请允许写入该文件及其目录，或在 DATABASE_URL 中另写一个文件"
    ),
    not_openable=lambda place: (
        f"{place} 无法打开：请允许读写其目录，或在 DATABASE_URL 中另写一个文件"
    ),
    disk_fails=lambda place: f"磁盘无法读写 {place}：请清出空间或检查磁盘后再试",
    damaged=lambda place: f"{place} 已损坏：请恢复备份，或移走该文件重新开始",
    not_sqlite=lambda place: (
        f"{place} 不是 SQLite 数据库：请在 DATABASE_URL 中另写一个文件，或移走此文件"
    ),
    server_full=lambda place: f"{place} 的磁盘已满：请清出空间后再试",
    no_resources=lambda place: f"{place} 资源用尽，请稍后再试",
    read_only=lambda place: f"{place} 只读：请在 DATABASE_URL 中写主服务器",
    locked=lambda place: f"{place} 被另一程序锁定，请稍后再试",
    restarting=lambda place: f"{place} 正在关闭或启动，请稍后再试",
    refuses_user=lambda place: f"{place} 拒绝该用户或密码：请更正 DATABASE_URL",
    missing=lambda place: f"服务器上没有 {place}：请创建，或更正 DATABASE_URL",
    other_program=lambda place: f"{place} 中有其他程序的表：请在 DATABASE_URL 中另写一个数据库",
    no_rights=lambda place: f"{place} 不允许该用户操作：请授予权限，或更正 DATABASE_URL",
    not_migrated=lambda place: f"{place} 未按此版本设置：请运行 `infra db upgrade`",
    no_answer=lambda place: f"{place} 没有回应：请确认它在运行，且 DATABASE_URL 正确",
    unusable=lambda place, cause: f"{place} 无法使用：{cause}",
    deleted="数据库文件在程序运行时被删除：请从备份恢复该文件，或重新启动程序以新建一个",
    needs_store="这需要存储：请去掉 --no-store 再试",
    other_message="存储的消息由另一版本的 infra 写成",
    newer=lambda place: f"{place} 由更新版本的 infra 创建：请安装该版本",
    no_url="DATABASE_URL 不是数据库地址：请写 sqlite:///FILE 或 postgresql://…",
    other_kind=lambda name: f"DATABASE_URL 写的是 {name}：只支持 SQLite 和 PostgreSQL",
    of_another=lambda place: f"{place} 属于别的程序：请在 DATABASE_URL 中另写一个文件",
)

DISCORD: of.Discord[str] = of.Discord(
    old_command="该命令已过时：请输入 / 重新选择",
    not_a_repository=lambda repo, choose, example: (
        f"{repo} 不是仓库：请选择 {choose}，或 {example}"
    ),
    not_both=lambda example: f"请在时间与变更中选择其一：{example}",
    token="Discord 拒绝了机器人的令牌：请在 Developer Portal 的 Bot 页重置，并更新 DISCORD_TOKEN",
    gone="Discord 没有向机器人显示该频道：请在其他频道订阅",
    not_on_server="机器人已不在该服务器：请用 infra discord invite 给出的链接重新邀请",
    lacks=lambda names: f"机器人在该频道缺少权限 {names}：请在“编辑频道”的“权限”中授予",
    locked="讨论串（子区）已锁定：请版主解锁",
    many_threads="该服务器的活跃讨论串（子区）已达上限：请关闭一些",
    not_text="这类频道不能接收晨报：请在文字、公告或论坛频道中订阅",
    not_served="本机器人不服务于该服务器：请其运行者把该服务器加入 INFRA_GUILDS",
    no_tags=lambda names: f"该论坛没有标签 {names}：请创建，或在此授予机器人“管理频道”权限",
    tag_needed=lambda name: (
        f"该论坛的每个帖子都需要标签：请创建名为 {name} 的标签，或在此授予机器人“管理频道”权限"
    ),
    not_announcement=("该频道不是公告频道，因此不会向其他服务器发布：请更改频道类型，或关闭发布"),
    no_role="要提及的身份组已不存在：请另选一个，或不提及任何人",
    role_silent=lambda name: f"{name} 的成员不会收到通知：请允许所有人提及该身份组",
    not_published=lambda why: f"晨报已在本频道，但未向其他服务器发布：{why}",
    no_messages="此人不接收机器人的私信",
    message_gone="该消息或其讨论串已不存在",
    thread_archived="讨论串（子区）已归档",
    has_thread="该消息已有讨论串",
    not_taken="Discord 不接受这条消息的格式",
    limited="Discord 暂时不再接受请求",
    unclear="Discord 没有回答，或回答有误",
    no_name="Discord 接受了消息，但未说明是哪一条",
    half_done="Discord 出错，未说明是否已完成",
    not_reached="无法连接 Discord",
    stopped=lambda status: f"Discord 之前的某处以状态 {status} 拒绝",
    refuses=lambda status: f"Discord 以状态 {status} 拒绝：请管理员查看该应用",
    lost="这个按钮已失效：请重新查询。",
    pages=lambda page, pages: f"第 {page} / {pages} 页",
)

SLACK: of.Slack[str] = of.Slack(
    token="Slack 拒绝了机器人的令牌：请管理员重新安装应用，并更新 SLACK_BOT_TOKEN",
    gone=(
        "Slack 没有向机器人显示该频道：若是私有频道，请在其中输入 /invite @Infra，否则请在其他"
        "频道订阅"
    ),
    archived="频道已归档：请取消归档，或在其他频道订阅",
    not_in="机器人不在该频道中：请在其中输入 /invite @Infra",
    may_not_post="工作区不允许机器人在此发言：请管理员在频道的发言权限中允许",
    scope="Slack 应用缺少权限：请管理员对照 `infra slack manifest` 的权限重新安装",
    scope_named=lambda needed: (
        f"Slack 应用缺少权限：请管理员对照 `infra slack manifest` 的权限重新安装（缺少 {needed}）"
    ),
    refuses=lambda code: f"Slack 以 {code} 拒绝：请管理员查看该应用",
    message_gone="该消息已不存在",
    too_long="Slack 不接受这么长的消息",
    unclear="Slack 没有回答，或回答有误",
    no_name="Slack 接受了消息，但未说明是哪一条",
    too_late="回答对 Slack 来说太迟：请再问一次",
    not_taken="Slack 不接受这条消息的格式",
    limited="Slack 暂时不再接受消息",
    half_done="Slack 出错，未说明是否已完成",
    not_reached="无法连接 Slack",
    stopped=lambda status: f"Slack 之前的某处以状态 {status} 拒绝",
    working="正在查看，结果会发在这里。",
    settings="打开设置",
    home_followups="你的跟进项",
    home_channels="你所在频道的订阅",
    home_none="你所在的频道都还没有订阅。",
    home_direct="你与机器人的私信：",
    home_more=lambda count: (
        f"本工作区另有 {count} 个频道未查看：在频道里输入 `/infra subscriptions` 即可得知其订阅。"
    ),
    home_set_up="设置频道",
    home_set_up_how=(
        "先用 `/invite @Infra` 邀请机器人，再选择频道。其他问题在任何会话里用 `/infra` 提问。"
    ),
    home_choose="选择频道",
    home_not_there="你和机器人都要在该频道里：请先在那里输入 /invite @Infra。",
    home_not_now="暂时无法查询，请一分钟后重新打开主页。",
    no_way_to_hear="请为 Socket Mode 设置 SLACK_APP_TOKEN，或为 HTTP 设置 SLACK_SIGNING_SECRET",
    bad_app_token=(
        "Slack 拒绝了 SLACK_APP_TOKEN：请创建带有 connections:write 范围的应用级令牌，"
        "并打开 Socket Mode"
    ),
    not_installed="此 Infra 安装在另一个工作区：请管理员在此安装。",
)

OBJECTS: of.Objects[str] = of.Objects(
    a_commit="提交",
    a_file="文件",
    the_default_branch="默认分支",
    a_comparison="比较",
    a_merge="合并",
    a_pull_request="PR",
    a_pull_requests_commits="PR 的提交",
    a_release="发布",
    an_issues_events="Issue 的事件",
    changed_files="文件列表",
    commits="提交",
    issues="Issue",
    later_reverts="之后的回退",
    pull_requests="PR",
    releases="发布",
    a_tree="文件列表",
    tags="标签",
    the_limits="限额",
    the_repository="仓库",
)

PERMISSIONS: of.Permissions[str] = of.Permissions(
    manage_channels="管理频道",
    mention_everyone="提及 @everyone、@here 和所有身份组",
    manage_threads="管理子区",
    manage_server="管理服务器",
    administrator="管理员",
    view_channel="查看频道",
    send_messages="发送消息",
    embed_links="嵌入链接",
    read_history="阅读消息历史记录",
    create_threads="创建公共子区",
    send_in_threads="在子区内发送消息",
)

DELIVERING: of.Delivering[str] = of.Delivering(
    missing="此处缺少一条消息：平台拒绝了它的内容。请按名称查询相关变更。",
    refused=lambda count, day: f"{day} 的消息中有 {count} 条被拒绝，话题中缺少这些内容",
    paused=lambda channel, why: f"已停止向 {channel} 发送：{why}。",
    of_channel=lambda channel, what: f"{channel}：{what}",
)

ABSENCES: of.Absences[str] = of.Absences(
    archived="频道已归档；取消归档后会自动继续",
    deleted="频道已被删除；请在其他频道订阅",
    left="机器人已被移出频道；重新邀请后会自动继续",
    uninstalled="机器人已从该工作区或服务器移除；重新安装后会自动继续",
    failing=lambda since, why: f"自 {since} 起一直发送失败（{why}）；恢复后会自动继续",
)

SOURCES: of.Sources[str] = of.Sources(
    branch=lambda repo, now, before: f"{repo} 的默认分支已由 {before} 改为 {now}。",
    failing=lambda repo, since, why: f"自 {since} 起无法查看 {repo}：{why}。",
    silent=lambda repo, days, at: (
        f"{repo} 已 {days} 天没有动静，比以往都久；仍照常查看，最近一次是 {at}。"
    ),
    moved=lambda repo, now: f"{repo} 现名为 {now}；频道将以新名称继续播报。",
)

MENTIONS: of.Mentions[str] = of.Mentions(
    own_message=lambda date: f"本频道：{date} 以单独一条消息播报。",
    with_others=lambda date, count: f"本频道：{date} 与另外 {count} 项在同一条消息中播报。",
    in_parent=lambda date: f"本频道：{date} 在讨论串的首条消息中提及。",
    not_subscribed=lambda repo: f"本频道未订阅 {repo}。",
    left_out_by=lambda setting: f"本频道未播报：按设置 {setting} 略去。",
    to_come="本频道尚未播报：将随下一个讨论串播报。",
    by_count=lambda importance: f"本频道：仅计入数量，未单独列出（重要性：{importance}）。",
    before="本频道未播报：早于本频道的首个讨论串。",
)

REPLIES: of.Replies[str] = of.Replies(
    not_mine="这不是我发的消息，其中也没有指向此处关注仓库的变更的链接。",
    nothing_here="这条消息没有对应的变更：请选择其下的消息。",
    not_open=lambda ref: f"{ref} 尚未被标记：请先用 🚩 标记，再用 ✅ 完成。",
    shared="已分享。",
    flagged=lambda ref: f"🚩 已标记 {ref}。",
    nobody_asks="这里没有等你选择的内容：请先对消息添加 🚩。",
)

WELCOME: of.Welcome[str] = of.Welcome(
    does=(
        "我每天早上告诉频道：它所依赖的仓库前一天发生了什么，哪些会出问题，哪些是新的，哪些值得看。"
    ),
    gets_nothing="本频道还没有订阅。",
    ask=lambda day, change: (
        f"随时可问，只有你看得到回答：{day} 查某一天，{change} 查某项变更。"
        "需要处理的，添加 🚩 即可。"
    ),
    digest="今天的晨报",
    set_up="设置本频道",
    change="修改设置",
    commands="全部命令",
    which="哪个仓库？",
)

STATE: of.State[str] = of.State(
    last=lambda date: f"上一次：{date}。",
    never="尚未播报。",
    next=lambda at: f"下一次：{at}。",
    wrong=lambda why: f"上次出错：{why}。",
    lately="最近：",
    changed=lambda who, what: f"{who} 更改：{what}",
    told=lambda date: f"已播报 {date}",
    failed=lambda why: f"未能播报：{why}",
)

PAGES: of.Pages[str] = of.Pages(
    repos="仓库",
    days="所有日期",
    empty="还没有存下任何日期：第一个早间讨论串之后就会有。",
    zone=lambda tz: f"日期按 {tz} 计",
    no_page="这里没有页面",
    not_stored="这个地址下没有内容：某一天播报之后才有它的页面。",
    not_now="暂时无法读取",
    no_store="目前读不到已存内容：请过一分钟再试。",
    title="每日动态",
)

DEMONSTRATION: of.Demonstration[str] = of.Demonstration(
    own_history="本项目自己的 git 历史：最新提交的那一天。",
    recorded_day="一个虚构仓库的一天（录制数据），含 PR 和 Issue。",
    rest=lambda file: f"完整内容，以及在 Slack 和 Discord 中的样子：{file}",
    title="Infra Digest 的一个早晨",
    intro="消息内容就是机器人实际发送的，由本页绘制。仓库、人物和后续进展均为虚构。",
    more="讨论串中的其余消息",
    text="终端输出",
    morning="9 点：早间讨论串",
    morning_note=(
        "频道里只有一条消息，写明最重要的内容；其中提到的变更在讨论串里各有一条带按钮的消息。"
    ),
    flagged="Alice 标记了一项变更",
    flagged_note="用表情回应或按钮均可，消息会写明是谁标记的。",
    taken="Bob 接手",
    taken_note="从此有人负责；再按一次即放弃。",
    released="一天后随版本发布",
    released_note=(
        "已标记的事项，机器人会跟踪其上游状态，有结果时在讨论串里说一次，并更新该变更的消息。"
    ),
    done="Bob 升级完毕",
    done_note="按“完成”关闭，按“重新打开”可恢复。",
)

HELP: of.Help[str] = of.Help(
    command="命令",
    example="示例",
    result="给出",
    alias="别名",
    repository="仓库",
    title="命令",
    times="WHEN 可写 ",
    and_language="；语言写在最后 ",
)

GIVES: of.Gives[str] = of.Gives(
    repo="某个仓库发生了什么；不写时间就是昨天",
    span="两个版本（标签或 SHA）之间对使用者有什么变化",
    change="单个变更、Issue 或发布：对使用者有什么变化、文件、补丁、相关项",
    all="所有仓库，最忙的在前；只写 WHEN 时为本频道订阅的仓库",
    search="在已收集的条目中查找这些词",
    ask="用平常的话提问，在已存的日子里查找：默认最近七天，也可写时间",
    repos="有别名的仓库",
    watch="再加一个仓库，并给它一个别名",
    unwatch="不再关注该仓库",
    why="某一项为何如此分级，逐条给出分数",
    help="这张表，或其中一行",
    subscribe="每天早上在本频道发一个讨论串；再次订阅会增加仓库并修改所写的设置",
    unsubscribe="本频道不再播报这些仓库",
    pause="本频道暂停接收，直到恢复",
    resume="本频道恢复接收，其间的内容合为一个讨论串补发",
    subscriptions="本频道订阅了什么、何时播报",
    followups="本频道的跟进项：🚩 标记，👀 接手，✅ 完成；everywhere 还包括我在其他频道的",
    channel_upgrade="一次升级对与本频道有关的代码库意味着什么：会出错的、行为不同的、新增的；默认从所钉版本到最新发布",
    concern="什么与本频道有关：手写的词，以及每天读取的公开代码库",
    settings="查看和修改本频道的设置，以及最近发生的事",
    surface="某个代码库用到了某个仓库的哪些东西，写成文件（--format toml 或 json）；"
    "不会运行任何代码",
    upgrade="一次升级对某个代码库意味着什么：会出错、行为不同、新增、未变；"
    "由 GitHub 或 --source git:克隆",
    between="二分区间里的变更，最可能的原因在前；由 GitHub 或 --source git:克隆",
    export="每天写一份 DIR/reports/DATE.md，并更新索引 DIR/README.md",
    record="把来源给出的内容写进一个文件，供 --source recorded:FILE 使用",
    evaluate="对照编辑的选择，衡量日报的好坏",
    check="检查配置、数据库、网络、令牌和模型，并说明该怎么做",
    db="把数据库升级到本程序的版本",
    demo="离线演示：一天的内容，以及它在 Slack 和 Discord 中的样子（网页）",
    run="运行机器人，直到停止：接收、计时、发送",
    deliver="那时各频道会收到什么；加 --send 则真正发送",
    cli_subscribe="等同于在该频道输入：平台:工作区/频道",
    cli_followups="某个频道或所有频道的跟进项；也可为 json 和 csv",
    slack="创建 Slack 应用所用的清单",
    cli_slack="某天的消息（JSON），以及 Block Kit Builder 预览链接",
    discord="把机器人加入服务器的链接，只含所需权限",
    status="各频道上次和下次播报、错误、队列、额度、时钟",
    backfill="补收自某日起的每一天，不超出 GitHub 限额；再次运行则继续",
    backup="把整个数据库写进一个文件，机器人可照常运行",
    restore="恢复备份到 SQLite 或 PostgreSQL；--yes 会替换原有内容",
    forget="删除某个工作区或服务器的全部数据，并列出删除了什么",
    output="输出格式",
    language_and_zone="语言和时区，默认按设置",
    length="列出每一项的标题；只要几行",
    concerned="日报：先列出与某个代码库有关的内容；upgrade 和 between：针对它",
    analysis="长篇分析：单个变更，或某个仓库的一天（带目录）",
    source="数据来源：任何克隆也可以",
    further="不保存；日志写到标准错误；显示版本",
)

SLASH: of.Slash[str] = of.Slash(
    quiet_line="用一行说明",
    quiet_nothing="什么都不发",
    eyes_open="发起跟进",
    eyes_nothing="不起作用",
    on_both="不兼容变更和安全问题",
    on_nothing="不提及",
    threads_own="每个仓库一个讨论串",
    which_open="未完成",
    which_mine="我的",
    which_done="已完成",
    which_all="全部",
    which_everywhere="所有频道",
    language="晨报的语言",
    zone="频道的时区",
    time="晨报的时间：09:00",
    days="哪几天",
    paths="只看涉及这些文件的变更",
    topics="只看与这些词有关的变更",
    quiet="没有动静的日子怎么说",
    eyes="对未标记的内容添加 👀 时（默认不起作用）",
    threads="一个讨论串还是各自一个",
    publish="在公告频道中：发布到关注它的服务器",
    mention="要提及的身份组",
    mention_on="何时提及",
    show="马上发出昨天的晨报（默认是）",
    infra="某个仓库发生了什么，或其中一项变更",
    repo="仓库：vllm，或 all",
    when="哪天",
    change="编号、SHA 或标签",
    share="让整个频道看到",
    search="搜索已播报的内容",
    words="要找的词",
    only_repo="只在这个仓库里找",
    followups="有人跟进的变更",
    followups_show="列出本频道的跟进",
    which="默认列出未完成的",
    channel="本频道每天早上收到什么",
    subscribe="订阅仓库的晨报",
    subscribe_repos="仓库：vllm sglang",
    unsubscribe="取消订阅",
    unsubscribe_repos="仓库：vllm，或 all",
    pause="暂停接收，直到恢复",
    resume="恢复接收，并补发其间内容",
    concern="你们用到什么：手写的词，或每天读取的公开代码库",
    concern_add="公开代码库 OWNER/NAME，或文件的 https 地址",
    concern_file="infra surface 写出的文件",
    concern_of="它用到的仓库：vllm",
    concern_remove="移除：名称或 all",
    subscriptions="列出本频道的订阅",
    settings="查看或修改设置",
    concern_models="模型：Qwen3、DeepSeek-V4",
    concern_hardware="硬件：MI355、SM120",
    concern_flags="参数和环境变量",
    concern_paths="上游的文件和目录",
    concern_symbols="类和函数",
    concern_pins="版本：flashinfer==0.6.3",
    flag="标记跟进",
    deep_dive="深入了解",
    upgrade="一次升级对本频道的代码库意味着什么",
    upgrade_repo="仓库：vllm",
    upgrade_from="标签或 SHA（默认所钉的版本）",
    upgrade_to="标签或 SHA（默认最新发布）",
    without=lambda names: f"不看什么：{names}",
)

TAGS: of.Tags[str] = of.Tags(
    breaking="不兼容",
    security="安全",
    important="重要",
    release="发布",
    plain="晨报",
)

CLI: of.CommandLine[str] = of.CommandLine(
    no_format=lambda what, form, forms: f"{what} 没有 {form} 形式：请写 --format {forms}",
    analysis_of="--analysis 用于单个变更或某个仓库的一天：infra sglang 18905 --analysis",
    takes=lambda form, example: f"请写 {form}，例如 {example}",
    no_folder=lambda path: f"没有文件夹 {path}：请先创建，或写另一个",
    not_a_value=lambda option, value, hint: f"{option} 不能是 {value}：{hint}",
    which_channel=lambda command: f"请写明频道：infra {command} … --channel slack:TEAM/CHANNEL",
    discord_token="请先设置 DISCORD_TOKEN，见 docs/discord.md",
    sent_too_early=lambda day, example: f"{day} 远早于本程序，不会发送：{example}",
    no_moment=lambda text: f"{text} 不是时刻：请写 --at 2026-02-12T09:00",
    no_clone=lambda path: f"{path} 没有克隆：请创建，或用 --clones DIR 指定别处",
    no_windows=lambda path: f"{path} 中没有经编辑标注的时段：请写另一个目录",
    no_json=lambda path, why: f"{path} 不是 JSON：{why}",
    no_model="没有设置模型：请设置 INFRA_MODEL 和 OPENAI_BASE_URL",
    no_statements=lambda path: f"{path} 中没有语句：请写明哪些标注",
    is_a_file=lambda path: f"{path} 是文件：请写一个目录",
    index_marks="索引的开始标记和结束标记须各有一个：请改正",
    file_exists=lambda path: f"{path} 已存在：请换个文件名，或先删除",
    backup_exists=lambda path: f"{path} 已存在：请换个文件名，或加 --yes 替换",
    not_empty=lambda place, counts: (
        f"{place} 不是空的，其中有 {counts}：加 --yes 则全部替换，或在 DATABASE_URL 中另写一个"
    ),
    bot_runs=lambda place: f"机器人正在使用 {place}：请先停止其进程，或加 --yes",
    not_over=lambda day, example, yesterday: f"{day} 尚未结束：{example} {yesterday}",
    before_git=lambda day, example, first: f"{day} 早于 git 诞生之日：{example} {first}",
    write=lambda words: f"请写 {words}",
    concerns_none=lambda path, names: f"{path} 与这些仓库都无关：{names}",
    not_with_brief=lambda option: f"{option} 和 --brief 不能同时使用：请去掉一个",
    no_source=lambda source, forms: f"没有来源 {source}：请写 --source {forms}",
    no_option=lambda option, hint: f"没有选项 {option}：{hint}",
    options=lambda names: f"可用的选项有 {names}",
    needs_value=lambda option, form: f"{option} 需要一个值：请写 {form}",
    no_value=lambda option: f"{option} 不带值：请只写 {option}",
    takes_no_source=lambda command: f"{command} 不接受 --source：请去掉它",
    searches_source="只查找此前以相同 --source 读取过的内容：请先读取（infra vllm week），"
    "查克隆请加 --source git:PATH",
    other_command=lambda option, rows: f"{option} 属于另一个命令：见 {rows}",
    no_subscription=lambda channel: f"{channel} 没有订阅",
    no_surface=lambda path: f"{path} 不存在或为空：请用 infra surface PATH 生成",
    between_of="请写明哪个仓库：infra between vllm v0.15.0 v0.15.1 WORDS",
    output_failed=lambda why: f"无法写出结果：{why}：请清出空间后再试",
)

CHECKS: of.Checks[str] = of.Checks(
    configuration="配置",
    clock="时钟",
    database="数据库",
    host="主机",
    network="网络",
    token="令牌",
    model="模型",
    zone_and_language=lambda tz, language: f"时区 {tz}，语言 {language}",
    up_to_date=lambda place: f"{place} 已是最新",
    upgraded="数据库已是最新",
    careful=lambda why: f"注意：{why}",
    fleeting=lambda file, where: (
        f"{file} {where}：下次重启会丢失订阅、待跟进事项和已发内容。"
        "请将 DATABASE_URL 设为 PostgreSQL，或持久卷上的文件"
    ),
    in_container="位于容器内部",
    in_memory="位于内存中",
    ephemeral_disk=lambda host: f"位于 {host} 的临时磁盘上",
    check_alone="设置了 INFRA_MODEL_CHECK 而没有设置 INFRA_MODEL，因此不会询问任何模型："
    "请同时设置 INFRA_MODEL，或两者都不设置",
    no_model="无：请按 docs/model.md 设置 INFRA_MODEL，也可以不用模型",
    no_model_asked=lambda why: f"{why}，因此不会询问任何模型",
    model_answers=lambda model, seconds, form: f"{model} 在 {seconds} 秒内以 {form} 回答",
    tokens_spent=lambda day, month: f"今天用去 {day} 个 token，本月 {month} 个（UTC）",
    of_allowed=lambda spent, most: f"{spent}/{most}",
    answers=lambda address: f"{address} 有应答",
    not_tried="未检查：请先解决网络问题",
    accepted="有效",
    used_up="有效，但额度已用完：请等到下一个小时",
    no_token="无：设置 GITHUB_TOKEN 后可得到全部细节，并可关注多个仓库",
    requests_left=lambda token, left: f"{token}；本小时还剩 {left} 次请求",
    slack_by_http=lambda team: f"令牌属于工作区 {team}；通过 HTTP 接收，须运行 web 进程",
    slack_by_socket=lambda team: f"令牌属于工作区 {team}；通过 Socket Mode 接收",
    discord_accepted="令牌有效",
)

STATUS: of.StatusLines[str] = of.StatusLines(
    no_channel="还没有频道订阅",
    last_and_next=lambda last, next: f"上一次：{last}；下一次：{next}",
    nothing_yet="尚无",
    none="无",
    now="现在",
    waiting=lambda what: f"等待中：{what}",
    paused=lambda why: f"已暂停：{why}",
    last_error=lambda why: f"最近的错误：{why}",
    claimed=lambda date: f"{date} 已认领",
    planned=lambda date: f"{date} 已排定",
    failed=lambda tries: f"已失败 {tries} 次",
    again_at=lambda at: f"将于 {at} 重试",
    queue=lambda number: f"队列：{number}",
    queue_since=lambda number, since: f"队列：{number}，最早的一个应于 {since} 发出",
    webhook=lambda number: f"webhook：{number} 条等待中",
    webhook_failing=lambda number, since: f"webhook：{number} 条等待中，自 {since} 起失败",
    no_process="没有进程在运行",
    process=lambda owner, only, version, how: f"进程 {owner}（{only}，{version}）：{how}",
    everything="全部",
    clock=lambda ago: f"时钟：{ago}",
    no_clock="没有时钟",
    heard=lambda platform: f"{platform} 正常接收",
    ago=lambda seconds: f"{seconds} 秒前",
    github=lambda left: f"GitHub 剩余请求：{left}",
    github_unknown="没有进程在询问，因此未知",
    today=lambda spent: f"模型今天：{spent}",
    this_month=lambda spent: f"模型本月：{spent}",
    spent=lambda questions, sent, answered: (
        f"{questions} 个问题，发出 {sent} 个 token，收到 {answered} 个（UTC）"
    ),
    model_failed=lambda at, why: f"模型最近一次失败：{at}，{why}",
    model_paused=lambda at, why, until: f"模型最近一次失败：{at}，{why}；暂停提问至 {until}",
)

OPERATING: of.Operating[str] = of.Operating(
    operator="命令行用户",
    backed_up=lambda file, rows, size: f"{file}：{rows} 行，{size} 字节",
    restored=lambda place, counts: f"{place} 现有 {counts}",
    restored_empty=lambda place: f"{place} 中没有内容：备份是空的",
    posted_again="备份之后发送过的内容这里并不知道，会再发一次：见 docs/running.md",
    deleted=lambda name, counts: f"{name}：已删除 {counts}",
    nothing_stored=lambda name: f"{name}：没有保存它的任何内容",
    subscribed_in=lambda workspaces: f"有频道订阅的工作区：{workspaces}",
    backfilled=lambda repo, done, days, since: (
        f"{repo}：自 {since} 起的 {days} 天中，已保存 {done} 天"
    ),
    collected=lambda of, items, requests: f"{of}：{items} 项，{requests}",
    requests=lambda number: f"{number} 次请求",
    requests_and_left=lambda number, left: f"{number} 次请求，{left}",
    left=lambda limit, number: f"{limit} 还剩 {number}",
    left_of=lambda number, limit: f"{limit} 只剩 {number} 次请求",
    run_again=lambda why: f"{why}；请再运行一次，已保存的不会重新获取",
    about=lambda what, why: f"{what}：{why}",
    nothing_due="那时没有要发送的内容",
    nothing_to_send="没有要发送的内容",
    delivered=lambda channel, date: f"{channel}：已发送 {date}",
    not_set_up=lambda platform: f"此处没有配置 {platform}：请设置与 infra run 相同的令牌",
    not_delivered="尚未发送：infra status 会说明在等待什么",
    drawn=lambda url: f"第一条消息的效果：{url}",
)

SURFACES: of.Surfaces[str] = of.Surfaces(
    no_process=lambda why: f"无法启动进程：{why}",
    too_large="它用到的东西太多，无法保存：请用 of REPO 限定一个仓库",
    too_long=lambda count: f"接口文件最多 {count} 个字符：请用 --of 限定到一个上游仓库",
    uses_nothing="该接口文件没有用到任何东西：请用 infra surface PATH --of REPO 生成",
    of_another=lambda of, repo: f"该接口文件属于 {of}，而不是 {repo}",
    no_json=lambda line, column, error: (
        f"该接口文件不是 JSON：第 {line} 行，第 {column} 列：{error}"
    ),
    no_toml=lambda error: f"该接口文件不是 TOML：{error}",
    too_deep="该接口文件嵌套过深，或有过长的数字",
    no_upstream=lambda name, known: (
        f"{name} 不是已知仓库（{known}）：请写 OWNER/NAME 或 OWNER/NAME=MODULE"
    ),
    several_used=lambda names: f"这里用到多个仓库：请写明哪一个：{names}",
    none_used="这里没有导入已关注的仓库：请另写一个：--of OWNER/NAME",
)
