import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cosigners, masterXprv, seedWords } from '../../../examples/fixtures.ts';
import {
  type Account,
  accountFromDescriptors,
  accountFromKey,
  accountFromWords,
  reviewWith,
  signWith,
} from '../../../src/kit/account/index.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import type { PageSession, ScanView } from '../../../src/shell/page/protocol.ts';
import {
  decodeTransaction,
  formatPsbt,
  type NetworkName,
  parseHex,
  parsePsbt,
  verifyTransaction,
} from '../../support/library.ts';
import { documentOf, leafOf, MULTISIG, multisigOf, paymentOf } from '../../support/pageSessions.ts';
import { pictureOf, type Showing } from '../../support/pictures.ts';

/** One way to hold a wallet: the text of its keys for the page, and the same as an account of the library. */
interface Case {
  readonly network: NetworkName;
  readonly text: string;
  readonly purpose?: 44 | 48 | 49 | 84 | 86;
  readonly at?: 'account' | 'root';
  readonly passphrase?: string;
  readonly account: Account;
}

const ofWords = (network: NetworkName, purpose: 44 | 49 | 84 | 86, passphrase = ''): Case => ({
  network,
  text: seedWords,
  purpose,
  passphrase,
  account: accountFromWords(seedWords, { network, purpose, passphrase }),
});

const CASES: Readonly<Record<string, Case>> = {
  'seed words, P2WPKH, on the main network': ofWords('main', 84),
  'seed words with a passphrase, on a test network': ofWords('testnet4', 84, 'TREZOR'),
  'seed words, P2PKH': ofWords('main', 44),
  'seed words, P2SH-P2WPKH': ofWords('signet', 49),
  'seed words, taproot': ofWords('main', 86),
  'seed words, Litecoin': ofWords('litecoin', 84),
  'an extended key, taproot': {
    network: 'regtest',
    text: masterXprv,
    purpose: 86,
    at: 'account',
    account: accountFromKey(masterXprv, { network: 'regtest', purpose: 86, at: 'account' }),
  },
  'an extended key, with addresses right below it': {
    network: 'regtest',
    text: masterXprv,
    purpose: 84,
    at: 'root',
    account: accountFromKey(masterXprv, { network: 'regtest', purpose: 84, at: 'root' }),
  },
  'a private key in wallet import format': {
    network: 'regtest',
    text: 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA',
    account: accountFromKey('cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA', { network: 'regtest' }),
  },
  'a descriptor with a taproot leaf': {
    network: 'regtest',
    text: leafOf(cosigners[1].xprv),
    account: accountFromDescriptors(leafOf(cosigners[1].xprv), { network: 'regtest' }),
  },
  'a descriptor with two keys of a multisig': {
    network: 'regtest',
    text: multisigOf(0, 2),
    account: accountFromDescriptors(multisigOf(0, 2), { network: 'regtest' }),
  },
};

/** Shows all codes of an export to another session, as pictures. @returns what the last one gave */
function carry(
  from: PageSession,
  to: PageSession,
  form: Pick<Parameters<PageSession['codes']>[0], 'kind' | 'code' | 'density'>,
  {
    order = (indexes: readonly number[]) => indexes,
    ...showing
  }: Showing & { readonly order?: (indexes: readonly number[]) => readonly number[] } = {},
): ScanView {
  const { count } = from.codes({ ...form, from: 0, count: 0 });
  const indexes = order(Array.from({ length: count }, (_, i) => i));
  let view: ScanView = { status: 'none' };
  for (const index of indexes) {
    const [code] = from.codes({ ...form, from: index, count: 1 }).codes;
    if (code) view = to.scan(pictureOf(code, showing));
    if (view.status === 'complete') break;
  }
  return view;
}

