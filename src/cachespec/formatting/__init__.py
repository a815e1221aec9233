"""Layouts as text for people, old and new; nothing else imports ruamel."""
