"""Every reason that a score can have beside its base, which is named for the purpose."""

from digest.reading.learned import BY_HAND, SHIPPED
from digest.reading.weight import PURPOSE

OF_CHANGES = {name for name in (*SHIPPED.weights, *BY_HAND) if not name.startswith(PURPOSE)}
OF_ISSUES = {
    *("harm", "failure", "names_release", "hardware", "much_discussed"),
    *("reopened", "duplicate", "not_planned"),
}
OF_RELEASES = {"prerelease", "no_version", "told_by_its_change"}
CAPS = {
    *("grave", "noticed", "noise_cap", "nothing_that_runs_cap", "build_alone"),
    *("tuned_values_cap", "taken_back", "scale", "day_quota", "largest_of_a_quiet_day"),
}
REASONS = OF_CHANGES | OF_ISSUES | OF_RELEASES | CAPS
