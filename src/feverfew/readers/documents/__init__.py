"""Documents: plain text, Markdown, spreadsheets, PDF and Word."""
