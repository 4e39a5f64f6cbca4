import { describe, expect, test } from 'vitest';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import { keyAt, quorumOf, WORDS } from '../../support/holderPsbts.ts';
import { formatPsbt } from '../../support/library.ts';
import { paymentOf } from '../../support/pageSessions.ts';
import { account } from './support/payments.ts';

const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const LEGACY = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';

describe('the page says what a text is:', () => {
  test.each([
    [SEGWIT, 'witness_v0_keyhash', ['main']],
    [LEGACY, 'pubkeyhash', ['main']],
    [account.receive(0).address, 'witness_v0_keyhash', ['main']],
  ])('the address %s, with its kind and network', (address, type, networks) => {
    expect(createPageSession().identify(` ${address}\n`)).toEqual({ kind: 'address', address, type, networks });
  });

  test.each([SEGWIT.replace('w508', 'w580'), SEGWIT.slice(0, -3), LEGACY.replace('Z9t', 'Z8t')])(
    '%s, which looks like an address, but mistyped',
    (text) => {
      expect(createPageSession().identify(text)).toEqual({
        kind: 'unknown',
        text: 'This is what looks like an address, but mistyped or cut off: copy all of it again.',
      });
    },
  );

  test.each([
    [quorumOf(2, ['alice', 'bob']), 'other', /^This is a wallet file \(/],
    [keyAt('bob', 'm/48h/0h/0h/2h'), 'other', /^This is one signer’s key for a multisig/],
    [WORDS.bob, 'other', /^This is seed words\.$/],
    ['bitcoin:bc1qoops', 'unknown', /address/],
    ['hello', 'unknown', /^This is nothing that the page knows: /],
  ])('%s, without keeping anything of it', (text, kind, words) => {
    const session = createPageSession();
    expect(session.identify(text)).toEqual({ kind, text: expect.stringMatching(words) });
    expect(session.wallets()).toEqual([]);
    expect(() => session.addKeys({ network: 'main' })).toThrow('No keys were entered');
  });

  test('a PSBT or a transaction', () => {
    const session = createPageSession();
    expect(session.identify(formatPsbt(paymentOf(account)))).toEqual({ kind: 'document' });
    expect(session.document()).toBe(undefined);
  });
});
