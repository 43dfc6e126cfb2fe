"""What an upgrade means for a codebase, and what that codebase uses, in Chinese."""

from digest.github_web import web
from digest.wording import upgrades as of

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
