"""A database file that a restart would take away is told of, and no other."""

import pytest

from adapters.operations.ephemeral_storage import EPHEMERAL, ephemeral_storage
from tests.phrases import english

MACHINE = "/dev/sda1 / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw 0 0\n"
CONTAINER = "overlay / overlay rw 0 0\nproc /proc proc rw 0 0\n/dev/sdb /data ext4 rw 0 0\n"
HOSTED = "/dev/vda / ext4 rw 0 0\n/dev/vdb /var/my\\040data ext4 rw 0 0\n"


def test_a_file_on_a_machine_of_ones_own_lasts() -> None:
    assert english(ephemeral_storage("/home/ada/infra.sqlite3", {}, MACHINE)) == ""


@pytest.mark.parametrize("sign", EPHEMERAL)
def test_a_file_on_a_host_with_new_disks_does_not(sign: str) -> None:
    told = english(ephemeral_storage("/app/infra.sqlite3", {sign: "web.1"}, ""))

    assert told.startswith(f"/app/infra.sqlite3 stands on the ephemeral disk of {EPHEMERAL[sign]}")
    assert "DATABASE_URL" in told


def test_a_file_inside_a_container_does_not_last_and_one_on_its_volume_does() -> None:
    assert "inside a container" in english(
        ephemeral_storage("/home/infra/infra.sqlite3", {}, CONTAINER)
    )
    assert english(ephemeral_storage("/data/infra.sqlite3", {}, CONTAINER)) == ""


def test_a_volume_on_an_ephemeral_host_lasts() -> None:
    assert (
        english(ephemeral_storage("/var/my data/infra.sqlite3", {"FLY_APP_NAME": "infra"}, HOSTED))
        == ""
    )
    assert "Fly" in english(
        ephemeral_storage("/var/other/infra.sqlite3", {"FLY_APP_NAME": "infra"}, HOSTED)
    )


def test_a_file_in_memory_does_not_last() -> None:
    assert "in memory" in english(ephemeral_storage("/dev/shm/infra.sqlite3", {}, MACHINE))


def test_what_cannot_be_read_of_the_mounts_is_left_out() -> None:
    assert english(ephemeral_storage("/srv/infra.sqlite3", {}, "\nodd\n/dev/sda1 / ext4\n")) == ""
