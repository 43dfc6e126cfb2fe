"""Which catalogue speaks which language."""

from collections.abc import Mapping
from types import MappingProxyType

from digest.languages import Language
from digest.writing.wording.catalogue import Catalogue
from digest.writing.wording.en import EN
from digest.writing.wording.zh import ZH

CATALOGUES: Mapping[Language, Catalogue] = MappingProxyType({Language.EN: EN, Language.ZH: ZH})
