"""The HTTP API keeps its own documentation, whatever fits it or does not: requests made from the document.

test_operations.py has an example of each. Cases are made when tests are collected, which takes seconds:
conftest.py leaves this file out where thorough tests are.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.generation.case import Case
from schemathesis.specs.openapi.checks import positive_data_acceptance
from servers import served_apart

from sleuth.web.app import create_app

# What a word list lacks, or what rows contradict, no schema can say: such requests get 422 as documented.
BEYOND_SCHEMAS: list[Any] = [positive_data_acceptance]

# What may be said to a request that does not fit the schema. The default lacks 413: a body may be too large.
REFUSALS = ["400", "404", "405", "409", "413", "415", "422", "429"]
config = schemathesis.Config.from_dict(
    {"checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}}
)

schema = schemathesis.openapi.from_dict(create_app().openapi(), config=config)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served_apart() as (_, address):
        yield address


@pytest.mark.thorough
@schema.parametrize()
@settings(deadline=None, suppress_health_check=list(HealthCheck))
def test_the_document_is_kept(case: Case[Any], address: str) -> None:
    case.call_and_validate(base_url=address, timeout=700, excluded_checks=BEYOND_SCHEMAS)
