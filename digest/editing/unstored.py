"""What is remembered of a model where nothing may be stored: as long as the process lives."""

from collections import defaultdict

from digest.editing.kept import Kept
from digest.editing.spending import Caps, Spent


class UnstoredAnswers:
    """Implements `digest.editing.keeping.KeptAnswers`."""

    def __init__(self) -> None:
        self._kept: dict[str, Kept] = {}

    async def recall(self, key: str) -> Kept | None:
        """Give what is kept under a key, or None."""
        return self._kept.get(key)

    async def keep(self, key: str, kept: Kept) -> None:
        """Keep an answer, replacing an older one."""
        self._kept[key] = kept

    async def about(self, item: str) -> tuple[Kept, ...]:
        """Give every answer about an item by its key, oldest first."""
        return tuple(each for each in self._kept.values() if item in each.request.about.split(" "))


class UnstoredForms:
    """Implements `digest.editing.endpoint.KnownForms`."""

    def __init__(self) -> None:
        self._forms: dict[tuple[str, str], str] = {}

    async def recall(self, endpoint: str, model: str) -> str:
        """Give the form as remembered, or nothing."""
        return self._forms.get((endpoint, model), "")

    async def remember(self, endpoint: str, model: str, form: str) -> None:
        """Keep a form, replacing an older one."""
        self._forms[endpoint, model] = form


class UnstoredSpending:
    """Implements `digest.editing.spending.Ledger`; `spent` counts what this process has spent."""

    def __init__(self) -> None:
        self._tokens: defaultdict[str, int] = defaultdict(int)
        self._calls: defaultdict[str, int] = defaultdict(int)

    async def reserve(
        self, day: str, model: str, input_tokens: int, output_tokens: int, caps: Caps
    ) -> bool:
        """Note a question before it is asked; False, with nothing noted, where a cap forbids it."""
        spent = await self.spent(day)
        cost = input_tokens + output_tokens
        if caps.a_day is not None and spent.today + cost > caps.a_day:
            return False
        if caps.a_month is not None and spent.month + cost > caps.a_month:
            return False
        self._tokens[day] += cost
        self._calls[day] += 1
        return True

    async def settle(self, day: str, model: str, input_tokens: int, output_tokens: int) -> None:
        """Correct what was reserved by these differences, which may be negative."""
        self._tokens[day] += input_tokens + output_tokens

    async def spent(self, day: str) -> Spent:
        """Give what was spent on a day and in its month."""
        month = [each for each in self._tokens if each[:7] == day[:7]]
        return Spent(
            today=self._tokens.get(day, 0),
            month=sum(self._tokens[each] for each in month),
            calls_today=self._calls.get(day, 0),
            calls_month=sum(self._calls[each] for each in month),
        )
