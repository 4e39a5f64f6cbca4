import { describe, expect, test } from 'vitest';
import { accountFromWords, signWith } from '../../../src/kit/account/index.ts';
import {
  combinePsbts,
  finalizePsbt,
  formatAddress,
  formatMessagePsbt,
  formatTxid,
  messagePsbt,
  networks,
  type Psbt,
  parseAddress,
  toPsbtV2,
  verifyMessage,
} from '../../support/library.ts';
import { payment, scriptAt, sign, updated, WALLETS } from '../../support/psbts.ts';
import { refusalOf } from '../../support/refusal.ts';

const network = networks.regtest;
const TEXT = 'I agree,\n\u201cwholly\u201d';
const signedBy = (psbt: Psbt, ...texts: string[]): Psbt =>
  combinePsbts(texts.map((text) => sign(updated(psbt, [text]), {}, [text]).psbt)).psbt;

describe('a message that was signed as a PSBT', () => {
  test('spends the transaction of BIP322', () => {
    // By the basic test vectors of BIP322.
    const script = parseAddress('bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', networks.main);
    const { global } = messagePsbt('Hello World', script);
    const spent = global.unsignedTx?.inputs[0]?.outpoint;
    expect(spent && formatTxid(spent.txid)).toBe('b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b');
  });

  test.each([
    ['pkh', 'ful', [WALLETS.pkh]],
    ['sh(wpkh)', 'ful', [WALLETS.shWpkh]],
    ['wpkh', 'smp', [WALLETS.wpkh]],
    ['tr', 'smp', [WALLETS.tr]],
    ['a multisig, by two signers', 'smp', [WALLETS.multi, WALLETS.multiOfBob]],
  ])('verifies for an address of %s', (_, prefix, texts) => {
    const scriptPubKey = scriptAt(texts[0] ?? '');
    const made = messagePsbt(TEXT, scriptPubKey);
    for (const psbt of [made, toPsbtV2(made)]) {
      const signature = formatMessagePsbt(finalizePsbt(signedBy(psbt, ...texts)).psbt);
      const address = formatAddress(scriptPubKey, network) ?? '';
      expect(signature.slice(0, 3)).toBe(prefix);
      expect(verifyMessage({ message: TEXT, signature, address, network })).toMatchObject({ kind: 'valid' });
      expect(verifyMessage({ message: `${TEXT} `, signature, address, network }).kind).toBe('invalid');
    }
  });

  test('proves funds if it spends further coins', () => {
    const scriptPubKey = scriptAt(WALLETS.wpkh);
    const message = messagePsbt(TEXT, scriptPubKey);
    const spend = payment(['wpkh'], { version: 0 });
    const [unsigned, other] = [message.global.unsignedTx, spend.global.unsignedTx];
    if (!unsigned || !other) return expect.fail('version 2');
    const unsignedTx = { ...unsigned, inputs: [...unsigned.inputs, ...other.inputs] };
    const psbt = {
      ...message,
      global: { ...message.global, unsignedTx },
      inputs: [...message.inputs, ...spend.inputs],
    };
    const address = formatAddress(scriptPubKey, network) ?? '';
    const coin = { value: 1_000_000n, scriptPubKey };
    for (const each of [psbt, toPsbtV2(psbt)]) {
      const signature = formatMessagePsbt(finalizePsbt(signedBy(each, WALLETS.wpkh)).psbt);
      expect(signature.slice(0, 3)).toBe('pof');
      const request = { message: TEXT, signature, address, network };
      expect(verifyMessage({ ...request, coinOf: () => coin })).toMatchObject({
        kind: 'valid',
        format: 'proof-of-funds',
      });
    }
  });

  test('is signed by an account, unless its text is hidden', () => {
    const me = accountFromWords(`${'abandon '.repeat(11)}about`);
    const { scriptPubKey, address } = me.receive(0);
    const psbt = messagePsbt(TEXT, scriptPubKey);
    const signature = formatMessagePsbt(signWith(me, psbt).psbt);
    expect(verifyMessage({ message: TEXT, signature, address }).kind).toBe('valid');
    const { signedMessage: _, ...global } = psbt.global;
    const hidden = { ...psbt, global };
    expect(refusalOf(() => signWith(me, hidden))).toMatchObject({
      code: 'policy/refused',
      data: { checks: 'message-hidden' },
    });
    expect(signWith(me, hidden, { policy: { 'message-hidden': 'warn' } }).isComplete).toBe(true);
  });
});

test('a payment has no signature of a message, nor has what is not signed', () => {
  const paid = finalizePsbt(signedBy(payment(['wpkh']), WALLETS.wpkh)).psbt;
  expect(refusalOf(() => formatMessagePsbt(paid))).toMatchObject({ code: 'message/format' });
  const unsigned = messagePsbt(TEXT, scriptAt(WALLETS.wpkh));
  expect(refusalOf(() => formatMessagePsbt(unsigned))).toMatchObject({ code: 'psbt/not-final' });
  expect(refusalOf(() => messagePsbt('\ud800', scriptAt(WALLETS.wpkh)))).toMatchObject({ code: 'argument/invalid' });
});
