"""What the door for channels says of itself."""

from digest.languages import Language, Text

NOT_MINE: Text = {
    Language.EN: "This is no message of mine: choose one of a morning thread.",
    Language.ZH: "这不是我发的消息：请选择晨报中的消息。",
}
NOTHING_HERE: Text = {
    Language.EN: "This message is about no single change: choose one in its thread.",
    Language.ZH: "这条消息没有对应的变更：请选择其下的消息。",
}
FLAGGED: Text = {Language.EN: "🚩 {ref} is flagged.", Language.ZH: "🚩 已标记 {ref}。"}
NOBODY_ASKS: Text = {
    Language.EN: "Nothing here waits for you: react with 🚩 to a message first.",
    Language.ZH: "这里没有等你选择的内容：请先对消息添加 🚩。",
}
NOT_OPEN: Text = {
    Language.EN: "Nobody has flagged {ref}: 🚩 comes before ✅.",
    Language.ZH: "{ref} 尚未被标记：请先用 🚩 标记，再用 ✅ 完成。",
}
DONE: Text = {
    Language.EN: "{person} has done {ref} already.",
    Language.ZH: "{ref} 已由 {person} 完成。",
}
OPEN: Text = {Language.EN: "{ref} is open.", Language.ZH: "{ref} 尚未完成。"}
TAKEN: Text = {
    Language.EN: "{person} has taken {ref} already.",
    Language.ZH: "{ref} 已由 {person} 接手。",
}
SHARED: Text = {Language.EN: "Shared with this channel.", Language.ZH: "已分享到本频道。"}
SHARED_IN_THREAD: Text = {
    Language.EN: "Shared with this thread.",
    Language.ZH: "已分享到本讨论串。",
}
