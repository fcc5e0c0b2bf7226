"""Clients of `feverfew serve`: one that waits for each answer, and one to be awaited."""

from feverfew.client.awaited import AsyncClient
from feverfew.client.blocking import Client

__all__ = ["AsyncClient", "Client"]
