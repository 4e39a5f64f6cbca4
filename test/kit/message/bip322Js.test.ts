import { Signer, Verifier } from 'bip322-js';
import { describe, expect, test } from 'vitest';
import { accountFromDescriptors } from '../../../src/kit/account/index.ts';
import { formatWif, networks, signMessage, verifyMessage } from '../../support/library.ts';

const wif = formatWif({ secretKey: new Uint8Array(32).fill(7), isCompressed: true }, networks.main);
const addressOf = (descriptor: string) => accountFromDescriptors(descriptor).receive(0);

describe('bip322-js', () => {
  test.each([
    ['pkh', `pkh(${wif})`, 'legacy'],
    ['wpkh', `wpkh(${wif})`, 'simple'],
    ['sh(wpkh)', `sh(wpkh(${wif}))`, 'simple'],
    ['tr', `tr(${wif})`, 'simple'],
  ])('signs for %s what verifies, and nothing else', (_, descriptor, format) => {
    const { address } = addressOf(descriptor);
    const signature = Signer.sign(wif, address, 'Hello World').toString();
    const request = { message: 'Hello World', address, signature };
    expect(verifyMessage(request)).toMatchObject({ kind: 'valid', format });
    expect(verifyMessage({ ...request, message: 'Hello' })).toMatchObject({
      kind: 'invalid',
      reason: descriptor.includes('wpkh') ? 'message' : 'signature',
    });
  });

  test.each([
    ['pkh', `pkh(${wif})`, 'legacy'],
    ['wpkh', `wpkh(${wif})`, 'legacy'],
    ['sh(wpkh)', `sh(wpkh(${wif}))`, 'legacy'],
    ['wpkh', `wpkh(${wif})`, 'simple'],
    ['tr', `tr(${wif})`, 'simple'],
  ] as const)('verifies what is signed for %s, without a prefix', (_, descriptor, format) => {
    const from = addressOf(descriptor);
    const signature = signMessage({ message: 'Hello World', from, format, prefix: false });
    expect(Verifier.verifySignature(from.address, 'Hello World', signature)).toBe(true);
    const request = { message: 'Hello World', address: from.address, signature };
    expect(verifyMessage(request).kind).toBe('valid');
  });

  // https://github.com/ACken2/bip322-js, its tests of nested segwit.
  test('signs nested segwit as a witness alone', () => {
    const address = '3HSVzEhCFuH9Z3wvoWTexy7BMVVp3PjS6f';
    const signature =
      'AkgwRQIhAMd2wZSY3x0V9Kr/NClochoTXcgDaGl3OObOR17yx3QQAiBVWxqNSS+CKen7bmJTG6YfJjsggQ4Fa2RHKgBKrdQQ+gEhAxa5UDdQCHSQHfKQv14ybcYm1C9y6b12xAuukWzSnS+w';
    const request = { message: 'Hello World', address, signature };
    expect(verifyMessage(request)).toMatchObject({ kind: 'valid', format: 'simple' });
    expect(Verifier.verifySignature(address, request.message, signature)).toBe(true);
    expect(verifyMessage({ ...request, message: 'Hello' })).toMatchObject({ kind: 'invalid', reason: 'message' });
  });
});
