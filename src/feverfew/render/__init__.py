"""What people look at: pages and plots that need nothing but a browser."""

__all__: list[str] = []
