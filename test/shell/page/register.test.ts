import { describe, expect, test } from 'vitest';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import type { OpenedView, PageSession, WalletView } from '../../../src/shell/page/protocol.ts';
import { isForeignWallet, standingText, walletTone } from '../../../src/shell/page/views/signers.ts';
import { keyAt, quorumOf, STRANGER, single, spend, WORDS } from '../../support/holderPsbts.ts';
import { encodePsbt, formatPsbt } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const P48 = 'm/48h/0h/0h/2h';

const walletOf = (opened: OpenedView): WalletView => {
  if (opened.kind !== 'wallet') throw new Error(`no wallet: ${JSON.stringify(opened)}`);
  return opened.wallet;
};
const sessionOf = (name?: keyof typeof WORDS): PageSession => {
  const session = createPageSession();
  if (name) session.addKeys({ text: WORDS[name], network: 'main', purpose: 48 });
  return session;
};
const openWallet = (session: PageSession, content: string, name = 'family.txt'): WalletView =>
  walletOf(session.open({ name, content }));

/** Registers a wallet in a session of its own, and returns the file. */
function registered(content: string, name = 'Family', by: keyof typeof WORDS = 'alice'): string {
  const session = sessionOf(by);
  const { id } = openWallet(session, content);
  session.register({ walletId: id, name, replaces: [] });
  return session.exported({ kind: 'registration', walletId: id }).text;
}

