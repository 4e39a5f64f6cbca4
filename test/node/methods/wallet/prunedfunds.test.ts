import { describe, expect, test } from 'vitest';
import { blockAfter, coinbaseOf, genesisOf, spend } from '../../../support/blocks.ts';
import { openWithWallet, rpcFault } from '../../../support/feeding.ts';
import { formatHex, type NodeRpc, txid } from '../../../support/library.ts';
import { hexOf, idOf, LEGACY, MODERN, type WalletKind } from '../../../support/walletWorld.ts';

const SCRIPT = `0014${'77'.repeat(20)}`;
const refuse = (code: number, message: string): object => expect.objectContaining({ code, message });

/** Opens a node that watches a script, after blocks with a payment to it, one away from it, and one to others. */
function open({ network, dialect }: WalletKind) {
  const rpc = openWithWallet(dialect, network);
  const coin = blockAfter(genesisOf(network), { script: '51' });
  let tip = coin;
  rpc.call('submitblock', [tip.hex]);
  for (let i = 0; i < 101; i += 1) {
    tip = blockAfter(tip, { script: '51', salt: i.toString(16).padStart(4, '0') });
    rpc.call('submitblock', [tip.hex]);
  }
  const payment = spend([{ txid: txid(coinbaseOf(coin)), vout: 0 }], SCRIPT);
  const block = blockAfter(tip, { txs: [payment] });
  rpc.call('submitblock', [block.hex]);
  watch(rpc, network === MODERN.network);
  return { rpc, payment, block, hex: hexOf(payment), id: idOf(payment) };
}

function watch(rpc: NodeRpc, hasDescriptors: boolean): void {
  if (!hasDescriptors) {
    rpc.call('importaddress', [SCRIPT, '', false], 'w');
    return;
  }
  rpc.call('createwallet', ['watcher', true]);
  const { descriptor } = rpc.call('getdescriptorinfo', [`raw(${SCRIPT})`]);
  // The clock stands still, so that "now" leaves out no block: the funds are removed again.
  rpc.call('importdescriptors', [[{ desc: descriptor, timestamp: 'now' }]], 'watcher');
}

describe.each([
  ['0.21', LEGACY, 'w'],
  ['31', MODERN, 'watcher'],
] as const)('the funds of a pruned wallet of %s', (name, kind, wallet) => {
  const is021 = name === '0.21';

  test('come with a proof, count, and go again', () => {
    const { rpc, block, hex, id } = open(kind);
    if (!is021) rpc.call('removeprunedfunds', [id], wallet);
    const countOf = (): number => rpc.call('getwalletinfo', [], wallet).txcount;
    expect(countOf()).toBe(0);
    const proof = rpc.call('gettxoutproof', [[id]]);
    expect(rpc.call('gettxoutproof', [[id], block.hash])).toBe(proof);
    expect(rpc.call('verifytxoutproof', [proof])).toEqual([id]);
    expect(rpc.call('importprunedfunds', [hex, proof], wallet)).toBeNull();
    expect(rpc.call('importprunedfunds', [hex, proof], wallet)).toBeNull();
    const [first] = rpc.call('listunspent', [], wallet);
    expect(first).toMatchObject({ txid: id, confirmations: 1 });
    expect(rpc.call('gettransaction', [id], wallet)).toMatchObject({ blockhash: block.hash, blockindex: 1 });
    expect(rpc.call('removeprunedfunds', [id], wallet)).toBeNull();
    expect(rpc.call('listunspent', [], wallet)).toEqual([]);
    expect(countOf()).toBe(0);
    expect(rpcFault(() => rpc.call('removeprunedfunds', [id], wallet))).toEqual(
      is021
        ? refuse(-8, 'Transaction does not exist in wallet.')
        : refuse(-4, `Transaction ${id} does not belong to this wallet`),
    );
    expect(rpc.call('rescanblockchain', [], wallet)).toMatchObject({ start_height: 0 });
    expect(countOf()).toBe(1);
  });

  test('need a proof that is right, of a block of the chain, and a transaction of the wallet', () => {
    const { rpc, payment, block, hex, id } = open(kind);
    const proof = rpc.call('gettxoutproof', [[id]]);
    const importing = (tx: string, given: string): unknown =>
      rpcFault(() => rpc.call('importprunedfunds', [tx, given], wallet));
    const bent = `${proof.slice(0, -72)}${'0'.repeat(72)}`;
    expect(importing(hex, bent)).toEqual(refuse(-5, 'Something wrong with merkleblock'));
    const end = is021 ? 'CDataStream::read(): end of data' : 'SpanReader::read(): end of data';
    expect(importing(hex, proof.slice(0, 100))).toEqual(refuse(-1, `${end}: iostream error`));
    expect(importing(hex, 'zz')).toEqual(refuse(-8, "proof must be hexadecimal string (not 'zz')"));
    expect(importing('00', proof)).toEqual(refuse(-22, 'TX decode failed. Make sure the tx has at least one input.'));
    const other = hexOf({ ...payment, locktime: 1 });
    expect(importing(other, proof)).toEqual(refuse(-5, "Transaction given doesn't exist in proof"));
    rpc.call('createwallet', ['stranger', true]);
    expect(rpcFault(() => rpc.call('importprunedfunds', [hex, proof], 'stranger'))).toEqual(
      refuse(-5, 'No addresses in wallet correspond to included transaction'),
    );
    rpc.call('invalidateblock', [block.hash]);
    expect(importing(hex, proof)).toEqual(refuse(-5, 'Block not found in chain'));
    expect(rpcFault(() => rpc.call('verifytxoutproof', [proof]))).toEqual(refuse(-5, 'Block not found in chain'));
  });

  test('a proof is refused for transactions that are not in the block', () => {
    const { rpc, block, id } = open(kind);
    const fault = (...params: readonly unknown[]): unknown =>
      rpcFault(() => rpc.call('gettxoutproof' as string, params));
    expect(fault([id, id])).toEqual(refuse(-8, `Invalid parameter, duplicated txid: ${id}`));
    expect(fault(['11'.repeat(32)])).toEqual(refuse(-5, 'Transaction not yet in block'));
    expect(fault([id], '11'.repeat(32))).toEqual(refuse(-5, 'Block not found'));
    const missing = 'Not all transactions found in specified or retrieved block';
    expect(fault([id, '11'.repeat(32)], block.hash)).toEqual(refuse(-5, missing));
    if (!is021) expect(fault([])).toEqual(refuse(-8, "Parameter 'txids' cannot be empty"));
    else expect(rpc.call('verifytxoutproof', [rpc.call('gettxoutproof', [[], block.hash])])).toEqual([]);
    const genesis = rpc.call('getblockhash', [0]);
    const { tx = [] } = rpc.call('getblock', [genesis]) as { readonly tx?: readonly string[] };
    expect(rpc.call('verifytxoutproof', [rpc.call('gettxoutproof', [tx, genesis])])).toEqual(tx);
    const bytes = formatHex(new Uint8Array(3));
    expect(rpcFault(() => rpc.call('verifytxoutproof', [bytes]))).toMatchObject({ code: -1 });
  });
});
