"""Can everything on a page be seen by night and on a phone, on pages of the site as in reports?"""

import re
from pathlib import Path

import primad

HERE = Path(primad.__file__).parent
REPORT = (HERE / "reports" / "templates" / "styles" / "report.css").read_text(encoding="utf-8")
SITE = (HERE / "web" / "static" / "web" / "site.css").read_text(encoding="utf-8")


def luminance(colour: str) -> float:
    """Return how light COLOUR is, as WCAG 2.2 has it: 0 is black and 1 is white."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2.2 has it, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_at_night_a_figure_lies_on_paper_that_does_not_dazzle_and_on_which_its_text_is_read() -> None:
    (sheet,) = re.findall(r"prefers-color-scheme: dark\) \{ \.report \.paper \{ --sheet: (#[0-9a-f]{6});", REPORT)
    page = re.findall(r"--page: (#[0-9a-f]{6})", REPORT)[0]

    assert contrast(sheet, "#000000") > 7
    assert contrast(sheet, page) < 0.65 * contrast("#ffffff", page)


def test_tables_of_the_site_show_by_the_same_shadow_as_those_of_reports_that_they_scroll() -> None:
    site, report = (next(one for one in text.split("}") if "linear-gradient" in one) for text in (SITE, REPORT))

    shadow = r"gradient\(to (\w+), var\(--(\w+)\)( 40%)?, transparent\) (\w+) / (\S+) 100% no-repeat (\w+)"
    drawn = [re.findall(shadow, one.replace("--sheet", "--page")) for one in (site, report)]
    assert ".scroll {" in site
    assert len(drawn[0]) == 4
    assert drawn[0] == drawn[1]
