"""Tests a shop with pytest on a regtest node, which conftest.py starts."""

from decimal import Decimal

import pytest
from conftest import RpcError, start_node


def test_the_shop_sees_a_payment_in_a_block(node, wallet):
    txid = node.fund(wallet.rpc("getnewaddress"), Decimal("0.25"))
    assert wallet.rpc("gettransaction", txid)["confirmations"] == 1
    assert wallet.rpc("getbalance") == Decimal("0.25")


def test_each_test_has_a_wallet_of_its_own(wallet):
    assert wallet.rpc("getbalance") == 0
    with pytest.raises(RpcError, match="Insufficient funds") as refused:
        wallet.rpc("sendtoaddress", wallet.rpc("getnewaddress"), 1)
    assert refused.value.code == -6


def test_a_test_of_the_chain_starts_a_node_of_its_own(tmp_path):
    with start_node(tmp_path, "-dialect=core-30") as node:
        node.rpc("invalidateblock", node.rpc("getblockhash", 1))
        assert node.rpc("getblockcount") == 0
