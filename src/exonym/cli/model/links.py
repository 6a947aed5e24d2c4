"""`exonym model links show|judge MODEL …`: shows what is in a link model, and how it judges a link."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.model.topic import origin_rows
from exonym.cli.options import AsJson, number
from exonym.cli.output import OutputRows, emit
from exonym.errors import ConfigError
from exonym.report.number_text import byte_size
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.models.links.explain import LinkReport
    from exonym.models.links.trained import TrainedLinkModel

_MOST_VALUES = 20
_MOST_SHOWN = 10  # of these in a table

_Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file written by `exonym model links train`.")]


def show_segments(
    model: _Model,
    as_json: AsJson = False,
) -> None:
    """Show what is in a link model: its features, the values with the largest weights, what it needs, its origin."""
    from exonym.models.links.link_model_file import load_link_model
    from exonym.training.links.link_report import telling_document

    loaded = load_link_model(model)
    document = {
        "model": str(model),
        "bytes": model.stat().st_size,
        "name": loaded.name,
        "kind": loaded.kind,
        "pool": loaded.pool,
        "unit": loaded.unit,
        "language": loaded.options.terms.language,
        "features": list(loaded.weights.features),
        "names": len(loaded.options.names),
        "matcher": loaded.options.matcher,
        "terms": len(loaded.weights.terms),
        "threshold": round(loaded.weights.calibration.threshold, 4),
        "needs": loaded.needs,
        "telling": telling_document(loaded, _MOST_VALUES),
        "provenance": loaded.provenance,
    }
    emit(document, _shown_model(document), as_json)


def _shown_model(document: dict[str, Any]) -> Iterator[str | OutputRows]:
    needs = ", ".join(f"{name} {version}" for name, version in document["needs"].items())
    yield f"{clean(document['name'])}, a {document['kind']} link model of {document['unit']}s"
    yield [
        ("file", f"{clean(document['model'])}, {byte_size(document['bytes'])}"),
        ("features", ", ".join(document["features"])),
        ("predicts from", "all links of a pair of segments" if document["pool"] == "pair" else "one link at a time"),
        ("names of the nation", f"{document['names']:,}, matcher {document['matcher']}"),
        ("terms", f"{document['terms']:,}, language {clean(document['language'])}"),
        ("called relevant", f"at a probability of {document['threshold']:.2f} or more"),
        ("needs", clean(needs) or "nothing"),
        *origin_rows(document["provenance"]),
    ]
    yield from strongest_values_shown(document["telling"], _MOST_SHOWN)


def strongest_values_shown(weights: dict[str, Any], count: int) -> Iterator[str | OutputRows]:
    """The values of each feature with the largest weights, and these weights."""
    from exonym.training.links.link_report import NAMES

    def line_of(values: list[dict[str, Any]]) -> str:
        return ", ".join(f"{clean(one['value'], 40) or 'unknown'} {one['weight']:+.2f}" for one in values[:count])

    yield "\nStrongest values, and what each adds to the log-odds:"
    rows = [
        (f"{NAMES[name]}, {side}", line_of(sides[side]))
        for name, sides in weights.items()
        for side in ("for", "against")
        if sides[side]
    ]
    yield rows or [("", "none: no value is more frequent on one side")]


def read_link(
    model: _Model,
    url: Annotated[str, typer.Option(metavar="URL", help="The target of the link.")],
    anchor: Annotated[str, typer.Option(metavar="WORDS", help="The anchor text of the link.")] = "",
    around: Annotated[str, typer.Option(metavar="WORDS", help="Up to 100 characters on each side of the link.")] = "",
    degree: Annotated[
        float, number("degree", "Relevance degree of the source page's segment (site, or own).", 0.0, 1.0, "SHARE")
    ] = 0.5,
    source_domain: Annotated[
        str, typer.Option(metavar="DOMAIN", help="Top-level domain of the source page; if not given, unknown.")
    ] = "",
    source_country: Annotated[
        str, typer.Option(metavar="XX", help="Country of the source page's server; if not given, unknown.")
    ] = "",
    country: Annotated[
        str, typer.Option(metavar="XX", help="Country of the target's server; if not given, unknown.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show how a link model judges one link, and why."""
    from exonym.models.links.explain import report_link
    from exonym.models.links.features import LinkTexts
    from exonym.models.links.link_model_file import load_link_model
    from exonym.urls import normal_form

    loaded = load_link_model(model)
    link = LinkTexts(
        urls=[normal_form(url)],
        anchors=[anchor],
        around=[around],
        source_domains=[_domain(source_domain)],
        source_countries=[_country(source_country)],
        countries=[_country(country)],
    )
    document = _verdict_document(report_link(loaded, link, degree), link.urls[0], loaded)
    emit(document, _shown_link(document, loaded.unit), as_json)


