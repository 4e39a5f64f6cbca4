"""Links between nodes, over which blocks and transactions are relayed by JSON-RPC."""

import functools
import http.client
import threading
import time

MOST_ROUNDS = 20
# In seconds: what no script asks to synchronize arrives all the same.
PAUSE = 1
MOST_COINS = 21_000_000


class Peer:
    """A running node with a connection of our own: the script's may be busy."""

    def __init__(self, node, rpc, error):
        self.node = node
        self.process = node.process
        self.rpc = rpc
        self.error = error
        self.tip = None
        # Transactions that the node refused since it has this tip.
        self.refused = set()
        self.seen_tip = None

    def lives(self):
        node, process = self.node, self.process
        return node.running and node.process is process and process.poll() is None

    def succeeds(self, call):
        try:
            call()
            return True
        except self.error:
            return False

    def accepts(self, txid, transaction):
        """Offers a transaction without the limits that protect the sender."""
        if self.succeeds(lambda: self.rpc.sendrawtransaction(transaction, 0, MOST_COINS)):
            return True
        self.refused.add(txid)
        return False

    def accepts_package(self, parent, child, transactions):
        """Offers a parent that was refused once more, with a child that pays for it."""
        try:
            answer = self.rpc.submitpackage(transactions, 0, MOST_COINS)
        except self.error:
            return False
        if answer["package_msg"] != "success":
            return False
        self.refused -= {parent, child}
        return True

    def has_block(self, block_hash):
        return self.succeeds(lambda: self.rpc.getblock(block_hash, 0))

    def given_back(self):
        """Lists the transactions of the blocks that have left the chain since the last call."""
        block_hash, self.seen_tip = self.seen_tip, self.rpc.getbestblockhash()
        txids = []
        while block_hash is not None and block_hash != self.seen_tip:
            block = self.rpc.getblock(block_hash)
            if block["confirmations"] >= 0:
                break
            txids += block["tx"]
            block_hash = block["previousblockhash"]
        return txids

    def work(self, block_hash):
        return int(self.rpc.getblockheader(block_hash)["chainwork"], 16)


class Link:
    """A connection: a transaction that was in a mempool before it is not announced."""

    def __init__(self, first, second):
        self.ends = (first, second)
        self.old = {peer: set(peer.rpc.getrawmempool()) for peer in self.ends}
        self.sent = set()

    def lives(self):
        return all(peer.lives() for peer in self.ends)

    def directions(self):
        first, second = self.ends
        return ((first, second), (second, first))


