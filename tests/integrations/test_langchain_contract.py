"""LangChain keeps the contract of every adapter."""

from __future__ import annotations

from tests.integrations.contract import AdapterContract
from tests.integrations.langchain_harness import LangChainHarness


class TestLangChain(AdapterContract):
    harness_type = LangChainHarness
