import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountFromWords } from '../../../src/index.ts';
import { formatSignedMessage, parseSignedMessage, signMessage, verifyMessage } from '../../../src/kit/message/index.ts';
import { refusalOf } from '../../support/refusal.ts';

const words = `${'abandon '.repeat(11)}about`;
const me = accountFromWords(words);
const { address } = me.receive(0);
const signature = signMessage({ message: 'hello', from: me.receive(0) });

/** As Coldcard documents it, and in the older forms of Opendime and of Bitcoin-Qt, as other programs wrote it. */
const FILES = {
  Coldcard: `-----BEGIN BITCOIN SIGNED MESSAGE-----
f1591bfb04a89f723e1f14eb01a6b2f6f507eb0967d0a5d7822b329b98018ae4  coldcard-export.json
-----BEGIN BITCOIN SIGNATURE-----
mtHSVByP9EYZmB26jASDdPVm19gvpecb5R
IFOvGVJrm31S0j+F4dVfQ5kbRKWKcmhmXIn/Lw8iIgaCG5QNZswjrN4X673R7jTZo1kvLmiD4hlIrbuLh/HqDuk=
-----END BITCOIN SIGNATURE-----
`,
  Opendime: `-----BEGIN BITCOIN SIGNED MESSAGE-----
Nonce: 1675bf38ec241a2308585ad0  Serial: DDRRNOCZJRIFCIBAEBJDOJQY74
Version: 2.4.0 time=20190207.130255 git=master@e233940e coin=BTC
-----BEGIN SIGNATURE-----
1Mmg2eycKHomhjAikEAVehHpCSHTREhLfR
G1pnvdb0RfKfv3Jhg4x0XBQqv1KQx3WFRaxTiUVN84fpIzxOBgapJb/Dpy6auJ28xcHaBxl3XHBbJejfokjgtmg=
-----END BITCOIN SIGNED MESSAGE-----
`.replaceAll('\n', '\r\n'),
  'Bitcoin-Qt': `-----BEGIN BITCOIN SIGNED MESSAGE-----
This is an example of a signed message.
-----BEGIN BITCOIN SIGNATURE-----
Version: Bitcoin-qt (1.0)
Address: 1HZwkjkeaoZfTSaJxDw6aKkxp45agDiEzN

HCT1esk/TWlF/o9UNzLDANqsPXntkMErf7erIrjH5IBOZP98cNcmWmnW0GpSAi3wbr6CwpUAN4ctNn1T71UBwSc=
-----END BITCOIN SIGNATURE-----
`,
};

describe('a file with a signed message', () => {
  test.each(Object.entries(FILES))('of %s is read, and its signature is valid', (by, text) => {
    const network = by === 'Coldcard' ? 'testnet3' : 'main';
    expect(verifyMessage({ ...parseSignedMessage(`Saved on Monday\n\n${text}`), network }).kind).toBe('valid');
  });

  test('gives back what was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const message = text.replace(/\r$/, '');
        expect(parseSignedMessage(formatSignedMessage({ message, address, signature }))).toEqual({
          message,
          address,
          signature,
        });
      }),
    );
    for (const line of ['BEGIN BITCOIN SIGNATURE', 'END BITCOIN SIGNED MESSAGE', 'BEGIN BITCOIN SIGNED MESSAGE']) {
      const message = `a\n -----${line}-----\nb`;
      expect(refusalOf(() => formatSignedMessage({ message, address, signature })).code).toBe('message/file');
    }
  });

  test.each([
    ['hello', 'has no line such as'],
    ['-----BEGIN BITCOIN SIGNED MESSAGE-----\nhello', 'has no signature'],
    [FILES.Coldcard.replace('mtHSVByP9EYZmB26jASDdPVm19gvpecb5R\n', ''), 'lacks its address'],
    ['x'.repeat(2_000_001), 'is too long'],
    [FILES.Coldcard + FILES.Coldcard, 'has more than one signed message'],
    [FILES.Coldcard.replace('mtHS', 'Address: 1Famous\nmtHS'), 'has more than one address'],
    [FILES.Coldcard.replace('\n-----END', '\n1Famous\n-----END'), 'has more than one address'],
    [FILES.Coldcard.replace('mtHS', 'Hash: 1Famous\nmtHS'), 'lacks its address'],
  ])('%# is refused', (text, reason) => {
    const { message } = refusalOf(() => parseSignedMessage(text));
    expect(message).toContain(`The file with a signed message ${reason}`);
  });
});

describe('a legacy signature', () => {
  test.each([
    [44, 32, 'legacy'],
    [49, 36, 'bip137'],
    [84, 40, 'bip137'],
  ] as const)('of purpose %d says so in its header, as hardware wallets write it', (purpose, header, format) => {
    const from = accountFromWords(words, { purpose }).receive(0);
    const text = signMessage({ message: 'hello', from, format: 'legacy' });
    expect(Math.abs((Buffer.from(text, 'base64')[0] ?? 0) - header)).toBeLessThan(3);
    const request = { message: 'hello', address: from.address, signature: text };
    expect(verifyMessage(request)).toMatchObject({ kind: 'valid', format });
    expect(verifyMessage({ ...request, message: 'Hello' }).kind).toBe('invalid');
  });

  test('is in a known format, of whole characters', () => {
    const request = { message: 'x', from: me.receive(0), format: 'bip137' };
    expect(() => signMessage(request as never)).toThrow(/There is no such format of signed messages: choose simple/);
    expect(() => signMessage({ message: 'x\ud800', from: me.receive(0) })).toThrow(/half a character/);
    const [message, other] = ['x\ud800', 'x\ufffd'];
    const replaced = { message: other, address, signature: signMessage({ message: other, from: me.receive(0) }) };
    expect(verifyMessage(replaced).kind).toBe('valid');
    expect(verifyMessage({ ...replaced, message })).toEqual({ kind: 'invalid', reason: 'text' });
    expect(() => signMessage({ message: 'x', from: 'x' } as never)).toThrow(
      /The option from must be an address of an account/,
    );
    expect(() => verifyMessage({ ...replaced, message: 5 } as never)).toThrow(
      /The message is not valid: must be a string/,
    );
  });

  test('is not for other addresses, locks and keys that are not there', () => {
    const taproot = accountFromWords(words, { purpose: 86 }).receive(0);
    expect(() => signMessage({ message: 'x', from: taproot, format: 'legacy' })).toThrow(/is for P2PKH, P2WPKH/);
    expect(() => signMessage({ message: 'x', from: me.receive(0), format: 'legacy', locktime: 1 })).toThrow(/neither/);
    const { scriptPubKey } = me.receive(0);
    const { derived } = me.receive(1);
    expect(() => signMessage({ message: 'x', from: { scriptPubKey, derived }, format: 'legacy' })).toThrow(
      /Cannot sign/,
    );
  });
});