describe('a wallet file beside private keys', () => {
  test('can be registered: what others can do, each key and the first addresses are shown before', () => {
    const session = sessionOf('alice');
    const wallet = openWallet(session, FAMILY);
    expect(wallet).toMatchObject({ canRegister: true, standing: { kind: 'none' } });
    const proposal = session.propose(wallet.id);
    expect(proposal).toMatchObject({
      ...{ control: { others: 'at once', alone: 'never' }, hashes: [], related: [], network: 'main' },
      addresses: { receive: wallet.firstAddresses[0] },
    });
    expect(proposal.keys.map(({ isProven }) => isProven)).toEqual([true, false, false]);
    expect(proposal.keys[0]?.text).toBe(keyAt('alice', P48));
    expect(proposal).not.toHaveProperty('suggestedName');
    expect(session.wallets().find(({ id }) => id === wallet.id)?.standing.kind).toBe('none');
  });

  test('says when others can spend, and what must be known besides keys', () => {
    const session = sessionOf('alice');
    const vault = `wsh(or_d(pk(${keyAt('alice', P48)}/<0;1>/*),and_v(v:pkh(${keyAt('bob', P48)}/<0;1>/*),older(52560))))`;
    const late = session.propose(openWallet(session, vault).id);
    expect(late.control).toEqual({
      others: 'after about 52560 blocks (1 year), counted from each payment',
      alone: 'at once',
    });
    const heir = `wsh(or_d(pk(${keyAt('bob', P48)}/<0;1>/*),and_v(v:pkh(${keyAt('alice', P48)}/<0;1>/*),after(1000000))))`;
    expect(session.propose(openWallet(session, heir).id).control).toEqual({
      others: 'at once',
      alone: 'only once an absolute lock of its policy has passed',
    });
    const hash = 'ab'.repeat(32);
    const locked = `wsh(or_d(pk(${keyAt('alice', P48)}/<0;1>/*),and_v(v:pkh(${keyAt('bob', P48)}/<0;1>/*),sha256(${hash}))))`;
    expect(session.propose(openWallet(session, locked).id)).toMatchObject({
      control: { others: 'at once' },
      hashes: [{ name: 'sha256', hash }],
    });
  });

  test('is registered by the name that is typed, and stays open as registered', () => {
    const session = sessionOf('alice');
    const { id } = openWallet(session, FAMILY);
    const wallet = session.register({ walletId: id, name: 'Family', replaces: [] });
    expect(wallet).toMatchObject({ id, canRegister: false, hasRegistrationFile: true, isShared: false });
    expect(standingText(wallet)).toMatch(/^Registered "Family" [0-9a-f]{8}$/);
    const { fileName, mediaType, text } = session.exported({ kind: 'registration', walletId: id });
    expect([fileName, mediaType]).toEqual(['Family.wallet.json', 'application/json']);
    expect(JSON.parse(text)).toMatchObject({ name: 'Family', network: 'main', registrations: [{ version: 1 }] });
    const again = sessionOf('alice');
    expect(standingText(openWallet(again, text))).toBe(standingText(wallet));
    expect(refusalOf(() => again.exported({ kind: 'registration', walletId: 2 })).code).toBe('page/refused');
  });

  test.each(['bbqr', 'ur', 'plain'] as const)('leaves the page by codes, too: %s', (code) => {
    const session = sessionOf('alice');
    const { id } = openWallet(session, FAMILY);
    session.register({ walletId: id, name: 'Family', replaces: [] });
    const form = { kind: 'registration', walletId: id, code, density: 1800, from: 0 } as const;
    const { count, type } = session.codes({ ...form, count: 1 });
    expect(type).toBe({ bbqr: 'json', ur: 'bytes', plain: 'text' }[code]);
    if (code === 'plain') return;
    const scanning = sessionOf('alice');
    for (const { text } of session.codes({ ...form, count }).codes) scanning.scanText(text);
    expect(scanning.wallets().map(({ standing }) => standing.kind)).toEqual(['keys', 'registered']);
  });

  test('makes its change verified, and only then', () => {
    const session = sessionOf('alice');
    const { id } = openWallet(session, FAMILY);
    const outputs = [
      { of: FAMILY, chain: 1, value: 600_000n },
      { script: STRANGER, value: 390_000n },
    ];
    session.open({ content: encodePsbt(spend({ coins: [{ of: FAMILY }], outputs })) });
    const before = session.document()?.review;
    expect(before?.findings.map(({ check }) => check)).toContain('wallet-unregistered');
    session.register({ walletId: id, name: 'Family', replaces: [] });
    const { findings, report = [], outputs: [change] = [] } = session.document()?.review ?? {};
    expect(findings).toEqual([]);
    expect(change).toMatchObject({ role: 'change', stays: true, owner: { root: 'registered' } });
    expect(report.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^change, verified \("Family" [0-9a-f]{8}, change 0\)$/),
    );
  });

  test('shows what differs from a registered one, which is retired only if it is asked for', () => {
    const family = registered(FAMILY);
    const stranger = keyAt('bob', 'm/48h/0h/1h/2h');
    const changed = `wsh(sortedmulti(2,${keyAt('alice', P48)}/<0;1>/*,${keyAt('bob', P48)}/<0;1>/*,${stranger}/<0;1>/*))`;
    const session = sessionOf('alice');
    openWallet(session, family);
    const { id, standing } = openWallet(session, changed);
    expect(standing.kind).toBe('shares-key');
    const { related } = session.propose(id);
    const marked = (key: string): string => key.replace(/(?<=\d)h/g, "'");
    expect(related).toMatchObject([{ missing: [marked(keyAt('mallory', P48))], added: [marked(stranger)] }]);
    expect(related[0]?.title).toMatch(/^"Family" /);
    const namesake = refusalOf(() => session.register({ walletId: id, name: 'Family', replaces: [] }));
    expect(namesake.message).toMatch(/"Family" [0-9a-f]{8} has this name: choose another, or replace that wallet/);
    session.register({ walletId: id, name: 'Family', replaces: related.map((other) => other.id) });
    const { text } = session.exported({ kind: 'registration', walletId: id });
    expect(JSON.parse(text).retires).toEqual(related.map((other) => other.id));
    const outputs = [{ of: FAMILY, chain: 1 }];
    session.open({ content: encodePsbt(spend({ coins: [{ of: changed }], outputs })) });
    const findings = session.document()?.review.findings ?? [];
    expect(findings.map(({ check, action }) => `${check} ${action}`)).toContain('wallet-retired refuse');
  });

  test('is not registered under a name in use by a wallet that shares no key', () => {
    const session = sessionOf('alice');
    openWallet(session, registered(quorumOf(2, ['alice', 'bob'])));
    const other = `wsh(multi(1,${keyAt('alice', 'm/48h/0h/7h/2h')}/<0;1>/*,${keyAt('mallory', P48)}/<0;1>/*))`;
    const { id } = openWallet(session, other);
    expect(session.propose(id).related).toEqual([]);
    expect(refusalOf(() => session.register({ walletId: id, name: 'Family', replaces: [] })).message).toMatch(
      /has this name/,
    );
  });

  test('of others, of one key alone, or of keys, is not registered', () => {
    const session = sessionOf('alice');
    const theirs = openWallet(session, quorumOf(1, ['bob', 'mallory']));
    expect(refusalOf(() => session.propose(theirs.id)).message).toMatch(/none of its keys is yours/);
    expect(isForeignWallet(theirs, session.wallets())).toBe(true);
    const own = openWallet(session, single('alice'));
    expect([own.canRegister, own.standing.kind]).toEqual([false, 'keys']);
    expect(isForeignWallet(own, session.wallets())).toBe(false);
    expect(refusalOf(() => session.propose(1)).message).toMatch(/^Keys need no registration/);
    for (const name of ['', 'Famille é', 'x'.repeat(65)]) {
      const { id } = openWallet(session, FAMILY);
      expect(refusalOf(() => session.register({ walletId: id, name, replaces: [] })).code).toBe('holder/name');
    }
  });

  test('that names another key at the place of a key at hand says so', () => {
    const forged = FAMILY.replace(
      keyAt('alice', P48),
      keyAt('bob', 'm/48h/0h/9h/2h').replace(/^\[.*?\]/, '[73c5da0a/48h/0h/0h/2h]'),
    );
    const session = sessionOf('alice');
    const wallet = openWallet(session, forged);
    expect(wallet.contradiction).toMatch(/73c5da0a\/48h\/0h\/0h\/2h/);
    expect([wallet.provenFingerprints, walletTone(wallet)]).toEqual([[], 'bad']);
  });
});