describe('a session signs as the library does', () => {
  const rows = Object.entries(CASES).flatMap(([name, given]) =>
    ([0, 2] as const).map((version) => ({ ...given, name: `${name}, version ${version}`, version })),
  );
  test.each(rows)('$name', ({ network, text, purpose, at, passphrase, account, version }) => {
    const psbt = paymentOf(account, version);
    const expected = signWith(account, psbt);
    const session = createPageSession({ network });
    const before = documentOf(session.open({ name: 'spend.psbt', content: formatPsbt(psbt) }));
    expect(before.canSign).toBe(false);
    const derivation = { ...(purpose && { purpose }), ...(at && { at }) };
    session.addKeys({ text, network, ...derivation, ...(passphrase && { passphrase }) });
    const ready = session.document();
    expect(ready).toMatchObject({ canSign: true, final: undefined, name: 'spend.psbt', network, warnings: [] });
    const expectedRoles = reviewWith(account, psbt).outputs.map(({ role, stays }) => [role, stays]);
    expect(ready?.review.outputs.map(({ role, stays }) => [role, stays])).toEqual(expectedRoles);
    const signed = session.sign([]);
    expect(session.exported({ kind: 'psbt' }).text).toBe(formatPsbt(expected.psbt));
    expect(signed.final?.hex).toBe(expected.hex);
    expect(signed.final?.txid).toBe(expected.txid);
    const coin = { value: 100_000n, scriptPubKey: account.receive(3).scriptPubKey };
    expect(verifyTransaction(decodeTransaction(parseHex(signed.final?.hex ?? '')), [coin]).isValid).toBe(true);
    expect(session.verify()).toEqual({ kind: 'valid', reasons: [] });
  });

  test('with two sessions of a 2-of-3 multisig that pass codes to each other', () => {
    const network = 'regtest';
    const watching = accountFromDescriptors(MULTISIG, { network });
    const psbt = paymentOf(watching);
    const [alice, bob] = [createPageSession({ network }), createPageSession({ network })];
    alice.addKeys({ text: multisigOf(0), network });
    bob.addKeys({ text: multisigOf(1), network });
    alice.open({ content: formatPsbt(psbt) });
    expect(alice.sign([])).toMatchObject({ final: undefined, canSign: false });
    const scanned = carry(alice, bob, { kind: 'psbt', code: 'bbqr', density: 400 });
    expect(scanned).toMatchObject({ status: 'complete', opened: { kind: 'psbt', document: { canSign: true } } });
    const { final } = bob.sign([]);
    const half = signWith(accountFromDescriptors(multisigOf(0), { network }), psbt).psbt;
    expect(final?.hex).toBe(signWith(accountFromDescriptors(multisigOf(1), { network }), half).hex);
    const back = carry(bob, alice, { kind: 'transaction', code: 'ur', density: 300 });
    expect(back).toMatchObject({ status: 'complete', opened: { kind: 'transaction' } });
    expect(alice.document()?.final?.hex).toBe(final?.hex);
  });

  test('with several keys at once', () => {
    const network = 'regtest';
    const psbt = paymentOf(accountFromDescriptors(MULTISIG, { network }));
    const session = createPageSession({ network });
    session.open({ content: MULTISIG });
    for (const signer of [0, 2] as const) {
      const [key = ''] = cosigners[signer].xprv.match(/tprv[^/]+/) ?? [];
      session.addKeys({ text: key, network, purpose: 84 });
    }
    session.open({ content: formatPsbt(psbt) });
    expect(session.sign([]).final).toBeDefined();
  });

  test('and tells the progress after each signature', () => {
    const account = accountFromWords(seedWords, { network: 'regtest' });
    const seen: unknown[] = [];
    const session = createPageSession({ network: 'regtest', onProgress: (progress) => seen.push(progress) });
    session.addKeys({ text: seedWords, network: 'regtest' });
    session.open({ content: formatPsbt(paymentOf(account, 2, 3)) });
    session.sign([]);
    expect(seen).toEqual([0, 1, 2, 3].map((done) => ({ done, total: 3 })));
  });
});

describe('codes of a session', () => {
  const network = 'regtest';
  const account = accountFromDescriptors(MULTISIG, { network });
  const psbt = paymentOf(account, 2, 6);
  const session = createPageSession({ network });
  session.open({ content: formatPsbt(psbt) });
  const sameness = (view: ScanView, reader: PageSession): void => {
    expect(view).toMatchObject({ status: 'complete', opened: { kind: 'psbt' } });
    expect(reader.exported({ kind: 'psbt' }).text).toBe(formatPsbt(psbt));
  };

  test.each([
    ['bbqr', 120],
    ['bbqr', 500],
    ['bbqr', 2000],
    ['ur', 120],
    ['ur', 500],
    ['ur', 2000],
  ] as const)('of the kind %s with %d characters are read from pictures', (code, density) => {
    const reader = createPageSession({ network });
    sameness(carry(session, reader, { kind: 'psbt', code, density }), reader);
  });

  test('are read in any order, with repeats', () => {
    fc.assert(
      fc.property(fc.constantFrom('bbqr', 'ur'), fc.nat(), (code, seed) => {
        const reader = createPageSession({ network });
        const order = (indexes: readonly number[]): readonly number[] =>
          [...indexes, ...indexes.slice(0, 2)].sort((a, b) => ((a * 7919 + seed) % 101) - ((b * 7919 + seed) % 101));
        sameness(carry(session, reader, { kind: 'psbt', code, density: 300 }, { order }), reader);
      }),
      { numRuns: 6 },
    );
  });

  test('of a UR are read although every other one is lost', () => {
    const reader = createPageSession({ network });
    const order = (indexes: readonly number[]): readonly number[] => indexes.flatMap((i) => [2 * i, 4 * i + 100]);
    sameness(carry(session, reader, { kind: 'psbt', code: 'ur', density: 300 }, { order }), reader);
  });

  test('are read from a dark screen, light on dark', () => {
    const reader = createPageSession({ network });
    sameness(carry(session, reader, { kind: 'psbt', code: 'bbqr', density: 600 }, { isInverted: true }), reader);
  });

  test('of which half are missing name those', () => {
    const reader = createPageSession({ network });
    const { count } = session.codes({ kind: 'psbt', code: 'bbqr', density: 300, from: 0, count: 0 });
    const order = (indexes: readonly number[]): readonly number[] => indexes.filter((i) => i % 2 === 0);
    const view = carry(session, reader, { kind: 'psbt', code: 'bbqr', density: 300 }, { order });
    const missing = Array.from({ length: count }, (_, i) => i).filter((i) => i % 2 === 1);
    expect(view).toEqual({ status: 'partial', format: 'bbqr', count, isNew: true, missing });
    expect(reader.document()).toBeUndefined();
  });
});

test('a session opens a PSBT in each form', () => {
  const account = accountFromWords(seedWords, { network: 'regtest' });
  const base64 = formatPsbt(paymentOf(account));
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const forms: readonly (string | Uint8Array)[] = [
    base64,
    ` ${base64.slice(0, 50)}\n${base64.slice(50)}\n`,
    bytes,
    new TextEncoder().encode(base64),
    formatPsbt(parsePsbt(base64), 'hex'),
    JSON.stringify({ psbt: base64, complete: false }),
  ];
  for (const content of forms) {
    const session = createPageSession({ network: 'regtest' });
    expect(session.open({ content }).kind).toBe('psbt');
    expect(session.exported({ kind: 'psbt' }).content).toEqual(bytes);
  }
});
