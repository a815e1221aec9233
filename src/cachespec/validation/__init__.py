"""Plain values to mistakes: the schema first, then the rules that it cannot say."""
