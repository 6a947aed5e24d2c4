"""Tasks cut into parts of files, and parts joined again that were cut in the wrong place."""

from itertools import pairwise

import msgspec

from exonym.archive.ranges import cuts_of
from exonym.webgraph.imports.reading import Done, Task
from exonym.webgraph.imports.sources import Kind


def parts_of(task: Task) -> list[Task]:
    """The task, or the parts that make it up if its file is long."""
    if task.source.kind not in (Kind.WARC, Kind.WAT):
        return [task]
    cuts = cuts_of(task.source.path)
    if len(cuts) == 2:
        return [task]
    return [_part(task, task.key, first, last) for first, last in pairwise(cuts)]


def _part(task: Task, key: str, first: int, last: int) -> Task:
    # A file that has grown has another key, so the end of the last part may be a number too.
    return msgspec.structs.replace(task, key=f"{key}-{first:x}-{last:x}", first=first, last=last)


def mended(tasks: list[Task], done: dict[str, Done]) -> list[Task]:
    """The tasks; where one ends in the middle of a record, with the next part as one."""
    whole: list[Task] = []
    for task in tasks:
        before = whole[-1] if whole else None
        # What was joined a moment ago has still to be read.
        if before and before.key in done and done[before.key].is_torn and _goes_on(before, task):
            whole[-1] = _part(before, before.key.partition("-")[0], before.first, task.last)
        else:
            whole.append(task)
    return whole


def _goes_on(before: Task, task: Task) -> bool:
    return 0 < before.last == task.first and before.source == task.source
