"""How well days are told, measured on labelled ones."""
