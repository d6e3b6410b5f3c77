"""What the tests of the page share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a table that is served with nothing set; a file's own."""
    from tests.table.pages import (
        service,  # where Playwright is missing the tests without a page run all the same
    )

    with service("serve", "--port", "0", data=tmp_path_factory.mktemp("data")) as (_, ready):
        yield ready["address"]
