import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { payToPubkey } from '../../src/core/script/build.ts';
import { spend } from '../support/blocks.ts';
import {
  answerText,
  createMemoryStore,
  createNodeRpc,
  createPsbt,
  decodeTransaction,
  encodePsbt,
  formatBase64,
  formatHex,
  formatTxid,
  formatWif,
  networks,
  type Outpoint,
  parseHex,
  type Transaction,
  txid,
} from '../support/library.ts';
import { scriptsOfKey } from '../support/walletKeys.ts';
import { hexOf } from '../support/walletWorld.ts';
import { hasLitecoind, type Node, startNode } from './litecoind.ts';

/**
 * Compares signing methods of a node and of our server after both got the same blocks and transactions: both find the
 * same coins.
 */

const secretKey = new Uint8Array(32).fill(0x33);
const publicKey = nativeSecp256k1Ecc.publicKey(secretKey, true);
const wif = formatWif({ secretKey, isCompressed: true }, networks['litecoin-regtest']);
const SCRIPTS = [...Object.values(scriptsOfKey(publicKey)), '51'];
const ANYONE = 'raw(51)#8lvh9jxk';
const NOW = 1_700_000_000;
const SUBSIDY = 5_000_000_000n;

describe.runIf(hasLitecoind())('coins of the chain and mempool, compared with Litecoin Core', () => {
  let node: Node;
  const rpc = createNodeRpc({
    network: 'litecoin-regtest',
    dialect: 'litecoin-0.21',
    ecc: nativeSecp256k1Ecc,
    store: createMemoryStore(),
    acceptnonstdtxn: true,
    clock: () => NOW,
    random: (size) => new Uint8Array(size),
  });
  const [mined, waiting]: Transaction[][] = [[], []];

  async function call<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const reply = JSON.parse((await node.post(JSON.stringify({ method, params }))) ?? '{}') as {
      result: T;
      error: unknown;
    };
    expect(reply.error).toBeNull();
    return reply.result;
  }
  /** Builds a transaction that pays the coinbase at a height to all scripts. */
  async function payment(height: number): Promise<Transaction> {
    const block = await call<{ tx: string[] }>('getblock', await call('getblockhash', height));
    const tx = decodeTransaction(
      parseHex(await call('getrawtransaction', block.tx[0], false, await call('getblockhash', height))),
    );
    const value = SUBSIDY / 4n - 1_000_000n;
    const outputs = SCRIPTS.map((script) => ({ value, scriptPubKey: parseHex(script) }));
    return { ...spend([{ txid: txid(tx), vout: 0 }]), outputs };
  }

  beforeAll(async () => {
    node = await startNode(['-acceptnonstdtxn=1', `-mocktime=${NOW}`]);
    await call('generatetodescriptor', 110, ANYONE);
    const minedTx = await payment(1);
    await call('generateblock', ANYONE, [hexOf(minedTx)]);
    const mempoolTx = await payment(2);
    await call('sendrawtransaction', hexOf(mempoolTx), 0);
    mined?.push(minedTx);
    waiting?.push(mempoolTx);
    for (let height = 1; height <= 111; height += 1) {
      const block = await call<string>('getblock', await call('getblockhash', height), 0);
      expect(rpc.call('submitblock', [block])).toBeNull();
    }
    expect(rpc.call('sendrawtransaction', [hexOf(mempoolTx), 0])).toBe(formatTxid(txid(mempoolTx)));
  });
  afterAll(() => node.stop());

  /** Expects the same reply text from both. */
  async function same(method: string, ...params: readonly unknown[]): Promise<{ result: unknown }> {
    const body = JSON.stringify({ method, params });
    const theirs = await node.post(body);
    expect(`${answerText(rpc, body)}\n`).toBe(theirs);
    return JSON.parse(theirs ?? '{}') as { result: unknown };
  }
  const coins = (): readonly Outpoint[] =>
    [...(mined ?? []), ...(waiting ?? [])].flatMap((tx) => tx.outputs.map((_, vout) => ({ txid: txid(tx), vout })));

  test('signrawtransactionwithkey finds them, with any prevtxs', async () => {
    const unknown = { txid: txid(spend([])), vout: 0 };
    let complete = 0;
    for (const outpoints of [...coins().map((coin) => [coin]), coins(), [...coins(), unknown]]) {
      const hex = hexOf(spend(outpoints));
      for (const prevtxs of [undefined, [], ...outpoints.slice(0, 2).flatMap(variants)]) {
        const { result } = await same('signrawtransactionwithkey', hex, [wif], ...(prevtxs ? [prevtxs] : []));
        complete += await signedAgain(result);
      }
    }
    expect(complete).toBeGreaterThan(10);
  });

  /**
   * Submits a signed transaction again without keys, so that it is only verified.
   * @returns 1 if it is complete, else 0
   */
  async function signedAgain(result: unknown): Promise<number> {
    const signed = result as { hex: string; complete: boolean } | null;
    if (!signed) return 0;
    await same('signrawtransactionwithkey', signed.hex, []);
    return signed.complete ? 1 : 0;
  }

  /** Returns possible prevtxs of a coin: with the true script or another one, with an amount or without. */
  function variants(outpoint: Outpoint): readonly (readonly object[])[] {
    const at = { txid: formatTxid(outpoint.txid), vout: outpoint.vout };
    return SCRIPTS.slice(0, 2).flatMap((scriptPubKey) => [
      [{ ...at, scriptPubKey }],
      [{ ...at, scriptPubKey, amount: 0.5 }],
    ]);
  }

  test('utxoupdatepsbt finds them, with and without descriptors', async () => {
    for (const outpoints of [...coins().map((coin) => [coin]), coins()]) {
      const psbt = formatBase64(encodePsbt(createPsbt(spend(outpoints), { version: 0 })));
      for (const descriptors of [[], [`wpkh(${wif})`], [`sh(wpkh(${formatHex(publicKey)}))`, `pkh(${wif})`]]) {
        const { result } = await same('utxoupdatepsbt', psbt, descriptors);
        await same('utxoupdatepsbt', result, descriptors);
      }
    }
  });

  test('the size of all blocks and undo data is that of its files', async () => {
    const uncompressed = nativeSecp256k1Ecc.publicKey(secretKey, false);
    const scripts = [...SCRIPTS, formatHex(payToPubkey(publicKey)), formatHex(payToPubkey(uncompressed)), '6a', '5151'];
    const amounts = [0n, 1n, 90n, 2_345_678n, 100_000_000n];
    const outputs = scripts.flatMap((script) => amounts.map((value) => ({ value, scriptPubKey: parseHex(script) })));
    const first = { ...spend((waiting ?? []).map((tx) => ({ txid: txid(tx), vout: 3 }))), outputs };
    const spendable = outputs.flatMap(({ scriptPubKey }, vout) =>
      formatHex(scriptPubKey) === '6a' ? [] : [{ txid: txid(first), vout }],
    );
    const keys = [wif, formatWif({ secretKey, isCompressed: false }, networks['litecoin-regtest'])];
    const sizes = async (): Promise<readonly unknown[]> => {
      const theirs = await call<{ size_on_disk: number }>('getblockchaininfo');
      return [rpc.call('getblockchaininfo', []).size_on_disk, theirs.size_on_disk];
    };
    const mine = async (transactions: readonly string[]): Promise<void> => {
      const { hash } = await call<{ hash: string }>('generateblock', ANYONE, transactions);
      expect(rpc.call('submitblock', [await call<string>('getblock', hash, 0)])).toBeNull();
    };
    await mine([...(waiting ?? []).map((tx) => formatTxid(txid(tx))), hexOf(first)]);
    const [ours, theirs] = await sizes();
    expect(ours).toBe(theirs);
    const second = await call<{ hex: string }>('signrawtransactionwithkey', hexOf(spend(spendable)), keys);
    await mine([second.hex]);
    const after = await sizes();
    expect(after[0]).toBe(after[1]);
    const tip = await call<string>('getbestblockhash');
    for (const method of ['invalidateblock', 'reconsiderblock']) {
      await call(method, tip);
      rpc.call(method as 'invalidateblock', [tip]);
      expect(await sizes()).toEqual(after);
    }
  });
});
