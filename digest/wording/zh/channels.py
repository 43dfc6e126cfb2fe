"""What a channel gets, and what it is told of that, in Chinese."""

from digest.wording import channels as of

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

CONCERNS: of.ConcernWords[str] = of.ConcernWords(
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

SETTINGS: of.SettingWords[str] = of.SettingWords(
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

FOLLOWUPS: of.Followups[str] = of.Followups(
    no_such=lambda word, hint: f"没有 {word} 这类跟进项：{hint}",
    which=lambda example: f"{example}、open、done 或 all",
    old_question="该提问已过期：请重新标记该消息",
    old_button="该按钮已过期：请用命令重新查询",
    may_not="只有管理员和 INFRA_MAY_FOLLOW_UP 中列出的人可以跟进：请联系他们",
    may_not_write="只有能在此发言的人可以跟进",
)

DELIVERING: of.DeliveryWords[str] = of.DeliveryWords(
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

MENTIONS: of.MentionWords[str] = of.MentionWords(
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

WELCOME: of.WelcomeWords[str] = of.WelcomeWords(
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

STATE: of.StateWords[str] = of.StateWords(
    last=lambda date: f"上一次：{date}。",
    never="尚未播报。",
    next=lambda at: f"下一次：{at}。",
    wrong=lambda why: f"上次出错：{why}。",
    lately="最近：",
    changed=lambda who, what: f"{who} 更改：{what}",
    told=lambda date: f"已播报 {date}",
    failed=lambda why: f"未能播报：{why}",
)

TAGS: of.Tags[str] = of.Tags(
    breaking="不兼容",
    security="安全",
    important="重要",
    release="发布",
    plain="晨报",
)
