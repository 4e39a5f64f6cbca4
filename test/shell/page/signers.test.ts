import { describe, expect, test } from 'vitest';
import { cosigners, seedWords } from '../../../examples/fixtures.ts';
import { accountFromDescriptors } from '../../../src/kit/account/index.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import { isPartOpen, signerPlaces, wantsCosigner, wantsPrivateKeys } from '../../../src/shell/page/views/signers.ts';
import { formatPsbt } from '../../support/library.ts';
import { MULTISIG, paymentOf } from '../../support/pageSessions.ts';

const network = 'regtest';

describe('the names of wallets', () => {
  test('of files cannot be those of keys', () => {
    const session = createPageSession({ network });
    const { name, descriptors } = session.addKeys({ text: seedWords, network });
    const content = { label: name, descriptor: MULTISIG };
    session.open({ content: JSON.stringify(content) });
    session.open({ name, content: `wpkh(${cosigners[0].xpub})` });
    session.open({ name: `“${name}”`, content: descriptors.join('\n') });
    const names = session.wallets().map((wallet) => wallet.name);
    expect(names).toEqual([name, `“${name}”`, `“${name}” (2)`, `““${name}””`]);
    session.addKeys({ text: seedWords, network, purpose: 86 });
    expect(session.wallets().at(-1)?.name).toBe(`${name} (2)`);
  });
});

test('keys for a multisig lack its addresses until a wallet with one of them is open, whatever it names them', () => {
  const session = createPageSession({ network });
  session.addKeys({ text: cosigners[0].xprv.replace(/.*\]|\/.*/g, ''), network });
  expect(isPartOpen(session.wallets())).toBe(false);
  session.open({ content: MULTISIG.replaceAll(/\[[^\]]*\]/g, '') });
  expect(isPartOpen(session.wallets())).toBe(true);
});

describe('a wallet of three signers with a PSBT', () => {
  const session = createPageSession({ network });
  session.open({ name: 'Family', content: MULTISIG });
  const opened = (): Parameters<typeof wantsPrivateKeys>[0] => ({
    wallets: session.wallets(),
    document: session.document(),
  });

  test('wants the keys of a signer until they are there, and says which signer they are', () => {
    expect([wantsPrivateKeys(opened()), wantsCosigner(opened())]).toEqual([false, true]);
    session.open({ content: formatPsbt(paymentOf(accountFromDescriptors(MULTISIG, { network }))) });
    expect(wantsPrivateKeys(opened())).toBe(true);
    const { fingerprints = [] } = session.wallets()[0] ?? {};
    const signer = { ...session.addKeys({ text: seedWords, network, purpose: 48 }) };
    expect([wantsPrivateKeys(opened()), wantsCosigner(opened())]).toEqual([false, false]);
    const known = { ...signer, fingerprints: fingerprints.slice(1, 2) };
    expect(signerPlaces(known, session.wallets())).toEqual(['2 of 3 of “Family”, named by the file, not proven']);
    const proving = session.wallets().map((wallet) => ({ ...wallet, provenFingerprints: known.fingerprints }));
    expect(signerPlaces(known, proving)).toEqual(['2 of 3 of “Family”, key proven']);
    expect(signerPlaces({ ...known, fingerprints: ['00000000'] }, session.wallets())).toEqual([]);
    expect(signerPlaces({ ...known, network: 'main' }, session.wallets())).toEqual([]);
  });
});
