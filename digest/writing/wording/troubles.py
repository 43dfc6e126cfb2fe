"""Why a model said nothing, in a few words for the foot of a page: no host, no secret."""

from collections.abc import Mapping

from digest.edited import Trouble
from digest.languages import Language

TROUBLES: Mapping[Language, Mapping[Trouble, str]] = {
    Language.EN: {
        Trouble.SETTINGS: "the settings of {model} need mending",
        Trouble.KEY: "the server of {model} refuses the key",
        Trouble.ACCESS: "the key may not use {model}",
        Trouble.UNKNOWN_MODEL: "the server does not know {model}",
        Trouble.ADDRESS: "no model server at the address set for {model}",
        Trouble.UNREACHABLE: "the server of {model} could not be reached",
        Trouble.TIMEOUT: "{model} did not answer in time",
        Trouble.CERTIFICATE: "the certificate of {model}\u2019s server is not trusted",
        Trouble.QUOTA: "the account for {model} has nothing left to spend",
        Trouble.BUSY: "the server of {model} was too busy",
        Trouble.BROKEN: "the server of {model} failed",
        Trouble.REFUSED: "the server of {model} refused the questions",
        Trouble.UNREADABLE: "the answers of {model} could not be used",
        Trouble.TOO_LONG: "the questions are too long for {model}",
        Trouble.UNCOUNTED: "the cost of {model} could not be noted",
    },
    Language.ZH: {
        Trouble.SETTINGS: "{model} 的设置有误",
        Trouble.KEY: "{model} 的服务器拒绝了密钥",
        Trouble.ACCESS: "该密钥无权使用 {model}",
        Trouble.UNKNOWN_MODEL: "服务器上没有 {model}",
        Trouble.ADDRESS: "为 {model} 设置的地址上没有模型服务器",
        Trouble.UNREACHABLE: "无法连接 {model} 的服务器",
        Trouble.TIMEOUT: "{model} 未在限时内答复",
        Trouble.CERTIFICATE: "{model} 服务器的证书不受信任",
        Trouble.QUOTA: "{model} 的账户额度已用完",
        Trouble.BUSY: "{model} 的服务器过于繁忙",
        Trouble.BROKEN: "{model} 的服务器出错",
        Trouble.REFUSED: "{model} 的服务器拒绝了提问",
        Trouble.UNREADABLE: "{model} 的答复无法使用",
        Trouble.TOO_LONG: "提问对 {model} 来说过长",
        Trouble.UNCOUNTED: "{model} 的用量无法记录",
    },
}
