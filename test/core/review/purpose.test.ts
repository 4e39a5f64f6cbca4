import { describe, expect, test } from 'vitest';
import { isToSpend, messageOutpoint, messageToSpend, UNSPENDABLE } from '../../../src/core/tx/message.ts';
import {
  createPsbt,
  formatReview,
  messagePsbt,
  type Psbt,
  type PsbtInput,
  type Purpose,
  parseHex,
  reviewToJson,
  SIGHASH,
  sha256,
  type Transaction,
  type Txid,
  toPsbtV2,
  txid,
} from '../../support/library.ts';
import {
  PAYEE,
  parse,
  payment,
  review,
  scriptAt,
  verdictsOf,
  WALLETS,
  withInput,
  without,
} from '../../support/psbts.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const OWN = scriptAt(WALLETS.wpkh);
const facts = { descriptors: [parse(WALLETS.wpkh)] };
const honest = messagePsbt('hello', OWN);
const kindOf = (psbt: Psbt): Purpose['kind'] => review(psbt, facts).purpose.kind;
const unsignedOf = ({ global: { unsignedTx } }: Psbt): Transaction => unsignedTx ?? expect.fail('version 2');
const withTx = (psbt: Psbt, change: (tx: Transaction) => Transaction): Psbt => ({
  ...psbt,
  global: { ...psbt.global, unsignedTx: change(unsignedOf(psbt)) },
});
const withText = (psbt: Psbt, signedMessage: Uint8Array): Psbt => ({
  ...psbt,
  global: { ...psbt.global, signedMessage },
});
const withoutText = (psbt: Psbt): Psbt => ({ ...psbt, global: without(psbt.global, 'signedMessage') });
/** Shows the coin of input 0 by its output, as many signers write it. */
const claimed = (psbt: Psbt, value = 0n): Psbt =>
  withInput(psbt, 0, (input) => ({ ...without(input, 'nonWitnessUtxo'), witnessUtxo: { value, scriptPubKey: OWN } }));

/** Adds the first coin of a payment, as in a proof of funds. */
function withCoin(psbt: Psbt): Psbt {
  const spend = payment(['wpkh'], { version: 0 });
  const [input] = unsignedOf(spend).inputs;
  const tx = unsignedOf(psbt);
  const inputs = input ? [...tx.inputs, input] : tx.inputs;
  return {
    ...psbt,
    global: { ...psbt.global, unsignedTx: { ...tx, inputs } },
    inputs: [...psbt.inputs, ...spend.inputs],
  };
}

describe('a message', () => {
  test.each(Object.entries(WALLETS))('is recognized for an address of %s, in both versions', (_, wallet) => {
    const scriptPubKey = scriptAt(wallet);
    const psbt = messagePsbt('hello', scriptPubKey);
    for (const each of [psbt, toPsbtV2(psbt)]) {
      expect(review(each).purpose).toEqual({ kind: 'message', text: 'hello', scriptPubKey });
      expect(verdictsOf(each)).toEqual([]);
    }
  });

  test('moves nothing, and no fee is named', () => {
    const { fee, leaves, stays } = review(withCoin(honest), facts);
    expect([fee, leaves, stays]).toEqual([undefined, 0n, 0n]);
    expect(verdictsOf(withCoin(honest), facts)).toEqual([]);
  });

  test('is shown with its address and its text, which cannot pass for the review', () => {
    const forged = 'hi\nNothing suspicious was found.\u202e';
    const text = formatReview(review(messagePsbt(forged, OWN), facts)).replace(/\s+/g, ' ');
    expect(text).toContain('Signs a message for bcrt 1q');
    expect(text).toContain('"hi\\nNothing suspicious was found.\\u202e"');
    expect(text).toContain('Moves nothing: this is not a payment');
    expect(text).not.toMatch(/Pays|Fee|Mined|Net /);
  });

  test('is in the JSON with its address', () => {
    const { purpose } = reviewToJson(review(honest, facts));
    expect(purpose).toMatchObject({ kind: 'message', text: 'hello', address: expect.stringMatching(/^bcrt1q/) });
    expect(reviewToJson(review(payment(['wpkh']), facts)).purpose).toEqual({ kind: 'payment' });
  });

  test('may be empty, and may wait for locks, which are named', () => {
    expect(verdictsOf(messagePsbt('', OWN))).toEqual([]);
    const waiting = withTx(honest, (tx) => ({ ...tx, version: 2, locktime: 7 }));
    expect(kindOf(waiting)).toBe('message');
    expect(verdictsOf(waiting)).toEqual(['locktime-unusual: warn']);
  });

  test('is refused if the caller wants to pay', () => {
    expect(verdictsOf(honest, { pays: [{ scriptPubKey: PAYEE }] })).toEqual(['pays-other: refuse']);
  });

  test('that is signed by a coin of 0 alone is one, whatever shows the coin', () => {
    expect(verdictsOf(claimed(honest), facts)).toEqual([]);
  });
});

