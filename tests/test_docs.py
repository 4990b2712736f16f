"""The pages are true: fresh where they are read off the code, whole, and their links lead somewhere."""

import re
from pathlib import Path

import pytest

from finspan.v1 import finspan_pb2 as pb
from tests import settings_page

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "clients/**/*.md")
    for path in ROOT.glob(pattern)
    if "node_modules" not in path.parts
)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


def test_the_page_of_settings_is_fresh() -> None:
    """If it is not: python -m tests.settings_page."""
    assert settings_page.PAGE.read_text(encoding="utf-8") == settings_page.page()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_within_the_project_leads_somewhere(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    inside = [link for link in links if "://" not in link]
    assert [link for link in inside if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("reason", [value.name for value in pb.ErrorReason.DESCRIPTOR.values if value.number])
def test_every_error_reason_is_explained(reason: str) -> None:
    assert f"`{reason}`" in (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "method", [method.name for method in pb.DESCRIPTOR.services_by_name["FinspanService"].methods]
)
def test_every_rpc_is_explained(method: str) -> None:
    assert f"`{method}`" in (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
