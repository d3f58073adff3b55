"""The contract as types: payloads, topics, times. Schemas are generated from here."""
