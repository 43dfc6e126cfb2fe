"""What has happened to the repository itself since it was last looked at."""

from collections.abc import Sequence
from dataclasses import replace

from digest.errors import CouldNotLook, NotFound
from digest.gaps import Gap
from digest.models import Activity, Notice, NoticeKind, Repo
from digest.ports import Seen
from digest.sources.github.answers import Shape, Standing, is_same
from digest.sources.github.api import Asker, repo_path
from digest.wording.phrases import SAY

LINEAR = frozenset({"ahead", "identical"})
"""How a head stands to an earlier one that is its ancestor.

https://docs.github.com/en/rest/commits/commits#compare-two-commits
"""


async def with_notices(
    asker: Asker, activity: Activity, asked: Repo, seen: Sequence[Seen]
) -> Activity:
    """Add notices: renamed since it was `asked` for, branch changed or rewritten since `seen`."""
    notices = list(activity.notices)
    if not is_same(activity.repo, asked):
        notices.append(Notice(NoticeKind.RENAMED, str(asked), str(activity.repo)))
    if seen and activity.default_branch:
        branch, head = seen[0].branch, seen[0].head
        if branch and branch != activity.default_branch:
            kind = NoticeKind.DEFAULT_BRANCH_CHANGED
            notices.append(Notice(kind, branch, activity.default_branch))
        elif head and activity.head:
            try:
                if await _is_rewritten(asker, activity, head):
                    notices.append(Notice(NoticeKind.FORCED_PUSH, head, activity.head))
            except CouldNotLook as error:
                why = SAY.unread.rewritten(error.why)
                activity = replace(activity, gaps=(*activity.gaps, Gap("commits", why)))
    return replace(activity, notices=tuple(notices))


async def _is_rewritten(asker: Asker, activity: Activity, head: str) -> bool:
    """Tell whether an earlier head is no longer part of the branch."""
    reached = {sha for item in (*activity.items, *activity.later) for sha in item.commits}
    if head == activity.head or head in reached:
        return False
    path = repo_path(activity.repo, "compare", f"{head}...{activity.head}") + "?per_page=1"
    shape = Shape(Standing, SAY.objects.a_comparison, activity.repo)
    try:
        answer = await asker.get(path, shape, permanent=True)
    except NotFound:
        return True
    return answer.value.status not in LINEAR
