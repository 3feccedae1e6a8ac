"""Who may come in: users and their roles in tracks, invitations, and tokens for programs."""