describe('a registered wallet file', () => {
  const family = registered(FAMILY);

  test.each([
    ['beside its key', 'alice', family, /^Registered "Family" [0-9a-f]{8}$/],
    [
      'beside the key of another signer',
      'bob',
      family,
      /^Its file holds registrations, and no key at hand can verify them/,
    ],
    ['whose name was changed', 'alice', family.replace('"Family"', '"Household"'), /^CHANGED/],
    ['without a key', undefined, family, /^Not proven: no key at hand/],
  ] as const)('%s', (_, by, content, expected) => {
    const session = sessionOf(by);
    const wallet = openWallet(session, content);
    expect(standingText(wallet)).toMatch(expected);
    if (standingText(wallet).startsWith('CHANGED')) expect(walletTone(wallet)).toBe('bad');
  });

  test('is told apart once keys are added, and is no longer once they are forgotten', () => {
    const session = sessionOf();
    const { id } = openWallet(session, family);
    const standing = (): string | undefined => session.wallets().find((wallet) => wallet.id === id)?.standing.kind;
    expect(standing()).toBe('listed');
    const keys = session.addKeys({ text: WORDS.alice, network: 'main', purpose: 48 });
    expect(standing()).toBe('registered');
    session.removeWallet(keys.id);
    expect(standing()).toBe('listed');
  });

  test('is a wallet of its own beside a copy that is not registered', () => {
    const session = sessionOf('alice');
    openWallet(session, FAMILY);
    expect(session.wallets()[1]?.standing.kind).toBe('none');
    openWallet(session, family);
    const outputs = [{ of: FAMILY, chain: 1 }];
    session.open({ content: formatPsbt(spend({ coins: [{ of: FAMILY }], outputs })) });
    expect(session.document()?.review.outputs[0]?.owner.root).toBe('registered');
  });

  test('serves all signers', () => {
    const both = registered(family, 'Family', 'bob');
    expect(JSON.parse(both).registrations).toHaveLength(2);
    for (const name of ['alice', 'bob'] as const) {
      expect(openWallet(sessionOf(name), both).standing.kind).toBe('registered');
    }
  });
});