def _domain(given: str) -> str:
    from exonym.urls import domain_from

    domain = domain_from(given)
    if given.strip() and not domain:
        raise ConfigError(f"{given[:60]!r} is not a top-level domain. Write one, as in com.")
    return domain


def _country(given: str) -> str:
    from exonym.batches import country_code, country_name

    country = country_name(country_code(given.strip()))
    if given.strip() and not country:
        raise ConfigError(f"{given[:60]!r} is not a country. Write its two letters, as in TH.")
    return country


def _verdict_document(report: "LinkReport", url: str, model: "TrainedLinkModel") -> dict[str, Any]:
    least = model.weights.calibration.threshold
    halves = {"links": report.linked, "words": report.worded}
    return {
        "url": url,
        "kind": model.kind,
        "probability": round(report.probability, 4),
        "relevant": report.probability >= least,
        "threshold": round(least, 4),
        "halves": {name: None if half is None else round(half, 4) for name, half in halves.items()},
        "shares": {"text": round(report.shares[0], 4), "url": round(report.shares[1], 4)},
        "values": {name: {"value": one.value, "says": round(one.weight, 4)} for name, one in report.values.items()},
        "words": [{"term": one.value, "says": round(one.weight, 4)} for one in report.words],
    }


def _shown_link(document: dict[str, Any], unit: str) -> Iterator[str | OutputRows]:
    values, shares = document["values"], document["shares"]
    verdict = "relevant" if document["relevant"] else "irrelevant"
    likely = f"{100 * document['probability']:.0f} % likely, {100 * document['threshold']:.0f} % needed"
    halves = ", ".join(f"{100 * half:.0f} % by {name}" for name, half in document["halves"].items() if half is not None)
    words = ", ".join(f"{clean(one['term'], 40)} {one['says']:+.2f}" for one in document["words"][:_MOST_SHOWN])
    yield clean(document["url"])
    yield [
        (f"its {unit}", f"{verdict}: {likely}" + (f" ({halves})" if halves else "")),
        ("degree", f"{_share(float(values['degree']['value']))}  {_says(values, 'degree')}"),
        ("names", f"{_share(shares['text'])}|{_share(shares['url'])}  {_says(values, 'text_names', 'url_names')}"),
        ("countries", _pair(values, "source_country", "country")),
        ("domains", _pair(values, "source_domain", "domain")),
        ("words", words or "none known to the model"),
    ]


def _share(share: float) -> str:
    """As the thesis writes shares, 0.6, unless that would hide something."""
    return f"{share:.1f}" if abs(share - round(share, 1)) < 1e-9 else f"{share:.2f}"


def _pair(values: dict[str, Any], *names: str) -> str:
    pair = "|".join(clean(values[name]["value"], 40) or "unknown" for name in names)
    return f"{pair}  {_says(values, *names)}"


def _says(values: dict[str, Any], *names: str) -> str:
    return ", ".join(f"{values[name]['says']:+.2f}" for name in names)
