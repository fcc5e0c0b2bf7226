"""English: lexicons, numbers, dates, units, claim decomposition, checkability."""
