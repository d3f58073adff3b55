"""Who may do what: people with their roles and secrets."""
