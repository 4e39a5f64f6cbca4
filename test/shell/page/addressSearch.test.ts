import { describe, expect, test } from 'vitest';
import { accountFromWords } from '../../../src/kit/account/index.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import { WORDS } from '../../support/holderPsbts.ts';
import { walletFile } from '../../support/walletFiles.ts';

const STRANGER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const far = accountFromWords(WORDS.alice).receive(1490).address;
const taproot = accountFromWords(WORDS.alice, { purpose: 86 }).change(7).address;

describe('the page answers whose an address is', () => {
  test('in every kind of wallet that keys have, whatever was opened first', () => {
    const session = createPageSession();
    const bob = session.addKeys({ text: WORDS.bob, network: 'main' });
    const { id } = session.addKeys({ text: WORDS.alice, network: 'main', purpose: 44 });
    expect(session.findAddress(` ${taproot}\n`)).toEqual({
      kind: 'found',
      address: taproot,
      owner: { walletId: id, chain: 'change', index: 7 },
      place: 'change address 7 of Seed words 73c5da0a, P2TR account 0, m/86h/0h/0h/1/7',
    });
    const owner = { walletId: bob.id, chain: 'receive', index: 3 };
    const { address } = accountFromWords(WORDS.bob).receive(3);
    expect(session.findAddress(`bitcoin:${address}?amount=0.1`)).toMatchObject({ address, owner });
  });

  test('in every wallet of a file', () => {
    const session = createPageSession();
    session.open({ content: walletFile('core-listdescriptors.json') });
    expect(session.findAddress(taproot)).toMatchObject({ kind: 'found', owner: { chain: 'change', index: 7 } });
  });

  test('with how far it looked, and looks further', () => {
    const session = createPageSession();
    session.addKeys({ text: WORDS.alice, network: 'main' });
    const near = session.findAddress(far);
    expect(near).toEqual({
      kind: 'not-found',
      address: far,
      searched: expect.stringMatching(
        /^the first 1000 receive and change addresses of Seed words 73c5da0a, P2WPKH account 0; .*P2PKH.* P2TR account 0, and the addresses up to label 100 of Seed words 73c5da0a, silent payments$/,
      ),
      next: 2000,
    });
    expect(session.findAddress(far, 2000)).toMatchObject({ kind: 'found', owner: { chain: 'receive', index: 1490 } });
  });

  test.each([
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', /^The address is for Bitcoin testnet 3 or .*, not for Bitcoin\.$/],
    [STRANGER.replace('w508', 'w580'), /^The text is not a valid address: copy all of it, or it is mistyped\.$/],
    ['lightning:lnbc1', /not a valid address/],
    [WORDS.alice, /^This is seed words, not an address\.$/],
  ])('%s: not at all', (text, reason) => {
    const session = createPageSession();
    session.addKeys({ text: WORDS.alice, network: 'main' });
    expect(session.findAddress(text)).toMatchObject({ kind: 'fault', reason: expect.stringMatching(reason) });
  });

  test('only once something is open', () => {
    expect(createPageSession().findAddress(STRANGER)).toMatchObject({
      reason: 'No wallet and no keys are open here: open them, and ask again.',
    });
  });
});
