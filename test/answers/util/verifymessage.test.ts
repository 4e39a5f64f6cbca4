import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ask, callText } from '../../support/askRpc.ts';
import { campaign } from '../../support/campaign.ts';
import {
  createDeriver,
  formatAddress,
  formatBase64,
  formatWif,
  networks,
  parseBase64,
  parseDescriptor,
} from '../../support/library.ts';

const secretKey = new Uint8Array(32).fill(1);
const wif = formatWif({ secretKey, isCompressed: true }, networks.regtest);
const [ADDRESS = '', SEGWIT = ''] = ['pkh', 'wpkh'].map((kind) => {
  const descriptor = parseDescriptor(`${kind}(${wif})`, networks.regtest);
  return formatAddress(createDeriver(descriptor)(0).scriptPubKeys[0] ?? new Uint8Array(), networks.regtest);
});
const sign = (message: string): string => String(ask('signmessagewithprivkey', [wif, message]));

describe('a message', () => {
  test('is verified with any header byte that says the same, and with no other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(255), (message, header) => {
        const signature = parseBase64(sign(message));
        const first = signature[0] ?? 0;
        signature[0] = header;
        const isSame = ((header - first) & 7) === 0;
        expect(ask('verifymessage', [ADDRESS, formatBase64(signature), message])).toBe(isSame);
        signature[0] = first;
        expect(ask('verifymessage', [ADDRESS, formatBase64(signature), `${message}.`])).toBe(false);
      }),
      campaign(30),
    );
  });

  test('is signed and verified whatever its size, in time', () => {
    const message = '\u0000é😀'.repeat(200_000);
    expect(ask('verifymessage', [ADDRESS, sign(message), message])).toBe(true);
    expect(ask('verifymessage', [ADDRESS, 'A'.repeat(4_000_000), message])).toBe(false);
  });

  test('of another network has another digest', () => {
    const signature = sign('hello');
    expect(ask('verifymessage', [ADDRESS, signature, 'hello'])).toBe(true);
    expect(
      ask('verifymessage', [ADDRESS, signature, 'hello'], { network: 'litecoin-regtest', dialect: 'litecoin-0.21' }),
    ).toBe(false);
  });
});

test('the order and the codes of errors are those of each generation', () => {
  const fault = (dialect: 'core-32' | 'core-0.21', params: readonly unknown[]): unknown =>
    callText(dialect, 'verifymessage', params);
  expect(fault('core-32', ['x', '!', ''])).toBe('-5 Invalid address');
  expect(fault('core-0.21', ['x', '!', ''])).toBe('-3 Invalid address');
  expect(fault('core-32', [ADDRESS, '!', ''])).toBe('-3 Malformed base64 encoding');
  expect(fault('core-0.21', [ADDRESS, '!', ''])).toBe('-5 Malformed base64 encoding');
  expect(fault('core-0.21', [ADDRESS, '\0!', ''])).toBe(false);
  expect(fault('core-32', [ADDRESS, '\0!', ''])).toBe('-3 Malformed base64 encoding');
  for (const dialect of ['core-32', 'core-0.21'] as const) {
    expect(fault(dialect, [SEGWIT, '!', ''])).toBe('-3 Address does not refer to key');
  }
});

test('a private key is never repeated', () => {
  const other = formatWif({ secretKey, isCompressed: true }, networks.main);
  expect(callText('core-32', 'signmessagewithprivkey', [other, 'hello'])).toBe('-5 Invalid private key');
  expect(callText('documented', 'signmessagewithprivkey', [other, 'hello'])).toMatch(
    /^-5 Invalid private key: the key is for main/,
  );
});
