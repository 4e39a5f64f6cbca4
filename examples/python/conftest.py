"""Fixtures of pytest: `node`, a regtest node for the whole run, and `wallet`, one for each test.

Copy this file next to your tests. It needs only Python and Node, and starts `npx countersign bitcoind`; the variable COUNTERSIGN
names another command than `npx countersign`.
"""

import base64
import contextlib
import json
import os
import shlex
import socket
import subprocess
import time
import urllib.error
import urllib.request
import uuid
from decimal import Decimal

import pytest


class RpcError(Exception):
    """The node's refusal, with its code."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class Node:
    """A node, or one of its wallets, at a URL for JSON-RPC."""

    def __init__(self, url, user, password):
        self.url = url
        self.user = user
        self.password = password

    def rpc(self, method, *params):
        """Calls a method. Amounts are of type Decimal, both ways."""
        body = json.dumps({"id": 1, "method": method, "params": params}, default=str).encode()
        login = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        headers = {"Authorization": f"Basic {login}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url, body, headers)
        try:
            with OPENER.open(request, timeout=60) as reply:
                text = reply.read()
        except urllib.error.HTTPError as failed:
            # A refusal has the status 404 or 500, and a body.
            text = failed.read()
            if not text:
                raise
        answer = json.loads(text, parse_float=Decimal)
        if answer["error"]:
            raise RpcError(answer["error"])
        return answer["result"]

    def wallet(self, name):
        """Calls methods for a wallet that is loaded."""
        return Node(f"{self.url}/wallet/{name}", self.user, self.password)

    def fund(self, address, amount):
        """Pays bitcoin to an address, in a new block. Returns the txid."""
        miner = self.wallet(MINER)
        txid = miner.rpc("sendtoaddress", address, amount)
        self.rpc("generatetoaddress", 1, miner.rpc("getnewaddress"))
        return txid


MINER = "miner"
# The node is on this machine, whatever proxy the environment names.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
START_SECONDS = 60


@contextlib.contextmanager
def start_node(datadir, *options):
    """Runs a node of its own in an empty directory. Takes bitcoind's options."""
    port = free_port()
    command = shlex.split(os.environ.get("COUNTERSIGN", "npx countersign"))
    given = ["bitcoind", "-regtest", f"-datadir={datadir}", f"-rpcport={port}", "-fallbackfee=0.0002", "-printtoconsole=0"]
    process = subprocess.Popen([*command, *given, *options], stdin=subprocess.DEVNULL)
    try:
        node = connect(process, port, datadir / "regtest" / ".cookie")
        try:
            node.rpc("createwallet", MINER)
            node.rpc("generatetoaddress", 101, node.wallet(MINER).rpc("getnewaddress"))
            yield node
        finally:
            node.rpc("stop")
            process.wait(60)
    finally:
        process.terminate()
        process.wait(60)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def connect(process, port, cookie):
    """Waits until the node answers."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"{shlex.join(process.args)} ended with exit code {process.returncode}")
        with contextlib.suppress(OSError, RpcError):
            user, password = cookie.read_text().split(":")
            node = Node(f"http://127.0.0.1:{port}", user, password)
            node.rpc("getblockcount")
            return node
        time.sleep(0.1)
    raise RuntimeError(f"{shlex.join(process.args)} has not answered for {START_SECONDS} seconds")


@pytest.fixture(scope="session")
def node(tmp_path_factory):
    """One node for all tests. Its chain grows from test to test: count blocks from where yours begins."""
    with start_node(tmp_path_factory.mktemp("node")) as started:
        yield started


@pytest.fixture
def wallet(node):
    """A new, empty wallet for the test."""
    name = uuid.uuid4().hex
    node.rpc("createwallet", name)
    yield node.wallet(name)
    node.rpc("unloadwallet", name)
