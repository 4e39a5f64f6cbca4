import { describe, expect, test } from 'vitest';
import { accountFromWalletFile } from '../../../src/kit/account/index.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import type { SignerView } from '../../../src/shell/page/protocol.ts';
import { keyAt, quorumOf, WORDS } from '../../support/holderPsbts.ts';

const P48 = 'm/48h/0h/0h/2h';
const network = 'main';

/** Opens the keys of Alice, and reads the key of each of the others. */
function openSigners() {
  const session = createPageSession();
  session.addKeys({ text: WORDS.alice, network, purpose: 48 });
  const [own] = session.ownSigners(network);
  if (!own) throw new Error('no key of Alice');
  const others = (['bob', 'mallory'] as const).map((name) => session.readSigner(keyAt(name, P48), `${name}.txt`));
  return { session, signers: [own, ...others] as readonly SignerView[] };
}

describe('a multisig wallet', () => {
  test('is made of own and of others’ keys, registered and exported', () => {
    const { session, signers } = openSigners();
    expect(signers.map(({ name, isOwn }) => [name, isOwn])).toEqual([
      ['Seed words 73c5da0a', true],
      ['bob.txt', false],
      ['mallory.txt', false],
    ]);
    const wallet = session.makeQuorum({ required: 2, signers, network });
    expect(wallet).toMatchObject({
      name: '“2 of 3”',
      canRegister: true,
      hasPrivateKeys: false,
      provenFingerprints: ['73c5da0a'],
    });
    const expected = accountFromWalletFile(quorumOf(2, ['alice', 'bob', 'mallory']));
    expect(wallet.firstAddresses).toEqual([0, 1, 2].map((index) => expected.receive(index).address));
    expect(session.exported({ kind: 'descriptors', walletId: wallet.id }).text).toMatch(/^wsh\(sortedmulti\(2,/);
    const registered = session.register({ walletId: wallet.id, name: 'Family', replaces: [] });
    expect(registered.standing).toMatchObject({ kind: 'registered' });
    expect(session.wallets()).toHaveLength(2);
  });

  test('takes the keys for the script that is chosen', () => {
    const session = createPageSession();
    session.addKeys({ text: WORDS.alice, network, purpose: 48 });
    const signers = session.ownSigners(network);
    const { descriptors } = session.makeQuorum({ required: 1, signers, script: 'p2sh-p2wsh', network });
    expect(descriptors[0]).toMatch(/^sh\(wsh\(sortedmulti\(1,/);
    expect(session.ownSigners('testnet4')).toEqual([]);
  });

  test('is refused with the reason', () => {
    const { session, signers } = openSigners();
    const make = (required: number, given: readonly SignerView[]) => () =>
      session.makeQuorum({ required, signers: given, network });
    expect(make(4, signers)).toThrow('4 signers cannot sign: there are 3 keys');
    expect(make(1, [...signers, ...signers.slice(1, 2)])).toThrow(
      'bob.txt and bob.txt have the same key: give that of each signer once',
    );
    expect(() => session.readSigner(WORDS.bob, 'bob.txt')).toThrow(
      'bob.txt has no key for a multisig: it is seed words',
    );
  });

  test.each([
    keyAt('bob', P48).replace(/^\[.*\]/, ''),
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  ])('says of the bare key %s that its origin is missing', (key) => {
    const session = createPageSession();
    expect(() => session.readSigner(`${key}\n`, 'Pasted key 2')).toThrow(
      /^Pasted key 2 is a key without its origin, .* as in \[fingerprint\/48h\/0h\/0h\/2h\]xpub/,
    );
  });

  test('begins with a key that was dropped or scanned', () => {
    const session = createPageSession();
    expect(session.open({ name: 'bob.txt', content: keyAt('bob', P48) })).toEqual({
      kind: 'signer',
      signer: { name: 'bob.txt', keys: [{ text: keyAt('bob', P48), script: 'p2wsh' }], isOwn: false },
    });
  });
});
