"""A hall that plays by itself: games, hands, sensors, clocks, wires and what goes wrong.

    game ──▶ play (hands, incidents) ──▶ Story ─┬─▶ board: device events, at once
    profiles: how restless, how poor            └─▶ emulated: bytes of emulated boards, in time
                                            truth ──▶ score: what was reported, held against it

Everything that varies comes from one `Random(seed)` handed down. `virtual` is the time in which
many boards run together, `baselines` the matchers that tracking is compared with.
"""
