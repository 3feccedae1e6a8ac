"""Options that name something and give its value: ``--margin map=0.01``, ``--where role=original``."""

from __future__ import annotations

from primad.errors import UsageError


def named_values(given: list[str], option: str, form: str) -> dict[str, list[str]]:
    """Return the values GIVEN to OPTION by name, which is expected in the FORM shown.

    >>> named_values(["role=original", "role=reproduction"], "--where", "NAME=VALUE")
    {'role': ['original', 'reproduction']}
    """
    values: dict[str, list[str]] = {}
    for one in given:
        name, _, value = one.partition("=")
        if not name or not value:
            raise UsageError(f"expected {option} {form}, found '{one}'")
        values.setdefault(name, []).append(value)
    return values


def named_numbers(given: list[str], option: str, form: str) -> dict[str, float]:
    """Return the number GIVEN to OPTION for each name, of which there must be one."""
    numbers = {}
    for name, values in named_values(given, option, form).items():
        if len(values) > 1:
            raise UsageError(f"expected one {option} for {name}, found {len(values)}: {', '.join(values)}")
        try:
            numbers[name] = float(values[0])
        except ValueError:
            raise UsageError(f"expected {option} {form}, found '{name}={values[0]}'") from None
    return numbers
