from adapters.discord.render import render
from adapters.discord.stored import message, read
from bot.thread import plan
from tests.bot.channels_invented import subscription, told
from tests.digest.writing import invented


def test_a_drawn_message_comes_out_of_the_store_as_it_went_in() -> None:
    (thread,) = plan([told(invented.busy())], [], subscription())
    for drawn in render(thread):
        kept = message(drawn)
        assert (kept.about, kept.is_parent, kept.kind) == (drawn.about, drawn.is_parent, drawn.kind)
        found = read(kept.payload)
        assert found.body == drawn.payload
        assert found.thread_name == drawn.thread_name == "kiln · Wed 4 Mar"
        assert found.values == drawn.values
