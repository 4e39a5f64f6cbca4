import { describe, expect, test } from 'vitest';
import { holderOf, keyAt, quorumOf, STRANGER, spend, WORDS } from '../../../support/holderPsbts.ts';
import { type RunInput, run, runForFiles } from '../../../support/io.ts';
import { encodeBbqr, encodePsbt } from '../../../support/library.ts';

const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const FIRST = 'bc1q';
const FILES = { 'wallet.txt': FAMILY, alice: WORDS.alice, bob: WORDS.bob, mallory: WORDS.mallory };
const P48 = 'm/48h/0h/0h/2h';
const vault = (lock: string, by: 'alice' | 'mallory' = 'alice'): string =>
  `wsh(or_d(pk(${keyAt(by, P48)}/<0;1>/*),and_v(v:pkh(${keyAt(by === 'alice' ? 'mallory' : 'alice', P48)}/<0;1>/*),older(${lock}))))`;

const register = (args: readonly string[], { files, ...world }: RunInput = {}) =>
  runForFiles(['register', ...args], { files: { ...FILES, ...files }, isTerminal: true, ...world });
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const flat = (shown: string): string => shown.replace(/\s+/g, ' ');

/** Registers the wallet of a file as a person does. */
async function registered(
  name: string,
  by = 'alice',
  files: RunInput['files'] = {},
  typed: readonly string[] = [name],
) {
  const result = await register(['wallet.txt', '--seed-file', by, '--force'], { files, typed });
  expect([result.code, result.error]).toEqual([0, expect.stringContaining(`registered "${name}" `)]);
  return text(Object.values(result.files)[0]);
}

const firstAddress = async (wallet = FAMILY): Promise<string> =>
  (await run(['addresses', wallet, '--count', '1'])).out.trim().split(/\s+/)[1] ?? '';

