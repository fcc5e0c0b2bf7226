"""Rendering: terminal, JSON, HTML, plots and exports."""

__all__: list[str] = []
