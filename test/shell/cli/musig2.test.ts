import {
  cpSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accountFromDescriptors, buildPsbt, combinePsbts, formatPsbt, parsePsbt } from '../../../src/index.ts';
import { placeIn } from '../../../src/shell/store/nonceDirectory.ts';
import { run } from '../../support/io.ts';
import { NONCE_ROOT, nonceTitle } from '../../support/nonceRoot.ts';
import { ALICE, BOB } from '../../support/psbts.ts';
import { refusalOf } from '../../support/refusal.ts';
import { temporaryDirectory as temporary } from '../../support/temporary.ts';

const temporaryDirectory = (): string => temporary(NONCE_ROOT);

const PATH = 'm/86h/1h/7h';
const keyed = (alice: string, bob: string): string => `tr(musig(${alice},${bob})/<0;1>/*)`;
const WALLETS = {
  alice: keyed(ALICE.xprv(PATH), BOB.xpub(PATH)),
  bob: keyed(ALICE.xpub(PATH), BOB.xprv(PATH)),
};
const account = accountFromDescriptors(keyed(ALICE.xpub(PATH), BOB.xpub(PATH)), { network: 'regtest' });

const unsigned = (value = 60_000n): string =>
  formatPsbt(
    buildPsbt({
      inputs: [0, 1].map((vout) => ({ txid: '11'.repeat(32), vout, value: 100_000n, from: account.receive(vout) })),
      outputs: { bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080: value },
      change: account.change(0),
      feeRate: 2,
    }),
  );

/** Signs as one of the two, in a process of its own as far as nonces go: nothing but the directory is kept. */
async function sign(who: keyof typeof WALLETS, psbt: string, directory: string) {
  const files = { 'spend.psbt': psbt, 'wallet.txt': WALLETS[who] };
  const args = ['sign', 'spend.psbt', '--network', 'regtest', '--descriptors-file', 'wallet.txt', '--yes'];
  const { code, out, error } = await run([...args, '--nonce-dir', directory], { files });
  return { code, out: out.trim(), error: error.split('\n').at(-2) ?? '' };
}

const combine = (...psbts: readonly string[]): string =>
  formatPsbt(combinePsbts(psbts.map((psbt) => parsePsbt(psbt))).psbt);

async function nonces(psbt = unsigned()) {
  const directories = { alice: temporaryDirectory(), bob: temporaryDirectory() };
  const [alice, bob] = await Promise.all([sign('alice', psbt, directories.alice), sign('bob', psbt, directories.bob)]);
  return { directories, alice, bob, both: combine(alice.out, bob.out) };
}

const USED = /^error: The kept secret nonce was used before.*start a new session with new nonces$/;
const FOREIGN = /^error: The kept secret nonce was copied or changed.*start a new session with new nonces$/;

