"""Why something could not be looked at, in Chinese.

A source tells its reason in English, and the reason is stored as it was told: one sentence with
its values in it. Its form is found again here when it is drawn.
"""

import re
import string
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from digest.errors import NO_REPO

LONGEST = 500
"""Characters of a reason that are compared with forms; a longer one stays as it is."""

DEEPEST = 3
"""Reasons within reasons: what a merge brought, the limit that was met, until when."""


def in_english(why: str) -> str:
    """Give a reason without its full stop."""
    return why.rstrip(".。")


def in_chinese(why: str) -> str:
    """Give a reason in Chinese without its full stop; one of no known form stays English."""
    return _translated(in_english(why), DEEPEST)


def _translated(why: str, depth: int) -> str:
    if not why or len(why) > LONGEST or not depth:
        return why
    if known := CAUSES.get(why):
        return known
    for pattern, chinese in _patterns():
        if found := pattern.fullmatch(why):
            values = {
                name: OBJECTS.get(said, said) if name == "what" else _translated(said, depth - 1)
                for name, said in found.groupdict().items()
            }
            return chinese.format(**values)
    return why


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Give the forms with values, those with most words of their own first."""
    forms = sorted((form for form in CAUSES if "{" in form), key=_own, reverse=True)
    return tuple((re.compile(_pattern(form), re.DOTALL), CAUSES[form]) for form in forms)


def _own(form: str) -> int:
    return sum(len(text) for text, *_ in string.Formatter().parse(form))


def _pattern(form: str) -> str:
    """Give what a form looks like with values; one that is named again is the same again."""
    seen: set[str] = set()
    found = ""
    for text, name, *_ in string.Formatter().parse(form):
        found += re.escape(text)
        if name:
            found += f"(?P={name})" if name in seen else f"(?P<{name}>.*?)"
            seen.add(name)
    return found


CAUSES: Mapping[str, str] = MappingProxyType(
    {
        # GitHub
        NO_REPO: "没有仓库 {repo}，或者它是私有的：请核对名称，如 vllm-project/vllm",
        "{repo} has nothing to read at {ref}: check the reference": (
            "{repo} 的 {ref} 没有可读的内容：请核对编号，如 #18905"
        ),
        "{repo} has no tag or commit {ref}: write a tag as it is there, or a SHA": (
            "{repo} 没有标签或提交 {ref}：请按仓库中的写法写出标签，或给出 SHA"
        ),
        "{repo} tells nothing of {ref} in {label}: try another day": (
            "{repo} 在 {label} 没有 {ref}：请换一天"
        ),
        "{repo} has no pull request, issue, commit or tag {ref}: see {repo} yesterday": (
            "{repo} 没有 {ref} 这样的 PR、Issue、提交或标签：可看 {repo} yesterday"
        ),
        "GitHub does not let this token look at {repo}, or blocks it": (
            "GitHub 不允许此令牌查看 {repo}，或已将其屏蔽"
        ),
        "{asked} is private: list its name in INFRA_PRIVATE_REPOS if it may be told": (
            "{asked} 是私有仓库：允许播报时请写入 INFRA_PRIVATE_REPOS"
        ),
        "GitHub has nothing there, or it is private: check the name, as in vllm-project/vllm": (
            "GitHub 上没有该内容，或者它是私有的：请核对名称，如 vllm-project/vllm"
        ),
        "GitHub knows nothing of that name: check the number, SHA or tag": (
            "GitHub 上没有该名称：请核对编号、SHA 或标签"
        ),
        "GitHub blocks this repository for legal reasons": "GitHub 因法律原因屏蔽了该仓库",
        "GitHub does not allow this token to look there: check its access": (
            "GitHub 不允许此令牌查看：请核对其权限"
        ),
        "GitHub does not allow to look there": "GitHub 不允许查看",
        "GitHub refused the token: set GITHUB_TOKEN to a valid one, or unset it": (
            "GitHub 拒绝了令牌：请将 GITHUB_TOKEN 设为有效令牌，或不设"
        ),
        "GitHub asks for a pause until {time} UTC; try again then": (
            "GitHub 要求暂停到 {time} UTC，请届时再试"
        ),
        "GitHub's hourly limit is used up{until}; try again then": (
            "GitHub 每小时的限额已用完{until}，请届时再试"
        ),
        (
            "GitHub's 60 requests an hour without a token are used up{until}: set GITHUB_TOKEN "
            "to look at more repositories"
        ): "GitHub 无令牌时每小时 60 次请求已用完{until}：设置 GITHUB_TOKEN 可查看更多仓库",
        " until {time} UTC": "，{time} UTC 恢复",
        "GitHub answered with an error of its own ({status}); try again in some minutes": (
            "GitHub 自身出错（{status}），请几分钟后再试"
        ),
        "GitHub did not accept the request ({status}); check GITHUB_API_URL": (
            "GitHub 不接受该请求（{status}）：请核对 GITHUB_API_URL"
        ),
        "GitHub's answer about {what} has another form than expected; try again later": (
            "GitHub 的回答格式有误（{what}），请稍后再试"
        ),
        "the connection to GitHub broke off; try again later": "与 GitHub 的连接中断，请稍后再试",
        "GitHub could not be reached; try again later": "无法连接 GitHub，请稍后再试",
        "GitHub could not be reached: check the network and GITHUB_API_URL": (
            "无法连接 GitHub：请检查网络和 GITHUB_API_URL"
        ),
        "GitHub does not answer in time; try again later": "GitHub 未及时回答，请稍后再试",
        "GitHub's answer was cut off; try again later": "GitHub 的回答不完整，请稍后再试",
        "GitHub's answer is cut or not JSON; try again later": (
            "GitHub 的回答不完整或不是 JSON，请稍后再试"
        ),
        "GitHub's addresses lead in a circle; check GITHUB_API_URL": (
            "GitHub 的地址循环跳转：请核对 GITHUB_API_URL"
        ),
        "GitHub's answer is packed in an unknown way; check GITHUB_API_URL": (
            "GitHub 的回答压缩方式未知：请核对 GITHUB_API_URL"
        ),
        "GitHub named a next page on another server; check GITHUB_API_URL": (
            "GitHub 的下一页指向另一台服务器：请核对 GITHUB_API_URL"
        ),
        "GitHub sent us to another server; check GITHUB_API_URL": (
            "GitHub 跳转到另一台服务器：请核对 GITHUB_API_URL"
        ),
        "GitHub's GraphQL answer has another form than expected; try again later": (
            "GitHub GraphQL 的回答格式有误，请稍后再试"
        ),
        "GitHub's GraphQL does not know what was asked; check GITHUB_API_URL": (
            "GitHub GraphQL 不认识所查内容：请核对 GITHUB_API_URL"
        ),
        "GitHub could not finish the question; try again in some minutes": (
            "GitHub 未能完成查询，请几分钟后再试"
        ),
        "GitHub did not name the default branch": "GitHub 没有给出默认分支",
        "GitHub did not give the repository; try again in some minutes": (
            "GitHub 没有给出该仓库，请几分钟后再试"
        ),
        "GitHub's answer is larger than {size} MB": "GitHub 的回答超过 {size} MB",
        # gaps
        "Infra Digest met an error of its own with {repo}, which its log holds": (
            "Infra Digest 处理 {repo} 时自身出错，详见其日志"
        ),
        "GitHub answered about another repository; try again later": (
            "GitHub 回答的是另一个仓库，请稍后再试"
        ),
        "GitHub answered about something else": "GitHub 回答的是别的内容",
        "GitHub has moved it to another repository": "GitHub 已将它移到另一个仓库",
        "GitHub did not give #{number}": "GitHub 没有给出 #{number}",
        "GitHub did not give all of #{number}": "GitHub 没有给全 #{number}",
        "when #{number} was reopened could not be read: {why}": (
            "#{number} 的重开时间未能读取：{why}"
        ),
        "whether the branch was rewritten could not be seen: {why}": (
            "分支是否被改写未能得知：{why}"
        ),
        "GitHub gave a part of the answer only": "GitHub 只给出了一部分",
        "there are too many since then to see them all": "此后的数量过多，未能全部查看",
        "the patches of 1 change could not be read: {why}": "1 项变更的补丁未能读取：{why}",
        "the patches of {count} changes could not be read: {why}": (
            "{count} 项变更的补丁未能读取：{why}"
        ),
        "GitHub lists no more than {most} files of a change: in {refs}": (
            "GitHub 最多列出一项变更的 {most} 个文件：见 {refs}"
        ),
        "what the merge {sha} brought could not be read: {why}": (
            "合并 {sha} 带来的提交未能读取：{why}"
        ),
        "what reverts take back could not be looked up: {why}": "被回退的变更未能查到：{why}",
        "later reverts could not be looked up: {why}": "之后的回退未能查到：{why}",
        "later reverts could not be looked up": "之后的回退未能查到",
        "{count} could not be read: {why}": "{count} 项未能读取：{why}",
        "there are too many for one hour: {advice}": "一小时内读不完：{advice}",
        "there are too many since then for one hour: {advice}": (
            "此后的数量一小时内读不完：{advice}"
        ),
        "older ones have no description, labels or state here: {advice}": (
            "较早的没有描述、标签和状态：{advice}"
        ),
        "of {count} reopened ones it was not read when: {advice}": (
            "{count} 项的重开时间未读取：{advice}"
        ),
        "of the tags without a release not all were looked at: {advice}": (
            "没有发布的标签未全部查看：{advice}"
        ),
        "who merged, and which issues are closed, is not told without a token: {advice}": (
            "没有令牌时看不到由谁合并、关闭了哪些 Issue：{advice}"
        ),
        "the files of {left} of {count} changes were not read: {advice}": (
            "{count} 项变更中有 {left} 项的文件未读取：{advice}"
        ),
        "the merge {sha} brought more than could be read: {advice}": (
            "合并 {sha} 带来的提交过多，未能读完：{advice}"
        ),
        "what {count} merges brought was not read: {advice}": (
            "{count} 次合并带来的提交未读取：{advice}"
        ),
        "set GITHUB_TOKEN to see them": "设置 GITHUB_TOKEN 即可看到",
        # a clone
        "git holds no issues": "git 中没有 Issue",
        "git holds no descriptions and labels of pull requests": "git 中没有 PR 的描述和标签",
        "the clone is shallow, older commits are missing: git fetch --unshallow": (
            "这是浅克隆，缺少较早的提交：git fetch --unshallow"
        ),
        "interfaces were not compared in files: {missing} of {whole}": (
            "{whole} 个文件中有 {missing} 个未能比较接口"
        ),
        "patches too large to be read: in {refs}": "补丁过大，未读取：见 {refs}",
        "{why}; shown is what was fetched before": "{why}；以下为之前取回的内容",
        "another infra is still fetching this repository": "另一个 infra 仍在取回该仓库",
        "{where} needs a login: make `git ls-remote {where}` work, then try again": (
            "{where} 需要登录：请先让 `git ls-remote {where}` 可用，再重试"
        ),
        "there is no repository at {where}: check the address ({said})": (
            "{where} 没有仓库：请核对地址（{said}）"
        ),
        "{where} does not answer: check the network ({said})": (
            "{where} 没有回应：请检查网络（{said}）"
        ),
        "{where} could not be fetched: {said}": "{where} 未能取回：{said}",
        "there is no folder {where}: check the path of the repository": (
            "没有目录 {where}：请核对仓库的路径"
        ),
        (
            "{path} belongs to another user: if you trust it, run "
            "git config --global --add safe.directory {path}"
        ): "{path} 属于另一用户：如信任它，请运行 git config --global --add safe.directory {path}",
        "{path} is not a git repository: name a clone or a bare repository": (
            "{path} 不是 git 仓库：请写一个克隆或裸仓库"
        ),
        (
            "the default branch {branch} does not exist: name another one with "
            "git symbolic-ref HEAD refs/heads/NAME"
        ): "默认分支 {branch} 不存在：请用 git symbolic-ref HEAD refs/heads/NAME 指定另一个",
        "{repo} has no change or tag {ref} in its git history": (
            "{repo} 的 git 历史中没有变更或标签 {ref}"
        ),
        "git could not do it: {said}": "git 未能完成：{said}",
        "git {command} did not end within {seconds} seconds; try again": (
            "git {command} 在 {seconds} 秒内没有结束，请重试"
        ),
        "git gave a list that is cut or foreign; try again": (
            "git 给出的列表不完整或无法识别，请重试"
        ),
        "git gave a list of files that is cut or foreign; try again": (
            "git 给出的文件列表不完整或无法识别，请重试"
        ),
        "git cannot be run in {place}: {why}; make room or give access": (
            "git 无法在 {place} 中运行：{why}；请清出空间或授予权限"
        ),
        # a recorded file
        "cannot write {path}: {why}; make room or name another file": (
            "无法写入 {path}：{why}；请清出空间或另写一个文件"
        ),
        "{file} holds {label} alone ({start} to {end})": "{file} 只有 {label}（{start} 至 {end}）",
        "{file} holds {repo}, not {asked}: ask for {repo}": (
            "{file} 是 {repo}，不是 {asked}：请查 {repo}"
        ),
        "{file} holds no change, issue or release {ref}": ("{file} 中没有变更、Issue 或发布 {ref}"),
        "there is no file {path}: check its path": "没有文件 {path}：请核对路径",
        "{path} cannot be read: {why}": "{path} 无法读取：{why}",
        "{path} is {why}; record it anew": "{path} {why}，请重新记录",
        "not a recorded {kind}: {place}: {why}": "不是有效的记录（{kind}）：{place}：{why}",
        "{path} has times without a zone: write 2026-02-11T09:30:00Z": (
            "{path} 中的时间没有时区：应写作 2026-02-11T09:30:00Z"
        ),
        "it may not be told here: name it for this workspace in INFRA_PRIVATE_REPOS": (
            "不允许在此播报：请在 INFRA_PRIVATE_REPOS 中为本工作区写入"
        ),
        # databases
        "the disk that holds {place} is full: free some space and ask again": (
            "存放 {place} 的磁盘已满：请清出空间后再试"
        ),
        "{place} is locked by another program: end that one or ask again later": (
            "{place} 被另一程序锁定：请结束该程序，或稍后再试"
        ),
        (
            "{place} cannot be written: allow writing to it and to its folder, "
            "or name another file in DATABASE_URL"
        ): "{place} 无法写入：请允许写入该文件及其目录，或在 DATABASE_URL 中另写一个文件",
        (
            "{place} cannot be opened: allow reading and writing its folder, "
            "or name another file in DATABASE_URL"
        ): "{place} 无法打开：请允许读写其目录，或在 DATABASE_URL 中另写一个文件",
        (
            "{place} cannot be read or written by the disk: free some space or check "
            "the disk, then ask again"
        ): "磁盘无法读写 {place}：请清出空间或检查磁盘后再试",
        "{place} is damaged: restore a backup, or move the file away to start anew": (
            "{place} 已损坏：请恢复备份，或移走该文件重新开始"
        ),
        (
            "{place} is not a SQLite database: name another file in DATABASE_URL, "
            "or move this one away"
        ): "{place} 不是 SQLite 数据库：请在 DATABASE_URL 中另写一个文件，或移走此文件",
        "the disk of {place} is full: free some space there and ask again": (
            "{place} 的磁盘已满：请清出空间后再试"
        ),
        "{place} has no resources left: ask again later": "{place} 资源用尽，请稍后再试",
        "{place} is read-only: name the primary server in DATABASE_URL": (
            "{place} 只读：请在 DATABASE_URL 中写主服务器"
        ),
        "{place} is locked by another program: ask again later": (
            "{place} 被另一程序锁定，请稍后再试"
        ),
        "{place} is shutting down or starting: ask again later": (
            "{place} 正在关闭或启动，请稍后再试"
        ),
        "{place} refuses the user or password: correct DATABASE_URL": (
            "{place} 拒绝该用户或密码：请更正 DATABASE_URL"
        ),
        "{place} does not exist on its server: create it, or correct DATABASE_URL": (
            "服务器上没有 {place}：请创建，或更正 DATABASE_URL"
        ),
        (
            "{place} holds tables of another program: name another database in DATABASE_URL"
        ): "{place} 中有其他程序的表：请在 DATABASE_URL 中另写一个数据库",
        (
            "{place} does not let this user work in it: grant it the rights, "
            "or correct DATABASE_URL"
        ): "{place} 不允许该用户操作：请授予权限，或更正 DATABASE_URL",
        "{place} is not set up for this version: run `infra db upgrade`": (
            "{place} 未按此版本设置：请运行 `infra db upgrade`"
        ),
        "{place} does not answer: check that it runs and DATABASE_URL names it": (
            "{place} 没有回应：请确认它在运行，且 DATABASE_URL 正确"
        ),
        "{place} cannot be used: {cause}": "{place} 无法使用：{cause}",
    }
)
"""Chinese by the English form; what is typed stays as it is typed in every language."""

OBJECTS: Mapping[str, str] = MappingProxyType(
    {
        "a commit": "提交",
        "a file": "文件",
        "the default branch": "默认分支",
        "a comparison": "比较",
        "a merge": "合并",
        "a pull request": "PR",
        "a pull request's commits": "PR 的提交",
        "a release": "发布",
        "an issue's events": "Issue 的事件",
        "changed files": "文件列表",
        "commits": "提交",
        "issues": "Issue",
        "later reverts": "之后的回退",
        "pull requests": "PR",
        "releases": "发布",
        "tags": "标签",
        "the limits": "限额",
        "the repository": "仓库",
    }
)
"""Chinese of what an answer was about, the `{what}` of a form; a reference such as `#12` stays."""
