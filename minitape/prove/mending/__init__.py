"""What a mend by rule makes of the user's files: one line of advice, or all that was proved."""