describe.skipIf(NONCE_ROOT === undefined)(`MuSig2 of two commands${nonceTitle}`, () => {
  test('signs in two rounds, and the second participant completes the transaction', async () => {
    const { directories, alice, both } = await nonces();
    expect(alice).toMatchObject({ code: 0, error: expect.stringMatching(/^2 MuSig2 nonces added\. Next: combine/) });
    expect(readdirSync(directories.alice).filter((name) => name.endsWith('.nonce'))).toHaveLength(2);
    const first = await sign('alice', both, directories.alice);
    expect(first).toMatchObject({
      code: 0,
      error: expect.stringMatching(/^2 MuSig2 partial signatures added\. Next: pass/),
    });
    expect(readdirSync(directories.alice).every((name) => name.endsWith('.used'))).toBe(true);
    const second = await sign('bob', combine(both, first.out), directories.bob);
    expect(second.code).toBe(0);
    expect(second.error).toMatch(/^complete: transaction [0-9a-f]{64}/);
    expect(second.out).toMatch(/^02000000/);
  });

  test('waits for the nonces of others, and adds none twice', async () => {
    const { directories, alice } = await nonces();
    const again = await sign('alice', alice.out, directories.alice);
    expect(again).toMatchObject({
      code: 2,
      out: '',
      error: expect.stringMatching(/^nothing was signed: 2 MuSig2 keys still wait/),
    });
    expect(readdirSync(directories.alice).every((name) => name.endsWith('.nonce'))).toBe(true);
  });

  test('refuses a second signature with a nonce, also beside other nonces and after a crash', async () => {
    const { directories, alice, both } = await nonces();
    await sign('alice', both, directories.alice);
    expect((await sign('alice', both, directories.alice)).error).toMatch(USED);
    // Bob starts anew, which changes the challenge: three such signatures would reveal Alice's key.
    const other = await sign('bob', unsigned(), temporaryDirectory());
    const mixed = combine(alice.out, other.out);
    expect(await sign('alice', mixed, directories.alice)).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringMatching(USED),
    });
  });

  test('refuses a copy of the file, of the directory, and a backup that was put back', async () => {
    const { directories, both } = await nonces();
    const copy = temporaryDirectory();
    cpSync(directories.alice, copy, { recursive: true, preserveTimestamps: true });
    const backup = readdirSync(directories.alice).map(
      (name) => [name, readFileSync(join(directories.alice, name))] as const,
    );
    expect(await sign('alice', both, copy)).toMatchObject({ code: 1, out: '', error: expect.stringMatching(FOREIGN) });
    expect((await sign('alice', both, directories.alice)).code).toBe(0);
    // The marks of use stay, whatever is put back; without them, the files are others.
    for (const [name, bytes] of backup) writeFileSync(join(directories.alice, name), bytes);
    expect((await sign('alice', both, directories.alice)).error).toMatch(USED);
    for (const name of readdirSync(directories.alice)) rmSync(join(directories.alice, name));
    for (const [name, bytes] of backup) writeFileSync(join(directories.alice, name), bytes);
    expect((await sign('alice', both, directories.alice)).error).toMatch(FOREIGN);
    rmSync(directories.alice, { recursive: true });
    cpSync(copy, directories.alice, { recursive: true });
    expect(await sign('alice', both, directories.alice)).toMatchObject({ code: 1, out: '' });
  });

  test('refuses a second name of a file, and a link in its place', async () => {
    const { directories, both } = await nonces();
    const names = readdirSync(directories.alice);
    const other = temporaryDirectory();
    for (const name of names) linkSync(join(directories.alice, name), join(other, name));
    for (const directory of [directories.alice, other]) {
      const { code, out, error } = await sign('alice', both, directory);
      expect([code, out]).toEqual([1, '']);
      expect(error).toMatch(/a nonce in it has a second name/);
    }
    const third = await nonces();
    const moved = temporaryDirectory();
    for (const name of readdirSync(third.directories.alice)) {
      renameSync(join(third.directories.alice, name), join(moved, name));
      symlinkSync(join(moved, name), join(third.directories.alice, name));
    }
    expect((await sign('alice', third.both, third.directories.alice)).code).toBe(1);
    expect(readFileSync(join(moved, readdirSync(moved)[0] ?? '')).length).toBeGreaterThan(0);
  });

  test('refuses a file system that does not record when a file was made', () => {
    const made = { ino: 7n, birthtimeNs: 1n, nlink: 1n };
    const folder = temporaryDirectory();
    expect(placeIn(made, folder).length).toBeGreaterThan(0);
    expect(placeIn(made, folder)).not.toEqual(placeIn({ ...made, birthtimeNs: 2n }, folder));
    expect(placeIn(made, folder)).not.toEqual(placeIn(made, temporaryDirectory()));
    const reason = refusalOf(() => placeIn({ ...made, birthtimeNs: 0n }, folder)).message;
    expect(reason).toMatch(/does not record when a file was made/);
  });

  test('makes no directory before there is a nonce, and names the one that lacks it', async () => {
    const { both } = await nonces();
    const missing = join(temporaryDirectory(), 'mistyped');
    const { error } = await sign('alice', both, missing);
    expect(error).toMatch(/^error: no secret nonce for this PSBT is in .*mistyped: pass the --nonce-dir/);
    expect(existsSync(missing)).toBe(false);
    expect((await sign('alice', both, '')).error).toBe('error: --nonce-dir needs a directory, not ""');
  });

  test('gives a nonce to one of two processes at once', async () => {
    const { directories, both } = await nonces();
    const runs = await Promise.all([0, 1].map(() => sign('alice', both, directories.alice)));
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
  });

  test('keeps no key in clear, and refuses a damaged state and another transaction', async () => {
    const { directories, both, alice } = await nonces();
    const [name = ''] = readdirSync(directories.alice);
    const path = join(directories.alice, name);
    const bytes = readFileSync(path);
    expect(bytes).toHaveLength(24 + 64 + 33 + 66 + 16);
    writeFileSync(
      path,
      bytes.map((byte, i) => (i === 40 ? byte ^ 1 : byte)),
    );
    expect((await sign('alice', both, directories.alice)).error).toMatch(FOREIGN);
    // Nonces for one transaction do not serve another.
    const other = await nonces(unsigned(50_000n));
    const moved = parsePsbt(other.both);
    const from = parsePsbt(alice.out);
    const swapped = {
      ...moved,
      inputs: moved.inputs.map((input, i) => ({ ...input, musig2PubNonces: from.inputs[i]?.musig2PubNonces ?? [] })),
    };
    expect((await sign('alice', formatPsbt(swapped), directories.alice)).code).toBe(2);
    const missing = await sign('alice', both, temporaryDirectory());
    expect(missing.error).toMatch(/^error: no secret nonce for this PSBT is in /);
  });

  test('destroys no nonce if another of the PSBT is not its own', async () => {
    const { directories, both } = await nonces();
    const other = await nonces(unsigned(50_000n));
    const foreign = parsePsbt(other.both).inputs[1]?.musig2PubNonces ?? [];
    const psbt = parsePsbt(both);
    const inputs = psbt.inputs.map((input, i) => (i === 1 ? { ...input, musig2PubNonces: foreign } : input));
    const { code, error } = await sign('alice', formatPsbt({ ...psbt, inputs }), directories.alice);
    expect([code, error]).toEqual([1, expect.stringMatching(/Input 1 holds a nonce of yours that is not kept here/)]);
    expect((await sign('alice', both, directories.alice)).code).toBe(0);
  });

  test('says how to sign where no directory is named', async () => {
    const files = { 'spend.psbt': unsigned(), 'wallet.txt': WALLETS.alice };
    const { code, error } = await run(
      ['sign', 'spend.psbt', '--network', 'regtest', '--descriptors-file', 'wallet.txt', '--yes'],
      { files },
    );
    expect([code, error]).toEqual([
      2,
      expect.stringContaining('note: keys of yours are part of MuSig2 keys: pass --nonce-dir DIR'),
    ]);
  });
});
