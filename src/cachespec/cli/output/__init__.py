"""What commands print: findings, sizes and tables, for people and for programs."""
