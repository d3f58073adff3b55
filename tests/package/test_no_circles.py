"""No files import each other in a circle, those imported for their types alone included."""

from __future__ import annotations

from graphlib import TopologicalSorter

import grimp


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = grimp.build_graph("arbiterd", "eboards", exclude_type_checking_imports=False)
    imported = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert sum(map(len, imported.values())) > len(imported), "the imports were read"
    TopologicalSorter(imported).prepare()  # Raises CycleError, which names them.
