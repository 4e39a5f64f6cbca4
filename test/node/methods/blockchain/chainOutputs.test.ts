import { describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../../../src/core/crypto/nativeSecp256k1.ts';
import { blockAfter, blocksAfter, coinbaseOf, genesisOf, spend, type TestNetwork } from '../../../support/blocks.ts';
import {
  createPsbt,
  createRpc,
  type DialectName,
  decodePsbtBytes,
  decodeTransaction,
  encodePsbt,
  formatBase64,
  formatHex,
  formatTxid,
  formatWif,
  networks,
  type Outpoint,
  parseBase64,
  parseHex,
  type Transaction,
  txid,
} from '../../../support/library.ts';
import { scriptsOfKey } from '../../../support/walletKeys.ts';
import { ask, hexOf, openWalletRpc, put } from '../../../support/walletWorld.ts';

/** Methods that need no wallet look up coins in the node's chain and mempool, as Core's FindCoins does. */

const secretKey = new Uint8Array(32).fill(0x21);
const publicKey = nativeSecp256k1Ecc.publicKey(secretKey, true);
const { wpkh, pkh } = scriptsOfKey(publicKey);
const SCRIPTS = { wpkh, pkh };

interface Answer {
  readonly hex: string;
  readonly complete: boolean;
  readonly errors?: readonly { readonly error: string }[];
}

function setUp(dialect: DialectName) {
  const network: TestNetwork = dialect === 'litecoin-0.21' ? 'litecoin-regtest' : 'regtest';
  const rpc = openWalletRpc({ network, dialect });
  const wif = formatWif({ secretKey, isCompressed: true }, networks[network]);
  const old = blocksAfter(genesisOf(network), 102);
  const pay = (from: number): Transaction => ({
    ...spend(old.slice(from, from + 1).map((block) => ({ txid: txid(coinbaseOf(block)), vout: 0 }))),
    outputs: Object.values(SCRIPTS).map((script, i) => ({
      value: 50_000n + BigInt(i),
      scriptPubKey: parseHex(script),
    })),
  });
  const [mined, waiting] = [pay(0), pay(1)];
  const first = blockAfter(old.at(-1) ?? genesisOf(network), { txs: [mined] });
  for (const block of [...old, first]) expect(rpc.call('submitblock', [block.hex])).toBeNull();
  put(rpc, waiting);
  const stateless = createRpc({ network, dialect, ecc: nativeSecp256k1Ecc });
  return { rpc, wif, mined, waiting, first, stateless };
}

/** Lists the outputs of transactions, in order. */
const coinsOf = (
  txs: readonly Transaction[],
): readonly (Outpoint & { readonly value: bigint; readonly script: string })[] =>
  txs.flatMap((tx) =>
    tx.outputs.map(({ value, scriptPubKey }, vout) => ({
      txid: txid(tx),
      vout,
      value,
      script: formatHex(scriptPubKey),
    })),
  );
const prevtxsOf = (txs: readonly Transaction[]) =>
  coinsOf(txs).map(({ txid: id, vout, value, script }) => ({
    txid: formatTxid(id),
    vout,
    scriptPubKey: script,
    amount: `0.000${value}`,
  }));

describe.each(['core-32', 'documented', 'core-0.21', 'litecoin-0.21'] as const)('%s', (dialect) => {
  const { rpc, wif, mined, waiting, first, stateless } = setUp(dialect);
  const isOlder = dialect.endsWith('0.21');
  const spending = spend(coinsOf([mined, waiting]));
  const hex = hexOf(spending);

  test('signrawtransactionwithkey signs coins of the chain and of the mempool as if given in prevtxs', () => {
    const answer = ask(rpc, 'signrawtransactionwithkey', [hex, [wif]]) as Answer;
    expect(answer).toEqual(stateless.call('signrawtransactionwithkey', [hex, [wif], prevtxsOf([mined, waiting])]));
    expect(answer).toMatchObject({ complete: true });
    // A signed transaction is verified without keys.
    expect(ask(rpc, 'signrawtransactionwithkey', [answer.hex, []])).toEqual({ hex: answer.hex, complete: true });
  });

  test('prevtxs override the amount of a known coin, but must agree on its script', () => {
    const [coin] = prevtxsOf([mined]);
    expect(ask(rpc, 'signrawtransactionwithkey', [hex, [wif], [{ ...coin, scriptPubKey: '51' }]])).toEqual({
      code: -22,
      message: `Previous output scriptPubKey mismatch:\n0 ${wpkh.slice(4)}\nvs:\n1`,
    });
    const lied = ask(rpc, 'signrawtransactionwithkey', [hex, [wif], [{ ...coin, amount: 1 }]]) as Answer;
    expect(lied.complete).toBe(true);
    expect(lied.hex).not.toBe((ask(rpc, 'signrawtransactionwithkey', [hex, [wif]]) as Answer).hex);
  });

  test('PSBTs get whole transactions if the dialect adds them, or else segwit outputs', () => {
    const text = formatBase64(encodePsbt(createPsbt(spending, { version: 0 })));
    const answer = ask(rpc, 'utxoupdatepsbt', [text]) as string;
    const shown = decodePsbtBytes(parseBase64(answer)).inputs.map(({ witnessUtxo, nonWitnessUtxo }) => [
      witnessUtxo?.value,
      nonWitnessUtxo && formatTxid(txid(nonWitnessUtxo)),
    ]);
    const [ofMined, ofWaiting] = [mined, waiting].map((tx) => formatTxid(txid(tx)));
    const none = [undefined, undefined];
    const expected = {
      'core-32': [[50_000n, undefined], none, [50_000n, ofWaiting], [undefined, ofWaiting]],
      documented: [
        [50_000n, ofMined],
        [undefined, ofMined],
        [50_000n, ofWaiting],
        [undefined, ofWaiting],
      ],
      'core-0.21': [[50_000n, undefined], none, [50_000n, undefined], none],
      'litecoin-0.21': [[50_000n, undefined], none, [50_000n, undefined], none],
    };
    expect(shown).toEqual(expected[dialect]);
    if (isOlder) return;
    const processed = ask(rpc, 'descriptorprocesspsbt', [text, [`combo(${wif})`]]) as Answer;
    expect(processed.complete).toBe(dialect === 'documented');
    const given = [formatHex(parseHex(hexOf(mined)))];
    const whole = ask(rpc, 'utxoupdatepsbt', [text, [], given]) as string;
    expect(ask(rpc, 'descriptorprocesspsbt', [whole, [`combo(${wif})`]])).toMatchObject({ complete: true });
  });

  test('a coin spent in a block is unknown, and known again once the block is invalidated', () => {
    const spendingHex = hexOf(spend(coinsOf([mined]).slice(0, 1)));
    const signed = ask(rpc, 'signrawtransactionwithkey', [spendingHex, [wif]]) as Answer;
    const second = blockAfter(first, { txs: [decodeTransaction(parseHex(signed.hex))] });
    expect(rpc.call('submitblock', [second.hex])).toBeNull();
    expect(ask(rpc, 'signrawtransactionwithkey', [spendingHex, [wif]])).toMatchObject({
      complete: false,
      errors: [{ error: 'Input not found or already spent' }],
    });
    rpc.call('invalidateblock', [second.hash]);
    expect(ask(rpc, 'signrawtransactionwithkey', [spendingHex, [wif]])).toMatchObject({ complete: true });
  });
});

test('without a node, coins are unknown', () => {
  const { stateless, wif, mined } = setUp('core-32');
  const answer = stateless.call('signrawtransactionwithkey', [hexOf(spend(coinsOf([mined]))), [wif]]);
  expect(answer).toMatchObject({ complete: false });
});
