"""What is known of English: lexicons, numbers, dates, units, sentences and their parts."""
