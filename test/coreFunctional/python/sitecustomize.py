"""Lets Core's functional tests run on nodes without peers.

Python imports this file at its start. It changes no script: once the framework is imported, `connect_nodes` and
`disconnect_nodes` keep links between nodes, over which JSON-RPC relays what a peer would have sent: blocks, and the
transactions that entered a mempool since the link was made. It does so each second, and before nodes are synchronized.
"""

import importlib.abc
import importlib.machinery
import sys

FRAMEWORK = "test_framework.test_framework"


class FrameworkFinder(importlib.abc.MetaPathFinder):
    """Finds the framework as Python does, and has it changed once it is loaded."""

    def find_spec(self, name, path, target=None):
        if name != FRAMEWORK:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            from relay import install

            install(module)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, FrameworkFinder())
