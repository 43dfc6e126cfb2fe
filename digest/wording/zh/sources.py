"""What GitHub, a clone or a file did not give, and why, in Chinese."""

from digest.wording import sources as of

GITHUB: of.GitHubWords[str] = of.GitHubWords(
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

OBJECTS: of.ObjectsOfGitHub[str] = of.ObjectsOfGitHub(
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

GIT: of.GitWords[str] = of.GitWords(
    # the first two are in stored days
    no_issues="git 中没有 Issue",
    no_descriptions="git 中没有 PR 的描述和标签",
    no_talk="git 中没有 Issue，PR 只有其提交中的内容",
    shallow="这是浅克隆，缺少较早的提交：git fetch --unshallow",
    files_not_compared=lambda missing, whole: f"{whole} 个文件中有 {missing} 个未能比较接口",
    files_not_parsed=lambda paths: f"以下文件无法解析或过大，未比较接口：{paths}",
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
    no_end=lambda repo, ref: (
        f"{repo} 在这里没有标签或提交 {ref}：请按 git tag 列出的写法写标签，或写 SHA；"
        "自己的克隆可用 git fetch --tags 取得缺少的标签"
    ),
    no_branch=lambda branch: (
        f"默认分支 {branch} 不存在：请用 git symbolic-ref HEAD refs/heads/NAME 指定另一个"
    ),
    no_item=lambda repo, ref: f"{repo} 的 git 历史中没有变更或标签 {ref}",
    failed=lambda error: f"git 未能完成：{error}；若克隆已损坏（git fsck 可查），请重新克隆",
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

SOURCES: of.SourceWords[str] = of.SourceWords(
    branch=lambda repo, now, before: f"{repo} 的默认分支已由 {before} 改为 {now}。",
    failing=lambda repo, since, why: f"自 {since} 起无法查看 {repo}：{why}。",
    silent=lambda repo, days, at: (
        f"{repo} 已 {days} 天没有动静，比以往都久；仍照常查看，最近一次是 {at}。"
    ),
    moved=lambda repo, now: f"{repo} 现名为 {now}；频道将以新名称继续播报。",
)
