import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNSPENDABLE } from '../../src/core/tx/message.ts';
import { campaign } from '../support/campaign.ts';
import {
  createPsbt,
  decodePsbtBytes,
  decodeTransaction,
  encodePsbt,
  encodeTransaction,
  messagePsbt,
  type Psbt,
  type PsbtInput,
  parseTxid,
  type Transaction,
  txid,
} from '../support/library.ts';
import { PAYEE, review, scriptAt, WALLETS, withInput } from '../support/psbts.ts';

/** Messages are told from payments by what can be moved, whatever a PSBT says of itself. */

const scripts = Object.values(WALLETS).map((wallet) => scriptAt(wallet));

const records = fc.record(
  { signedMessage: fc.uint8Array({ maxLength: 8 }), porCommitment: fc.uint8Array({ maxLength: 8 }) },
  { requiredKeys: [] },
);
const payments = fc.record({
  coins: fc.array(
    fc.record({
      value: fc.constantFrom(0n, 0n, 1n, 1_000_000n),
      scriptPubKey: fc.constantFrom(...scripts, PAYEE),
      isClaimed: fc.boolean(),
      version: fc.constantFrom(0, 1, 2),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  outputs: fc.constantFrom(
    [UNSPENDABLE],
    [{ value: 0n, scriptPubKey: PAYEE }],
    [{ value: 1_000_000n, scriptPubKey: PAYEE }],
    [UNSPENDABLE, UNSPENDABLE],
    [{ value: 1n, scriptPubKey: UNSPENDABLE.scriptPubKey }],
  ),
  version: fc.constantFrom(0, 1, 2, 3),
  sequence: fc.constantFrom(0, 0xffff_ffff),
  records,
});
type Payment = typeof payments extends fc.Arbitrary<infer T> ? T : never;

/** Makes a PSBT that spends coins which may exist, each output 0 of its transaction. */
function psbtOf({ coins, outputs, version, sequence, records: { signedMessage, porCommitment } }: Payment): Psbt {
  const NOTHING = new Uint8Array(0);
  const previous = coins.map(({ value, scriptPubKey, version: of }, i): Transaction => {
    const outpoint = { txid: parseTxid(`0${i + 1}`.repeat(32)), vout: 0 };
    const inputs = [{ outpoint, scriptSig: NOTHING, sequence: 0, witness: [] }];
    return { version: of, inputs, outputs: [{ value, scriptPubKey }], locktime: 0 };
  });
  const inputs = previous.map((tx) => {
    return { outpoint: { txid: txid(tx), vout: 0 }, scriptSig: NOTHING, sequence, witness: [] };
  });
  const psbt = createPsbt({ version, inputs, outputs, locktime: 0 });
  const shown = previous.map((tx, i): PsbtInput => {
    const [witnessUtxo] = tx.outputs;
    return coins[i]?.isClaimed && witnessUtxo ? { witnessUtxo } : { nonWitnessUtxo: tx };
  });
  const withCoins = { ...psbt, inputs: shown, global: { ...psbt.global, ...(signedMessage && { signedMessage }) } };
  return porCommitment ? withInput(withCoins, 0, (input) => ({ ...input, porCommitment })) : withCoins;
}

test('a transaction that could move an amount is never taken for a message, whatever the PSBT says', () => {
  const law = fc.property(payments, (plan) => {
    const { purpose } = review(psbtOf(plan));
    if (purpose.kind !== 'payment') expect(plan.coins).toMatchObject([{ value: 0n, isClaimed: true }]);
  });
  fc.assert(law, campaign(1600));
});

/** The version that a message with locks has. */
const isOtherForm = (before: Transaction, after: Transaction): boolean => before.version === 0 && after.version === 2;

const changes = fc.record({
  script: fc.constantFrom(...scripts),
  text: fc.string({ minLength: 1, maxLength: 20 }),
  place: fc.constantFrom('text', 'script', 'transaction'),
  isClaimed: fc.boolean(),
  at: fc.nat(),
  flip: fc.integer({ min: 1, max: 255 }),
});

test('whatever byte of its text, script or transaction is changed, a message has a finding', () => {
  const law = fc.property(changes, ({ script, text, place, isClaimed, at, flip }) => {
    const flipped = (bytes: Uint8Array): Uint8Array =>
      bytes.map((byte, i) => (i === at % bytes.length ? byte ^ flip : byte));
    const made = messagePsbt(text, script);
    const claim = (scriptPubKey: Uint8Array): Psbt =>
      withInput(made, 0, () => ({ witnessUtxo: { value: 0n, scriptPubKey } }));
    const { unsignedTx, signedMessage } = made.global;
    if (!unsignedTx || !signedMessage) return expect.fail('no message');
    const honest = isClaimed ? claim(script) : made;
    let psbt: Psbt = claim(flipped(script));
    if (place === 'text') psbt = { ...honest, global: { ...honest.global, signedMessage: flipped(signedMessage) } };
    if (place === 'transaction') {
      try {
        const tx = decodeTransaction(flipped(encodeTransaction(unsignedTx)));
        if (isOtherForm(unsignedTx, tx)) return;
        psbt = decodePsbtBytes(encodePsbt({ ...honest, global: { ...honest.global, unsignedTx: tx } }));
      } catch {
        // It is no PSBT any more.
        return;
      }
    }
    expect(review(psbt).findings).not.toEqual([]);
  });
  fc.assert(law, campaign(1600));
});
