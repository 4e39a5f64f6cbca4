import { expect, test } from 'vitest';
import { seedOfWords } from '../../../../src/core/keys/seedWords.ts';
import { accountFromWalletFile } from '../../../../src/kit/account/index.ts';
import { derivePath, formatXpub, masterKey, networks, neuter, parsePath } from '../../../support/library.ts';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const ANSWER = JSON.parse(walletFile('core-listdescriptors.json'));
const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const FORMAT = 'descriptor list of Bitcoin Core';
const reason = (value: unknown): string => reasonOf(JSON.stringify(value)).replace(`${FORMAT}: `, '');

test('takes the active descriptors, or all if none is active, and the list alone', () => {
  const kinds = ['wpkh(', 'tr([', 'sh(wpkh(', 'pkh('];
  const active = descriptorsOf(JSON.stringify(ANSWER));
  expect(active.map((text, i) => text.startsWith(kinds[i] ?? 'none'))).toEqual([true, true, true, true]);
  expect(descriptorsOf(JSON.stringify(ANSWER.descriptors))).toEqual(active);
  const imported = ANSWER.descriptors.map(({ desc, timestamp }: { desc: string; timestamp: number }) => ({
    desc,
    timestamp,
  }));
  expect(descriptorsOf(JSON.stringify(imported))).toHaveLength(5);
});

/** Describes a key of the BIP39 test words as Core does. */
const describing = (path: string, steps: string, origin = path): string => {
  const xpub = formatXpub(neuter(derivePath(masterKey(seedOfWords(WORDS)), parsePath(`m/${path}`))), networks.main);
  return `wpkh([73c5da0a/${origin}]${xpub}/${steps})`;
};
const RECEIVE = { desc: describing('84h/0h/0h', '0/*'), active: true, internal: false };

test('gives the change addresses of a wallet', () => {
  const change = { desc: describing('84h/0h/0h', '1/*'), active: true, internal: true };
  const account = accountFromWalletFile(JSON.stringify([change, RECEIVE]));
  expect(account.change(0).address).toBe('bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el');
});

test.each([
  ['another account', describing('84h/0h/1h', '1/*')],
  ['a key that may be anyone’s', describing('84h/0h/0h/1', '*')],
  ['another kind', describing('84h/0h/0h', '1/*').replace('wpkh', 'tr')],
])('refuses a change descriptor of %s', (_, desc) => {
  for (const active of [true, false]) {
    const entries = [
      { ...RECEIVE, active },
      { desc, active, internal: true },
    ];
    expect(reason(entries)).toBe(
      'descriptor 2 is for change, but no receive descriptor has the same form and keys: export the wallet again',
    );
  }
});

test('refuses another key with the origin of a receive descriptor', () => {
  const forged = { desc: describing('84h/0h/1h', '0/*', '84h/0h/0h').replace('wpkh', 'tr'), active: true };
  expect(reason([RECEIVE, forged])).toBe(
    'descriptor 2: two keys claim the same path below the master key 73c5da0a; export the wallet again',
  );
});

test.each([
  [{ descriptors: [{ active: true, desc: 5 }] }, 'descriptor 1 has no "desc"'],
  [{ descriptors: [{ desc: 'wpkh(' }] }, /^descriptor 1: /],
  [
    { descriptors: [...ANSWER.descriptors, ANSWER.descriptors[0]] },
    /^descriptor \d and descriptor \d+ are both active for the same addresses$/,
  ],
])('is refused: %#', (value, expected) => {
  expect(reason(value)).toMatch(expected);
});

/** Quotes a text as an argument for a shell, in single quotes. */
const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

test('takes pieces of an answer, as people copy them', () => {
  const [receive, change] = ['0/*', '1/*'].map((steps, i) => ({
    desc: describing('84h/0h/0h', steps),
    active: true,
    internal: i > 0,
  }));
  const both = descriptorsOf(JSON.stringify([receive, change]));
  const one = descriptorsOf(JSON.stringify([receive]));
  const [first, second] = [receive, change].map((entry) => JSON.stringify(entry, undefined, 2));
  for (const text of [
    `${first},\n${second},\n`,
    `${first}\n${second}`,
    JSON.stringify({ result: { descriptors: [receive, change] }, error: null }),
  ]) {
    expect(descriptorsOf(text)).toEqual(both);
  }
  const members = first?.slice(1, -1) ?? '';
  for (const text of [
    first ?? '',
    `${first},`,
    members,
    `${members},`,
    `"desc": "${receive?.desc}",`,
    `"${receive?.desc}"`,
  ]) {
    expect(descriptorsOf(text)).toEqual(one);
  }
  expect(descriptorsOf(`"${receive?.desc}"\n"${change?.desc}"\n`)).toEqual(both);
});

test('takes the descriptors of import commands, however they are quoted', () => {
  const entries = ['0/*', '1/*'].map((steps) => ({
    desc: describing('84h/0h/0h', steps).replaceAll(/(\d)h/g, "$1'"),
    timestamp: 0,
  }));
  const both = descriptorsOf(JSON.stringify(entries));
  const json = JSON.stringify(entries, undefined, 1);
  for (const text of [
    `importdescriptors ${inShell(json)}`,
    `$ bitcoin-cli -named importdescriptors requests=${inShell(json).replaceAll("'\\''", `'"'"'`)}`,
    `bitcoin-cli importdescriptors "${json.replaceAll('"', '\\"')}"`,
    entries.map((entry) => `importdescriptors ${inShell(JSON.stringify([entry]))}`).join('\n'),
    `importmulti ${inShell(json)}`,
  ]) {
    expect(descriptorsOf(text)).toEqual(both);
  }
  expect(reasonOf(`importdescriptors '${JSON.stringify(entries).slice(0, -9)}`)).toBe(
    `${FORMAT}: its command has no JSON array in quotes: copy the command again, whole`,
  );
});

test('a long text of broken commands is refused at once', () => {
  const start = performance.now();
  for (const part of [
    "importdescriptors '[",
    "importdescriptors '['\\''",
    'importdescriptors "[\\',
    '"desc" ',
    '} \n',
  ]) {
    expect(reasonOf(part.repeat(200_000 / part.length))).toMatch(/./);
  }
  expect(performance.now() - start).toBeLessThan(5000);
});
