"""Pictures of layouts; nothing else imports matplotlib."""
