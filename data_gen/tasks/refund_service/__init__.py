"""Refund service: a sentiment, a policy and a dialogue agent settle complaints over shared memory."""

from data_gen.tasks.refund_service.domain import DOMAIN

__all__ = ["DOMAIN"]
