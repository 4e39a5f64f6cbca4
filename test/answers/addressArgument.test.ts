import { describe, expect, test } from 'vitest';
import { openWithWallet, rpcFault } from '../support/feeding.ts';
import { formatWif, networks } from '../support/library.ts';
import { keyOf } from '../support/walletKeys.ts';

describe('a private key in place of another value', () => {
  const { wif } = keyOf(1);
  const output = `0014${'11'.repeat(20)}`;
  test.each([
    [{ scriptPubKey: { address: wif } }, 'Invalid address "..."'],
    [{ scriptPubKey: wif }, 'Invalid scriptPubKey "..."'],
    [{ scriptPubKey: output, redeemscript: wif }, 'Invalid redeem script "...": must be hex string'],
    [{ scriptPubKey: output, witnessscript: wif }, 'Invalid witness script "...": must be hex string'],
    [{ scriptPubKey: output, pubkeys: [wif] }, 'Pubkey "..." must be a hex string'],
    [{ scriptPubKey: output, pubkeys: ['nonsense'] }, 'Pubkey "nonsense" must be a hex string'],
  ])('is not shown by importmulti: %#', (request, message) => {
    const answer = openWithWallet().call('importmulti', [[{ ...request, timestamp: 'now' }]], 'w');
    expect(answer).toEqual([{ success: false, error: { code: -5, message } }]);
  });

  test.each([
    wif,
    formatWif({ secretKey: new Uint8Array(32).fill(1), isCompressed: false }, networks.main),
    // BIP32, test vector 1.
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
  ])('is not shown by listunspent: %#', (text) => {
    const { message } = rpcFault(() => openWithWallet().call('listunspent', [1, 9, [text]], 'w'));
    expect(message).toBe('Invalid Litecoin address: ...');
  });

  test('is hidden, but an address of another network is shown', () => {
    const text = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
    const { message } = rpcFault(() => openWithWallet().call('listunspent', [1, 9, [text]], 'w'));
    expect(message).toBe(`Invalid Litecoin address: ${text}`);
  });
});