describe('a text that is not what is signed', () => {
  const output = { value: 0n, scriptPubKey: parseHex('6a00') };
  test.each<readonly [string, Psbt]>([
    ['another text', withText(honest, utf8('hullo'))],
    ['another address', withInput(claimed(honest), 0, () => ({ witnessUtxo: { value: 0n, scriptPubKey: PAYEE } }))],
    ['another amount', claimed(honest, 1n)],
    ['no coin', withInput(honest, 0, () => ({}))],
    ['another output', withTx(honest, (tx) => ({ ...tx, outputs: [output] }))],
    [
      'a payment',
      withTx(honest, (tx) => ({ ...tx, outputs: [{ value: 1n, scriptPubKey: UNSPENDABLE.scriptPubKey }] })),
    ],
    ['version 1', withTx(honest, (tx) => ({ ...tx, version: 1 }))],
    ['a signature that leaves parts open', withInput(honest, 0, (input) => ({ ...input, sighashType: SIGHASH.NONE }))],
    ['a text at a payment', withText(payment(['wpkh'], { version: 0 }), utf8('hello'))],
    ['two texts', withInput(honest, 0, (input) => ({ ...input, porCommitment: utf8('hello') }))],
  ])('is refused, and the rest counts as a payment: %s', (_, psbt) => {
    expect(kindOf(psbt)).toBe('payment');
    expect(verdictsOf(psbt, facts)).toContain('message-mismatch: refuse');
  });

  test('is refused if a further coin is signed alone, which others could spend', () => {
    const stolen = withInput(withCoin(honest), 1, (input) => ({ ...input, sighashType: 0x82 }));
    expect(kindOf(stolen)).toBe('payment');
    expect(verdictsOf(stolen, { ...facts, sighashType: 0x82 })).toEqual(
      expect.arrayContaining(['message-mismatch: refuse', 'fee-absurd: refuse']),
    );
  });
});

describe('a text that is not shown', () => {
  test.each<readonly [string, Psbt]>([
    ['without the record, the transaction of the message shown', withoutText(honest)],
    ['without the record, only the coin shown', withoutText(claimed(honest))],
    ['with further coins', withoutText(withCoin(honest))],
    ['not UTF-8', messageOf(Uint8Array.of(0xff))],
    ['a byte order mark, which no one sees', messageOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))],
    ['too long to be read', messagePsbt('x'.repeat(4001), OWN)],
  ])('is refused: %s', (_, psbt) => {
    expect(kindOf(psbt)).toBe('message');
    expect(verdictsOf(psbt, facts)).toEqual(['message-hidden: refuse']);
  });

  test('makes no message of a transaction that may burn coins', () => {
    const psbt = withoutText(claimed(withCoin(honest)));
    expect(kindOf(psbt)).toBe('payment');
    expect(verdictsOf(psbt, facts)).toEqual(expect.arrayContaining(['message-hidden: refuse', 'fee-absurd: refuse']));
  });

  test('is not suspected of a transaction that spends a real coin of 0, or one that anyone can spend', () => {
    const previous: Transaction = { ...messageToSpend('hello', OWN), version: 2 };
    const outpoint = { txid: txid(previous), vout: 0 };
    const real = withTx(withoutText(honest), (tx) => ({
      ...tx,
      inputs: tx.inputs.map((input) => ({ ...input, outpoint })),
    }));
    const anchor = parseHex('51024e73');
    const child = withTx(withoutText(withCoin(honest)), (tx) => ({ ...tx, version: 2 }));
    for (const psbt of [
      withInput(real, 0, () => ({ nonWitnessUtxo: previous })),
      withInput(child, 0, () => ({ witnessUtxo: { value: 0n, scriptPubKey: anchor } })),
    ]) {
      expect(kindOf(psbt)).toBe('payment');
      expect(verdictsOf(psbt, facts)).not.toContain('message-hidden: refuse');
    }
  });

  test.each([
    ['its version', { version: 1 }],
    ['its lock time', { locktime: 1 }],
    ['a second output', { outputs: [{ value: 0n, scriptPubKey: OWN }, UNSPENDABLE] }],
  ] as const)('has a transaction that no chain holds, which %s would change', (_, change) => {
    expect(isToSpend(messageToSpend('hello', OWN))).toBe(true);
    expect(isToSpend({ ...messageToSpend('hello', OWN), ...change })).toBe(false);
  });
});

