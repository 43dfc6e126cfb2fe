"""Which field of a configuration a flag is declared by."""

from digest.concern.flag_fields import flags_by_field

ARGUMENTS = """\
def add(parser):
    cache_kwargs = get_kwargs(CacheConfig)
    group = parser.add_argument_group(title="CacheConfig")
    group.add_argument("--kv-cache-dtype", **cache_kwargs["cache_dtype"])
    group.add_argument("--prefix", "-p", **{**cache_kwargs["enable_prefix"], "default": None})
    kernel_kwargs = get_kwargs(KernelConfig)
    backend = kernel_kwargs["moe_backend"]
    backend["type"] = str.lower
    group.add_argument("--moe-backend", **backend)
    group.add_argument("--plain", type=int, default=cache_kwargs)
"""


def test_a_flag_is_found_by_the_field_that_declares_it() -> None:
    assert flags_by_field([ARGUMENTS, "not python (", "x = 1"]) == {
        "cache_config.cache_dtype": "--kv-cache-dtype",
        "cache_config.enable_prefix": "--prefix",
        "kernel_config.moe_backend": "--moe-backend",
    }
