import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cosigners, seedWords } from '../../../examples/fixtures.ts';
import { seedOfWords } from '../../../src/core/keys/seedWords.ts';
import { POLICY_DEFAULTS } from '../../../src/core/review/policy.ts';
import { accountFromWords } from '../../../src/kit/account/index.ts';
import { answer } from '../../../src/shell/page/answer.ts';
import { encodeCode } from '../../../src/shell/page/codes/qrCode.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import type { MethodName, PageSession } from '../../../src/shell/page/protocol.ts';
import { campaign } from '../../support/campaign.ts';
import { secret as secretBytes } from '../../support/hidden.ts';
import {
  derivePath,
  formatPsbt,
  formatWif,
  formatXprv,
  formatXpub,
  keyFingerprint,
  masterKey,
  networks,
  neuter,
  parsePath,
} from '../../support/library.ts';
import { paymentOf } from '../../support/pageSessions.ts';
import { pictureOf } from '../../support/pictures.ts';
import { expectHidden, pasted } from '../../support/secrets.ts';

/** Secrets go into a session and never come out: neither in a view, nor in an error, an export or a code. */

const network = 'regtest';
const PSBT = formatPsbt(paymentOf(accountFromWords(seedWords, { network })));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Prints an answer with the bytes in it as text and as hex. */
const printed = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member instanceof Uint8Array
      ? `${Buffer.from(member).toString('latin1')} ${Buffer.from(member).toString('hex')}`
      : member,
  );

/** Calls methods as the page does. @returns everything that the worker answers */
function answersOf(session: PageSession, calls: readonly (readonly [MethodName, ...(readonly unknown[])])[]): string {
  return calls.map(([method, ...args], id) => printed(answer(session, { id, method, args }))).join('\n');
}

/** Gives a text to every method that takes one. */
const callsWith = (text: string): readonly (readonly [MethodName, ...(readonly unknown[])])[] => [
  ['open', { content: text }],
  ['open', { content: bytesOf(text), name: text }],
  ['open', { content: PSBT, name: `${text}.psbt` }],
  ['scanText', text],
  ['resetScan'],
  ['checkWords', text],
  ['addKeys', { network }],
  ['addKeys', { text, network }],
  ['addKeys', { text, network: 'main', purpose: 86, account: 1, passphrase: text }],
  ['addKeys', { text: seedWords, network, passphrase: text }],
  ['addKeys', { text: seedWords, network: text }],
  ['setNetwork', text],
  ['findAddress', text],
  // A message is for others to read: the session shows it, unless it is a secret by its form.
  ['prepareMessage', { address: text, message: 'hello' }],
  ['prepareMessage', { request: `hello\n${text}` }],
  ['signMessage', 'bip322'],
  ['verifyMessage', text],
  ['verifyMessage', { address: text, message: 'hello', signature: text }],
  ['readSigner', text, 'A key'],
  ['readSigner', PSBT, text],
  ['ownSigners', text],
  ['makeQuorum', { required: 1, signers: [{ name: text, keys: [{ text }], isOwn: false }], network }],
  ['exported', { kind: 'address', address: text }],
  ['exported', { kind: text }],
  ['codes', { kind: 'address', address: text, code: 'plain', density: 500, from: 0, count: 1 }],
  ['codes', { kind: text, code: text, density: text, from: 0, count: 1 }],
  ['addresses', { walletId: text, chain: text, from: text, count: text }],
  ['propose', text],
  ['register', { walletId: text, name: text, replaces: [text] }],
  ['exported', { kind: 'registration', walletId: text }],
  ['removeWallet', text],
  ['sign', [text]],
  ['wallets'],
  ['document'],
];

/** Calls everything that shows something. */
const SHOWING: readonly (readonly [MethodName, ...(readonly unknown[])])[] = [
  ['wallets'],
  ['document'],
  ['sign', Object.keys(POLICY_DEFAULTS)],
  ['verify'],
  ['nodeJson'],
  ...[1, 2].flatMap((walletId): readonly (readonly [MethodName, ...(readonly unknown[])])[] => [
    ['addresses', { walletId, chain: 'receive', from: 0, count: 3 }],
    ['exported', { kind: 'descriptors', walletId }],
    ['propose', walletId],
    ['register', { walletId, name: 'Mine', replaces: [] }],
    ['exported', { kind: 'registration', walletId }],
    ['codes', { kind: 'descriptors', walletId, code: 'ur', density: 500, from: 0, count: 20 }],
    ['codes', { kind: 'descriptors', walletId, code: 'bbqr', density: 500, from: 0, count: 20 }],
  ]),
  ...(['psbt', 'transaction', 'json'] as const).map((kind) => ['exported', { kind }] as const),
  ['wipe'],
  ['wallets'],
];

