"""The errors of the rules: each is a `ValueError` whose sentence names the place and the rule."""


class NotationError(ValueError):
    """A text is not in the notation."""


class IllegalAction(ValueError):
    """An action breaks a rule."""


class BadOptions(ValueError):
    """The options cannot be played together (15)."""


class BadComponents(ValueError):
    """A list of components contradicts the printed facts (1)."""
