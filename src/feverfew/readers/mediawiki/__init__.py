"""MediaWiki: XML dumps, and the wikitext of their pages."""
