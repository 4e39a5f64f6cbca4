import { describe, expect, test } from 'vitest';
import { accountFromWords } from '../../src/account/index.ts';
import { otherMastersText, otherNetworkOf } from '../../src/review/openingHints.ts';
import { masterKey, type NetworkName, networks } from '../support/library.ts';
import { paymentOf } from '../support/pageSessions.ts';

const words = `${'abandon '.repeat(11)}about`;
const psbtOf = (network: NetworkName): ReturnType<typeof paymentOf> => paymentOf(accountFromWords(words, { network }));

describe('the key paths of a PSBT', () => {
  test.each([
    ['main', 'main', undefined],
    ['main', 'signet', 'the main network'],
    ['signet', 'main', 'a test network'],
    ['signet', 'regtest', undefined],
    ['litecoin', 'litecoin', undefined],
    ['litecoin', 'main', 'Litecoin'],
    ['main', 'litecoin', 'Bitcoin'],
    ['litecoin-testnet', 'testnet4', undefined],
  ] as const)('for %s, looked at on %s, are for %s', (of, on, expected) => {
    expect(otherNetworkOf(psbtOf(of), networks[on])).toBe(expected);
  });

  test('without the master keys at hand ask whether the passphrase is right', () => {
    expect(otherMastersText(psbtOf('main'), [masterKey(new Uint8Array(32).fill(1))])).toMatch(
      /^the PSBT asks for keys of the master key 73c5da0a; yours is /,
    );
    expect(otherMastersText(psbtOf('main'), [])).toBeUndefined();
  });
});
