"""The HTML, CSS and JavaScript of pages, filled in by jinja2. Autoescape is always on: text from the web is text."""

from functools import cache
from typing import TYPE_CHECKING, Any

from exonym.web_text import readable_address

if TYPE_CHECKING:
    from jinja2 import Environment


def rendered(template: str, macro: str = "", *arguments: Any, **values: Any) -> str:
    """The template with its values, or one macro of it with its arguments, as HTML."""
    loaded = environment_of("exonym.report").get_template(template)
    if macro:
        return str(getattr(loaded.module, macro)(*arguments))
    return loaded.render(**values)


@cache
def environment_of(package: str) -> "Environment":
    """What fills in the folder `templates` of a package."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["address"] = readable_address
    environment.globals["kind_of"] = lambda part: type(part).__name__
    return environment