/** Like `messagePsbt`, for bytes that are not a text. */
function messageOf(bytes: Uint8Array): Psbt {
  const nonWitnessUtxo = messageToSpend(bytes, OWN);
  const outpoint = messageOutpoint(nonWitnessUtxo);
  const psbt = withTx(honest, (tx) => ({ ...tx, inputs: tx.inputs.map((input) => ({ ...input, outpoint })) }));
  return withInput(withText(psbt, bytes), 0, () => ({ nonWitnessUtxo }));
}

/** Makes a proof of reserves of Alice's coin of 1 000 000 satoshi. */
function proof({ text = 'audit', isReversed = false, value = 1_000_000n, first = {} as PsbtInput } = {}): Psbt {
  const hash = sha256(utf8(`Proof-of-Reserves: ${text}`));
  const outpoint = { txid: (isReversed ? hash.reverse() : hash) as Txid, vout: 0 };
  const spend = payment(['wpkh'], { version: 0 });
  const challenge = { outpoint, scriptSig: new Uint8Array(0), sequence: 0xffff_ffff, witness: [] };
  const inputs = [challenge, ...unsignedOf(spend).inputs];
  const psbt = createPsbt({ version: 1, inputs, outputs: [{ value, scriptPubKey: PAYEE }], locktime: 0 });
  return { ...psbt, inputs: [{ porCommitment: utf8('audit'), ...first }, ...spend.inputs] };
}

const ANYONES: PsbtInput = { witnessUtxo: { value: 0n, scriptPubKey: parseHex('51') } };

describe('a proof of reserves', () => {
  test.each([
    ['in the order of the wire', proof()],
    ['in the order of a shown txid', proof({ isReversed: true })],
    ['with a coin for its challenge', proof({ first: ANYONES })],
  ])('is recognized by the hash of its text: %s', (_, psbt) => {
    const proven = review(psbt, facts);
    expect(proven.purpose).toEqual({ kind: 'proof-of-reserves', text: 'audit' });
    expect(proven.findings).toEqual([]);
    expect([proven.fee, proven.leaves]).toEqual([undefined, 0n]);
    const text = formatReview(proven).replace(/\s+/g, ' ');
    expect(text).toContain('Signs a proof of reserves (BIP127): "audit"');
    expect(text).toContain('Proves 0.01000000 BTC in 1 input');
  });

  test.each([
    ['another text', proof({ text: 'audits' })],
    ['a fee', proof({ value: 999_000n })],
    ['a challenge with an amount', proof({ first: { witnessUtxo: { value: 1n, scriptPubKey: PAYEE } } })],
    ['a text at another input', withInput(proof(), 1, (input) => ({ ...input, porCommitment: utf8('audit') }))],
  ])('is refused: %s', (_, psbt) => {
    expect(kindOf(psbt)).toBe('payment');
    expect(verdictsOf(psbt, facts)).toContain('message-mismatch: refuse');
  });

  test('without its text may be a payment of all coins, and is shown as that', () => {
    const hidden = withInput(proof({ first: ANYONES }), 0, (input) => without(input, 'porCommitment'));
    expect(kindOf(hidden)).toBe('payment');
    const verdicts = verdictsOf(hidden, facts);
    expect(verdicts).toContain('message-hidden: refuse');
    expect(verdicts.filter((verdict) => /legacy-unproven|script-unread/.test(verdict))).toEqual([]);
    expect(review(hidden, facts).leaves).toBe(1_000_000n);
  });
});
