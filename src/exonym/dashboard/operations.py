"""One operation of the HTTP API, and the OpenAPI description that is made of all of them.

The description and the checks come from the same types: a query or body that the description does not allow is refused
before the operation runs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from starlette.requests import Request

from exonym.dashboard.served_crawls import ServedCrawl, ServedCrawls
from exonym.errors import ConfigError, ExonymError
from exonym.version import __version__

ApiDocument = dict[str, Any]

_PATH_PARAMETERS: dict[str, tuple[ApiDocument, str]] = {
    "crawl": ({"type": "string"}, "The name of a crawl: that of its directory."),
    "view": ({"type": "string"}, "The name of a view, as in servers."),
    "chart": ({"type": "string"}, "The name of a chart, as in harvest."),
    "number": ({"type": "integer", "minimum": 0}, "The id of a visit, as the view `visits` gives it."),
    "server": ({"type": "string"}, "A server: its host and, if it has one, its port."),
}


class NoSuchThingError(ExonymError):
    """There is no crawl, view, visit or server of this name."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request that has been checked, as an operation gets it."""

    crawls: ServedCrawls
    crawl: ServedCrawl | None  # None: the path names none
    parts: Mapping[str, Any]  # the other names in the path
    query: Any = None
    body: Any = None

    @property
    def one(self) -> ServedCrawl:
        """The crawl that the path names."""
        assert self.crawl is not None, "the path names a crawl"
        return self.crawl


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: how it is asked, and the function that answers."""

    method: Literal["GET", "POST", "PATCH"]
    path: str  # {names} stand for parts of the address
    name: str
    summary: str
    answer: Callable[[Call], ApiDocument]  # raises NoSuchThingError for what does not exist
    query: type[msgspec.Struct] | None = None
    body: type[msgspec.Struct] | None = None
    example: Any = None  # of an answer
    media_type: str = "application/json"

    @property
    def parameters(self) -> list[str]:
        """The names in the path."""
        return [part[1:-1] for part in self.path.split("/") if part.startswith("{")]

    @property
    def changes(self) -> bool:
        """Whether it changes anything, and so needs a token."""
        return self.method != "GET"


def query_of(request: Request, kind: type[msgspec.Struct]) -> Any:
    """The query of a request as a struct; raises ConfigError for a query that is not allowed."""
    known = {field.name: field for field in msgspec.structs.fields(kind)}
    given: dict[str, Any] = {}
    for name in request.query_params:
        if name not in known:
            raise ConfigError(f"{name[:40]!r} is no parameter here. There are {', '.join(known) or 'none'}.")
        values = request.query_params.getlist(name)
        is_list = isinstance(known[name].default, tuple)
        if len(values) > 1 and not is_list:
            raise ConfigError(f"{name} is given {len(values)} times. Give it once.")
        given[name] = values if is_list else values[0]
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(f"the query is not allowed: {error}.") from None


def body_of(content: bytes, kind: type[msgspec.Struct]) -> Any:
    """The body of a request as a struct; raises ConfigError for a body that is not allowed."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise ConfigError(f"the body is not allowed: {error}.") from None


# OpenAPI


def openapi_document(operations: Sequence[Operation]) -> ApiDocument:
    """The description of the API by OpenAPI 3.1."""
    kinds = [operation.body for operation in operations if operation.body is not None]
    schemas = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")[1]
    paths: dict[str, ApiDocument] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Exonym dashboard",
            "version": __version__,
            "description": "What crawls have found, and a say in what they do. Changes need the token that "
            "`exonym serve` prints; so does everything if the dashboard listens on more than this machine.",
        },
        "paths": paths,
        "components": {
            "schemas": {
                **schemas,
                "Error": {
                    "type": "object",
                    "properties": {"error": {"type": "string", "description": "What is wrong, and what to do."}},
                    "required": ["error"],
                },
            },
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(operation: Operation) -> ApiDocument:
    document: ApiDocument = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": [*map(_path_parameter, operation.parameters), *_query_parameters(operation.query)],
        "responses": _responses(operation),
    }
    if operation.body is not None:
        reference = {"$ref": f"#/components/schemas/{operation.body.__name__}"}
        document["requestBody"] = {"required": True, "content": {"application/json": {"schema": reference}}}
    if operation.changes:
        document["security"] = [{"token": []}]
    return document


def _path_parameter(name: str) -> ApiDocument:
    schema, description = _PATH_PARAMETERS[name]
    return {"name": name, "in": "path", "required": True, "schema": schema, "description": description}


def _query_parameters(kind: type[msgspec.Struct] | None) -> list[ApiDocument]:
    if kind is None:
        return []
    schema = msgspec.json.schema_components([kind])[1][kind.__name__]
    found: Mapping[str, ApiDocument] = schema["properties"]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "schema": {key: value for key, value in values.items() if key != "description"},
            "description": values.get("description", ""),
        }
        for name, values in found.items()
    ]


def _responses(operation: Operation) -> ApiDocument:
    if operation.media_type == "application/json":
        schema: ApiDocument = {"schema": {"type": "object"}}
        if operation.example is not None:
            schema["example"] = operation.example
    else:
        schema = {"schema": {"type": "string"}}
    error = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
    responses = {
        "200": {"description": "The answer.", "content": {operation.media_type: schema}},
        "400": {"description": "The request is not allowed.", **error},
        "401": {"description": "A token is needed, or it is not the right one.", **error},
        "403": {"description": "The request comes from another web site, or names another host.", **error},
    }
    if operation.parameters:
        responses["404"] = {"description": "There is no such crawl, view, visit or server.", **error}
        responses["409"] = {"description": "The crawl is in no state for this, or its directory is damaged.", **error}
    return responses
