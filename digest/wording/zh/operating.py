"""What the bot says of itself, and the commands of who runs it, in Chinese."""

from digest.wording import operating as of

CHAT: of.ChatErrorWords[str] = of.ChatErrorWords(
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

DATABASE: of.DatabaseWords[str] = of.DatabaseWords(
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
