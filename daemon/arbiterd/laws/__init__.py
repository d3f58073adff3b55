"""Facts in, rulings out: one module an article group, the catalogue, claims, texts. Pure."""