class Relay:
    def __init__(self, make_rpc, error):
        self.make_rpc = make_rpc
        self.error = error
        self.links = {}
        self.peers = {}
        self.lock = threading.RLock()
        self.thread = None

    def peer(self, node):
        known = self.peers.get(node)
        if known is None or not known.lives():
            known = self.peers[node] = Peer(node, self.make_rpc(node), self.error)
        return known

    def connect(self, first, second):
        with self.lock:
            self.links[frozenset((first, second))] = Link(self.peer(first), self.peer(second))
            self.run()
        if self.thread is None:
            self.thread = threading.Thread(target=self.run_often, daemon=True)
            self.thread.start()

    def disconnect(self, first, second):
        """Returns whether they were connected. What was on the way arrives first."""
        with self.lock:
            self.run()
            return self.links.pop(frozenset((first, second)), None) is not None

    def run_often(self):
        while True:
            time.sleep(PAUSE)
            self.run()

    def run(self):
        """Relays until nothing more moves. A node that stops takes its links with it."""
        with self.lock:
            for _ in range(MOST_ROUNDS):
                self.links = {key: link for key, link in self.links.items() if link.lives()}
                self.keep_back()
                if not any([self.run_link(link) for link in self.links.values()]):
                    return

    def keep_back(self):
        """Takes what a block gave back to a mempool for announced, as a node does."""
        for peer in {peer for link in self.links.values() for peer in link.ends}:
            try:
                txids = peer.given_back()
            except (self.error, OSError, http.client.HTTPException):
                continue
            for link in self.links.values():
                if peer in link.old:
                    link.old[peer].update(txids)

    def run_link(self, link):
        """Returns whether anything moved."""
        moved = False
        for source, target in link.directions():
            try:
                moved = self.send_blocks(link, source, target) or moved
                moved = self.send_transactions(link, source, target) or moved
            except self.error:
                # A block that is no longer there, or that the target refuses to connect.
                continue
            except (OSError, http.client.HTTPException):
                # The node stops. Its connection may be unusable.
                self.peers.pop(source.node, None)
                self.peers.pop(target.node, None)
        return moved

    def send_blocks(self, link, source, target):
        """Sends the blocks of the source's chain, or only their headers if the target's chain has more work."""
        tip = source.rpc.getbestblockhash()
        own = target.rpc.getbestblockhash()
        if own != target.tip:
            target.tip = own
            target.refused = set()
        if tip == own or (target, tip, own) in link.sent:
            return False
        # A chain that the target does not take is not sent again.
        link.sent.add((target, tip, own))
        missing = self.missing_blocks(source, target, tip)
        if not missing:
            return False
        has_work = source.work(tip) >= target.work(own)
        for block_hash in missing:
            if has_work:
                target.rpc.submitblock(source.rpc.getblock(block_hash, 0))
            else:
                target.rpc.submitheader(source.rpc.getblockheader(block_hash, False))
        return has_work

    def missing_blocks(self, source, target, block_hash):
        """Lists the blocks up to this one that the target lacks, the lowest first."""
        missing = []
        while block_hash is not None and not target.has_block(block_hash):
            missing.append(block_hash)
            block_hash = source.rpc.getblockheader(block_hash).get("previousblockhash")
        return missing[::-1]

    def send_transactions(self, link, source, target):
        pool = source.rpc.getrawmempool()
        old = link.old[source]
        # One that has left and returns is announced again.
        old &= set(pool)
        fresh = [txid for txid in pool if txid not in old]
        if not fresh:
            return False
        here = set(target.rpc.getrawmempool())
        wanted = [txid for txid in fresh if txid not in here and txid not in target.refused]
        # A node that catches up asks for no transactions.
        if not wanted or target.rpc.getblockchaininfo()["initialblockdownload"]:
            return False
        moved = False
        for txid in self.parents_first(source, wanted):
            moved = self.send_transaction(source, target, txid) or moved
        return moved

    def send_transaction(self, source, target, txid):
        transaction = source.rpc.getrawtransaction(txid)
        if target.accepts(txid, transaction):
            return True
        refused = [parent for parent in source.rpc.getmempoolentry(txid)["depends"] if parent in target.refused]
        if len(refused) != 1:
            return False
        parent = refused[0]
        return target.accepts_package(parent, txid, [source.rpc.getrawtransaction(parent), transaction])

    def parents_first(self, source, txids):
        """A parent has fewer ancestors than its children."""
        if len(txids) == 1:
            return txids
        entries = source.rpc.getrawmempool(True)
        return sorted(txids, key=lambda txid: entries[txid]["ancestorcount"] if txid in entries else 0)


def install(framework):
    """Puts links in the place of peer connections, and relays before nodes are synchronized."""
    from test_framework.authproxy import AuthServiceProxy, JSONRPCException

    relay = Relay(lambda node: AuthServiceProxy(node.url, timeout=60), JSONRPCException)
    test_class = framework.BitcoinTestFramework

    def connect_nodes(self, a, b, **_):
        relay.connect(self.nodes[a], self.nodes[b])

    def disconnect_nodes(self, a, b):
        if not relay.disconnect(self.nodes[a], self.nodes[b]):
            self.log.warning(f"disconnect_nodes: {a} and {b} were not connected")

    def relaying(method):
        @functools.wraps(method)
        def wrapped(*args, **kwargs):
            relay.run()
            return method(*args, **kwargs)

        return wrapped

    test_class.connect_nodes = connect_nodes
    test_class.disconnect_nodes = disconnect_nodes
    for name in ("sync_blocks", "sync_mempools"):
        setattr(test_class, name, relaying(getattr(test_class, name)))