describe('a session does not show', () => {
  test('a key in what it registers', () => {
    const session = createPageSession({ network });
    const shown = answersOf(session, [
      ['addKeys', { text: seedWords, network, purpose: 48 }],
      ['open', { content: multisigWith(seedWords) }],
      ...SHOWING.slice(0, -2),
    ]);
    expect(shown).toMatch(/\\"registrations\\"/);
    const master = masterKey(seedOfWords(seedWords));
    const account = derivePath(master, parsePath('m/48h/1h/0h/2h'));
    for (const secret of [master.secretKey, master.chainCode, account.secretKey]) {
      expect(shown).not.toContain(Buffer.from(secret ?? []).toString('hex') || 'no secret');
    }
  });

  test('what may be a secret, wherever it is pasted', () => {
    fc.assert(
      fc.property(pasted, (secret) => {
        const session = createPageSession({ network });
        expectHidden(answersOf(session, callsWith(secret.text)), secret, 'session');
      }),
      campaign(40),
    );
  });

  test.each(['words', 'extended-key', 'wif', 'descriptors'] as const)('%s that it uses', (kind) => {
    fc.assert(
      fc.property(secretBytes, fc.constantFrom(44, 48, 49, 84, 86), (bytes, purpose) => {
        const words = WORDS[(bytes[0] ?? 0) % WORDS.length] ?? '';
        const master = masterKey(bytes);
        const account = derivePath(master, parsePath('m/84h/1h/0h'));
        const { text, parts } = {
          words: { text: words, parts: [words, words.split(' ').slice(0, 3).join(' ')] },
          'extended-key': formsOf(formatXprv(master, networks.regtest), master.secretKey),
          wif: formsOf(formatWif({ secretKey: bytes, isCompressed: true }, networks.regtest), bytes),
          descriptors: wrapped(formsOf(formatXprv(account, networks.regtest), account.secretKey)),
        }[kind];
        const session = createPageSession({ network });
        const picture = pictureOf(encodeCode(text));
        const shown = answersOf(session, [
          ['open', { content: PSBT }],
          ['scan', picture],
          ['resetScan'],
          ['open', { content: text }],
          [
            'addKeys',
            {
              network,
              ...(kind === 'descriptors' ? {} : { purpose }),
              ...(kind === 'extended-key' && { at: 'account' }),
            },
          ],
          ['addKeys', { text, network }],
          ...SHOWING,
        ]);
        expect(shown).toContain(`"kind":"secret","secret":"${kind}"`);
        expect(shown).toContain('"hasPrivateKeys":true');
        for (const part of parts) expect(shown.includes(part), `${kind} is shown`).toBe(false);
      }),
      { numRuns: 8 },
    );
  });
});

/** A multisig of seed words and of a cosigner, with public keys. */
function multisigWith(words: string): string {
  const master = masterKey(seedOfWords(words));
  const xpub = formatXpub(neuter(derivePath(master, parsePath('m/48h/1h/0h/2h'))), networks.regtest);
  const origin = `${Buffer.from(keyFingerprint(master)).toString('hex')}/48h/1h/0h/2h`;
  return `wsh(sortedmulti(2,[${origin}]${xpub}/<0;1>/*,${cosigners[1].xpub}))`;
}

const WORDS = [
  seedWords,
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
];

interface Forms {
  readonly text: string;
  /** Texts that must not appear. */
  readonly parts: readonly string[];
}

/** Lists the forms in which a key could appear. */
function formsOf(text: string, secretKey: Uint8Array = new Uint8Array(32)): Forms {
  const hex = Buffer.from(secretKey).toString('hex');
  const pieces = Array.from({ length: text.length - 40 }, (_, i) => text.slice(i + 20, i + 40));
  return { text, parts: [hex, hex.toUpperCase(), Buffer.from(secretKey).toString('base64'), ...pieces.slice(20)] };
}

const wrapped = ({ text, parts }: Forms): Forms => ({ text: `wpkh(${text}/<0;1>/*)`, parts });
