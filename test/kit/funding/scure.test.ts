import { p2tr, p2wpkh, selectUTXO } from '@scure/btc-signer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountFromWords, buildPsbt, type Purpose, signWith } from '../../../src/kit/account/index.ts';
import { extractTransaction, transactionSize } from '../../support/library.ts';

// @scure/btc-signer chooses coins by its own rules and sizes them by its own tables; for what it chose, both pay the same.

const words = `${'abandon '.repeat(11)}about`;
const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

const KINDS: Readonly<Record<string, readonly [Purpose, (key: Uint8Array) => object]>> = {
  p2wpkh: [84, (key) => p2wpkh(key, REGTEST)],
  p2tr: [86, (key) => p2tr(key.slice(1), undefined, REGTEST)],
};

describe.each(Object.entries(KINDS))('coins of %s', (kind, [purpose, outputOf]) => {
  const me = accountFromWords(words, { network: 'regtest', purpose });
  const addresses = Array.from({ length: 6 }, (_, index) => me.receive(index));

  test('that scure chose are spent at its fee', () => {
    let compared = 0;
    const coins = fc.array(fc.bigInt({ min: 20_000n, max: 200_000n }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(coins, fc.integer({ min: 1, max: 30 }), (values, feeRate) => {
        const all = values.map((value, vout) => ({ txid: '11'.repeat(32), vout, value, from: addresses[vout % 6] }));
        const inputs = all.map(({ txid, vout, value, from }) => {
          const publicKey = from?.derived.keys[0]?.publicKey ?? new Uint8Array(33);
          const script = from?.scriptPubKey ?? new Uint8Array(0);
          return { ...outputOf(publicKey), txid, index: vout, witnessUtxo: { script, amount: value } };
        });
        const total = values.reduce((sum, value) => sum + value, 0n);
        const paid = total / 3n;
        const theirs = selectUTXO(inputs, [{ address: PAYEE, amount: paid }], 'default', {
          changeAddress: me.change(0).address,
          feePerByte: BigInt(feeRate),
          bip69: false,
          createTx: true,
          network: REGTEST,
        });
        if (!theirs?.change || theirs.fee === undefined) return;
        const chosen = theirs.inputs.map(({ index }) => all[index ?? 0]);
        const spends = chosen.flatMap((coin) => (coin?.from ? [{ ...coin, from: coin.from }] : []));
        const psbt = buildPsbt({ inputs: spends, outputs: { [PAYEE]: paid }, change: me.change(0), feeRate });
        const { psbt: signed, review } = signWith(me, psbt, { policy: { 'fee-absurd': 'allow' } });
        const { vsize } = transactionSize(extractTransaction(signed));
        expect(review.fee).toBeGreaterThanOrEqual(BigInt(vsize * feeRate));
        compared += 1;
        // scure counts 72 bytes for an ECDSA signature, which has 71 here.
        const slack = kind === 'p2tr' ? 0 : feeRate * Math.ceil(spends.length / 4);
        expect(Math.abs(Number(theirs.fee - (review.fee ?? 0n)))).toBeLessThanOrEqual(slack);
      }),
      { numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(30);
  });
});
