"""The whole service under virtual time and a seed, with everything around it going wrong.

    seed ─▶ script ─▶ rehearsal ─▶ report          the same seed, the same bytes
            (troubles)    │
                          │  life after life of the real service, in one process
        lines ── disk ── broker ── arbiters        what it is given of the world, and simulated
                          │
                     the reader                    hears all that is told; holds it against
                          │                        the journal and against the hands' truth
                       findings ─▶ shorten         the fewest troubles that still do it

What is real: the service with its desk, links, codecs, tables, journal, outbox and commands, and
SQLite on files. What is not: HTTP, threads, the client of MQTT, and a kernel's disk.
"""
