import { expect, test } from 'vitest';
import { accountFromWords, buildPsbt, signWith } from '../../../src/kit/account/index.ts';
import { messageSignature, messageText } from '../../../src/shell/cli/messageText.ts';
import { createPsbt, formatMessagePsbt, messagePsbt, type Psbt, sha256, type Txid } from '../../support/library.ts';

const me = accountFromWords(`${'abandon '.repeat(11)}about`);
const { scriptPubKey, address } = me.receive(0);
const NOTHING = new Uint8Array(0);

/** Proves one coin of the account, or more beside it. */
function proofOf(scripts: readonly Uint8Array[]): Psbt {
  const commitment = sha256(new TextEncoder().encode('Proof-of-Reserves: audit')) as Txid;
  const txids = [commitment, ...scripts.map((_, i) => new Uint8Array(32).fill(i + 1) as Txid)];
  const inputs = txids.map((txid) => ({ outpoint: { txid, vout: 0 }, scriptSig: NOTHING, sequence: 0, witness: [] }));
  const outputs = [{ value: 1000n * BigInt(scripts.length), scriptPubKey }];
  const psbt = createPsbt({ version: 1, inputs, outputs, locktime: 0 });
  const coins = scripts.map((script) => ({ witnessUtxo: { value: 1000n, scriptPubKey: script } }));
  return { ...psbt, inputs: [{ porCommitment: new TextEncoder().encode('audit') }, ...coins] };
}

test('a signed message is not to be broadcast, and ends with its signature', () => {
  const signed = signWith(me, messagePsbt('hello', scriptPubKey));
  const signature = formatMessagePsbt(signed.psbt);
  expect(messageText(signed, signed.review)).toBe(
    `the message is signed. Next: give this signature to whoever asked for it (verifymessage --bip322 verifies it): ${signature}`,
  );
  expect(messageSignature(signed.psbt, {})).toBe(signature);
});

test('a proof of reserves is complete without its first input, and not without the others', () => {
  const signed = signWith(me, proofOf([scriptPubKey]));
  expect(messageText(signed, signed.review, 'p-signed.psbt')).toBe(
    'all coins of the proof are signed. Next: give p-signed.psbt to whoever asked for it',
  );
  const shared = signWith(me, proofOf([scriptPubKey, Uint8Array.of(0, 20, ...new Uint8Array(20))]));
  expect(messageText(shared, shared.review)).toBe(undefined);
});

test('a payment has no such text', () => {
  const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
  const signed = signWith(
    me,
    buildPsbt({ inputs: [coin], outputs: { [address]: 99_000n }, feeRate: 2, change: me.change(0) }),
  );
  expect([messageText(signed, signed.review), messageSignature(signed.psbt, {})]).toEqual([undefined, undefined]);
});
