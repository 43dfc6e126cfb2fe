"""What Slack and Discord refuse, and what only they say, in Chinese."""

from digest.wording import platforms as of

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