describe('countersign register', () => {
  test('shows what others can do first, each key and the first addresses, and takes the name that is typed', async () => {
    const { code, out, error, files } = await register(['wallet.txt', '--seed-file', 'alice'], { typed: ['Family'] });
    expect([code, out]).toEqual([0, '']);
    const lines = error.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'master key: fingerprint 73c5da0a',
      'Others   can spend its coins without you: at once',
      'You      can spend them alone: never',
    ]);
    expect(flat(error)).toContain(`Key 1 key proven: ${keyAt('alice', P48).slice(0, 22)}`);
    expect(error.match(/key proven:/g)).toHaveLength(1);
    expect(error.match(/named by the file:/g)).toHaveLength(2);
    expect(error.replace(/\s+/g, '')).toContain(`receive0:${await firstAddress()}`);
    for (const line of lines.filter((one) => !one.startsWith('registered')))
      expect(line.length).toBeLessThanOrEqual(80);
    expect(JSON.parse(text(files['Family.wallet.json']))).toMatchObject({
      name: 'Family',
      network: 'main',
      registrations: [{ fingerprint: '73c5da0a', version: 1 }],
    });
    expect(error).not.toContain('abandon');
  });

  test.each([
    ['52560', 'alice', 'after about 52560 blocks (1 year), counted from each payment', 'at once'],
    ['52560', 'mallory', 'at once', 'after about 52560 blocks (1 year), counted from each payment'],
  ] as const)('says when others can spend: older(%s), of %s', async (lock, owner, others, alone) => {
    const files = { 'wallet.txt': vault(lock, owner) };
    const { error } = await register(['wallet.txt', '--seed-file', 'alice'], { files, typed: [''] });
    expect(flat(error)).toContain(`Others can spend its coins without you: ${others}`);
    expect(flat(error)).toContain(`You can spend them alone: ${alone}`);
  });

  test('suggests no name: nothing typed registers nothing', async () => {
    const file = await registered('Family');
    const { code, error, files } = await register(['wallet.txt', '--seed-file', 'bob'], {
      files: { 'wallet.txt': file },
      typed: [''],
    });
    expect([code, files]).toEqual([1, {}]);
    expect(error).toContain('The file calls it "Family"; whoever made the file chose that.\n');
    expect(error).toMatch(/\nnot registered\n$/);
  });

  test('adds the registration of another signer to the same file, which both then read', async () => {
    const both = await registered('Family', 'bob', { 'wallet.txt': await registered('Family') });
    expect(JSON.parse(both).registrations.map((one: { fingerprint: string }) => one.fingerprint)).toEqual([
      '73c5da0a',
      'b8688df1',
    ]);
    const other = await registered('Household', 'bob', { 'wallet.txt': await registered('Family') });
    expect(JSON.parse(other).registrations).toHaveLength(1);
  });

  test('without a terminal, takes a name only with the first address, which must be that of the wallet', async () => {
    const args = ['wallet.txt', '--seed-file', 'alice', '--name', 'Family', '--first-address'];
    const good = await register([...args, await firstAddress()], { isTerminal: false });
    expect([good.code, JSON.parse(good.out).name]).toEqual([0, 'Family']);
    const other = await firstAddress(quorumOf(2, ['alice', 'bob']));
    const bad = await register([...args, other], { isTerminal: false });
    expect([bad.code, bad.out]).toEqual([1, '']);
    expect(bad.error).toMatch(/error: the first receive address is not that of --first-address/);
    for (const rest of [[], ['--name', 'Family'], ['--first-address', other]]) {
      const { code, out, error } = await register(['wallet.txt', '--seed-file', 'alice', ...rest], {
        isTerminal: false,
      });
      expect([code, out]).toEqual([1, '']);
      expect(error).toMatch(/no terminal to compare and type the name on|--name needs --first-address/);
    }
    expect((await register([...args, FIRST, '--yes'])).error).toBe('error: --yes does not apply to register\n');
  });

  test('shows what differs from a registered wallet, and retires it by the word "replace"', async () => {
    const family = await registered('Family');
    const stranger = `[b4e3f5ed/48h/0h/0h/2h]${keyAt('bob', 'm/48h/0h/1h/2h').split(']')[1]}`;
    const changed = `wsh(sortedmulti(2,${keyAt('alice', P48)}/<0;1>/*,${keyAt('bob', P48)}/<0;1>/*,${stranger}/<0;1>/*))`;
    const files = { 'new.txt': changed, 'Family.wallet.json': family };
    const args = ['new.txt', '--seed-file', 'alice', '--descriptors-file', 'Family.wallet.json', '--out', 'new.json'];
    const { code, error, files: written } = await register(args, { files, typed: ['replace', 'Family 2'] });
    expect(code).toBe(0);
    expect(flat(error)).toMatch(/Differs from "Family" [0-9a-f]{8}, which you have registered: without \[3f635a63/);
    expect(flat(error)).toContain('with [b4e3f5ed/48');
    const { retires } = JSON.parse(text(written['new.json']));
    expect(retires).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const kept = await register(args, { files, typed: ['', 'Family 2'] });
    expect(JSON.parse(text(kept.files['new.json'])).retires).toEqual([]);
    const given = await register(args, { files, typed: ['yes', 'Family 2'] });
    expect([given.code, given.files]).toEqual([1, {}]);
    const namesake = await register(args, { files, typed: ['', 'Family'] });
    expect(namesake.error).toMatch(/"Family" [0-9a-f]{8} has this name: choose another, or replace that wallet/);
    const blind = ['--name', 'Family 2', '--first-address', await firstAddress(changed)];
    expect((await register([...args, ...blind], { files })).error).toMatch(/register this wallet on a terminal/);
  });

  test('makes change to the wallet clean, and refuses it on main without a registration', async () => {
    const psbt = encodePsbt(
      spend({
        coins: [{ of: FAMILY }],
        outputs: [
          { of: FAMILY, chain: 1, value: 600_000n },
          { script: STRANGER, value: 390_000n },
        ],
      }),
    );
    const files = { ...FILES, 'spend.psbt': psbt, 'Family.wallet.json': await registered('Family') };
    const sign = (...args: readonly string[]) =>
      run(['sign', 'spend.psbt', '--seed-file', 'alice', '--yes', ...args], { files });
    const clean = await sign('--descriptors-file', 'Family.wallet.json');
    expect([clean.code, clean.error]).toEqual([0, expect.stringContaining('\nNothing suspicious was found.\n')]);
    expect(clean.error).toMatch(/change, verified \("Family" [0-9a-f]{8}, change 0\)/);
    const bare = await sign('--descriptors-file', 'wallet.txt');
    expect([bare.code, bare.out]).toEqual([1, '']);
    expect(bare.error).toMatch(/REFUSED: [\s\S]*\[wallet-unregistered\]/);
    expect(bare.error).toMatch(
      /\nnot signed\. Register the wallet once, and use the file that this writes \(countersign register\)\./,
    );
    const watched = await run(['sign', 'spend.psbt', '--seed-file', 'alice', '--descriptors-file', 'wallet.txt'], {
      files,
      typed: ['yes'],
    });
    expect([watched.code, watched.error]).toEqual([
      0,
      expect.stringMatching(/Warning: [\s\S]*\[wallet-unregistered\]/),
    ]);
    const strict = await run(
      ['review', 'spend.psbt', '--seed-file', 'alice', '--descriptors-file', 'wallet.txt', '--require-registered'],
      { files },
    );
    expect([strict.code, strict.out]).toEqual([1, expect.stringMatching(/REFUSED: [\s\S]*\[wallet-unregistered\]/)]);
    const blind = await run(['review', 'spend.psbt', '--descriptors-file', 'wallet.txt', '--require-registered'], {
      files,
    });
    expect([blind.code, blind.error]).toEqual([1, expect.stringMatching(/--require-registered needs the key that/)]);
  });

  test('names what a wallet lacks that cannot be registered', async () => {
    for (const [wallet, reason] of [
      [quorumOf(1, ['bob', 'mallory']), /none of its keys is yours/],
      [
        FAMILY.replace(
          keyAt('alice', P48),
          keyAt('bob', 'm/48h/0h/9h/2h').replace(/^\[.*?\]/, '[73c5da0a/48h/0h/0h/2h]'),
        ),
        /none of its keys is yours/,
      ],
      [WORDS.bob, /is seed words; commands that sign take them with --seed-file/],
    ] as const) {
      const { code, error, files } = await register(['wallet.txt', '--seed-file', 'alice'], {
        files: { 'wallet.txt': wallet },
        typed: ['Family'],
      });
      expect([code, files]).toEqual([1, {}]);
      expect(error).toMatch(reason);
    }
  });

  test('replaces no file without --force, and refuses a name that is none before it writes', async () => {
    const taken = await register(['wallet.txt', '--seed-file', 'alice'], {
      files: { 'Family.wallet.json': '' },
      typed: ['Family'],
    });
    expect([taken.code, taken.error]).toEqual([1, expect.stringMatching(/Family\.wallet\.json exists: pass --force/)]);
    const odd = await register(['wallet.txt', '--seed-file', 'alice'], { typed: ['../Fam/ily'] });
    expect(Object.keys(odd.files)).toEqual(['Fam-ily.wallet.json']);
    const dots = await register(['wallet.txt', '--seed-file', 'alice'], { typed: ['...'] });
    expect(Object.keys(dots.files)).toEqual(['wallet.wallet.json']);
    const bad = await register(['wallet.txt', '--seed-file', 'alice'], { typed: ['Famille é'] });
    expect([bad.code, bad.files]).toEqual([1, {}]);
  });

  test('hides a secret that stands as the name in a file', async () => {
    const WIF = 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ';
    const file = (await registered('Family', 'bob')).replace('"Family"', `"${WIF}"`);
    const { code, error } = await register(['wallet.txt', '--seed-file', 'alice'], {
      files: { 'wallet.txt': file },
      typed: ['Family'],
    });
    expect([code, error.includes('L1aW4'), flat(error).includes('1 registration under other keys')]).toEqual([
      0,
      false,
      true,
    ]);
  });

  test('refuses codes and a file on one output before it asks anything', async () => {
    const { code, out, error } = await register(['wallet.txt', '--seed-file', 'alice', '--qr', 'ur', '--out', '-']);
    expect([code, out, error]).toEqual([
      1,
      '',
      'error: --qr shows codes on standard output: pass a file name to --out\n',
    ]);
  });

  test('shows the registered wallet as QR codes, which are read again', async () => {
    const { out, files } = await register(['wallet.txt', '--seed-file', 'alice', '--qr', 'ur'], { typed: ['Family'] });
    expect(Object.keys(files)).toEqual(['Family.wallet.json']);
    expect(out).toContain('█');
    const frames = encodeBbqr(files['Family.wallet.json'] ?? new Uint8Array(0), { type: 'json' });
    const world = { files: { ...FILES, codes: frames.join('\n') } };
    const read = await run(['addresses', 'codes', '--count', '1'], world);
    expect(read.out).toContain(await firstAddress());
  });
});

test('a holder of the library reads what the command writes', async () => {
  const file = await registered('Family');
  const { parseWalletFile } = await import('../../../../src/kit/account/index.ts');
  const { descriptors, registered: carried } = parseWalletFile(file);
  const [descriptor] = descriptors;
  if (!descriptor || !carried) throw new Error('no registration');
  const holder = holderOf(['alice'], [{ descriptor, registered: carried }]);
  expect(holder.wallets.map(({ root, name }) => [root, name])).toEqual([['registered', 'Family']]);
});
