import { describe, expect, test } from 'vitest';
import { keyAt, quorumOf, STRANGER, single, spend, WORDS } from '../../support/holderPsbts.ts';
import { run, runForFiles } from '../../support/io.ts';
import { encodePsbt, type Psbt, parsePsbt } from '../../support/library.ts';

const P48 = 'm/48h/0h/0h/2h';
const key = (name: 'alice' | 'bob', path = P48): string => `${keyAt(name, path)}/<0;1>/*`;
/** Alice spends at once, Bob after a year. */
const VAULT = `wsh(or_d(pk(${key('alice')}),and_v(v:pkh(${key('bob')}),older(52560))))`;
const TAPROOT = `tr(${key('alice')},and_v(v:pk(${key('bob')}),older(52560)))`;
const HEIGHT = `wsh(or_d(pk(${key('alice')}),and_v(v:pkh(${key('bob')}),after(900000))))`;
const FILES = { alice: WORDS.alice, bob: WORDS.bob };

const psbtOf = (descriptor: string, sequence?: number, more: readonly string[] = []): Psbt =>
  spend({
    coins: [{ of: descriptor, ...(sequence !== undefined && { sequence }) }, ...more.map((of) => ({ of }))],
    outputs: [{ script: STRANGER, value: 990_000n * BigInt(1 + more.length) }],
  });

const sign = (psbt: Psbt, by: 'alice' | 'bob', wallet: string) =>
  runForFiles(['sign', 'spend.psbt', '--seed-file', by, '--yes', '--descriptors-file', 'wallet'], {
    files: { ...FILES, 'spend.psbt': encodePsbt(psbt), wallet },
    isTerminal: true,
  });

describe('a key that may sign only later', () => {
  test.each([
    ['of a vault', VAULT, 'after 52560 blocks (about 1 year)', 'whose inputs have the sequence 52560'],
    ['of a leaf', TAPROOT, 'after 52560 blocks (about 1 year)', 'whose inputs have the sequence 52560'],
    ['of a height', HEIGHT, 'after block 900000', 'with the lock time 900000'],
  ])('%s exits with 2, writes nothing, and says what would help', async (_, wallet, when, remedy) => {
    const { code, error, files } = await sign(psbtOf(wallet), 'bob', wallet);
    expect([code, files]).toEqual([2, {}]);
    expect(error).toContain(
      `\nnothing was written: your signatures count only ${when}, and this transaction does not wait for that. Next: create a PSBT ${remedy}, or sign with the keys that it needs now\n`,
    );
  });

  test('signs once the transaction waits, as the other key does at once', async () => {
    const later = await sign(psbtOf(VAULT, 52560), 'bob', VAULT);
    expect([later.code, Object.keys(later.files)]).toEqual([0, ['spend-final.txn']]);
    const owner = await sign(psbtOf(VAULT), 'alice', VAULT);
    expect([owner.code, Object.keys(owner.files)]).toEqual([0, ['spend-final.txn']]);
  });

  test('keeps what it adds to other inputs', async () => {
    const own = single('bob');
    const { code, error, files } = await sign(psbtOf(VAULT, undefined, [own]), 'bob', VAULT);
    expect(code).toBe(0);
    expect(error).toMatch(/\ninput 1: (?:complete|signed)/);
    expect(parsePsbt(files['spend-signed.psbt'] ?? '').inputs).toHaveLength(2);
  });

  test('of a quorum whose other signers have not signed is passed on', async () => {
    const { code, error } = await sign(psbtOf(quorumOf(2, ['alice', 'bob'])), 'bob', quorumOf(2, ['alice', 'bob']));
    expect([code, error]).toEqual([0, expect.stringMatching(/Next: pass spend-signed\.psbt on/)]);
  });
});

test('a migration names both wallets, each with its file', async () => {
  const [old, next] = [quorumOf(2, ['alice', 'bob']), quorumOf(2, ['alice', 'bob', 'mallory'])];
  const registered = async (wallet: string, name: string): Promise<string> => {
    const { files } = await runForFiles(['register', 'wallet', '--seed-file', 'alice'], {
      files: { ...FILES, wallet },
      isTerminal: true,
      typed: [name],
    });
    return new TextDecoder().decode(Object.values(files)[0]);
  };
  const files = {
    ...FILES,
    'spend.psbt': encodePsbt(spend({ coins: [{ of: old }], outputs: [{ of: next }] })),
    'old.json': await registered(old, 'Old'),
    'new.json': await registered(next, 'New'),
    'plain.txt': next,
  };
  const line = (...wallets: readonly string[]) => wallets.flatMap((file) => ['--descriptors-file', file]);
  const signs = (...args: readonly string[]) =>
    run(['sign', 'spend.psbt', '--seed-file', 'alice', '--yes', ...args], { files });
  const unnamed = await signs(...line('old.json', 'new.json'));
  expect([unnamed.code, unnamed.error]).toEqual([0, expect.stringMatching(/\[wallet-other\]/)]);
  const named = await signs(...line('old.json', 'new.json'), '--pays', 'wallet:New');
  expect([named.code, named.error]).toEqual([
    0,
    expect.stringMatching(/\noutput 0 pays the wallet "New": 0\.00995 BTC\nNothing susp/),
  ]);
  const unproven = await run(['review', 'spend.psbt', '--pays', 'wallet:New', ...line('old.json', 'new.json')], {
    files,
  });
  expect([unproven.code, unproven.out]).toEqual([0, expect.stringMatching(/not proven: no key at hand/)]);
  expect(unproven.error).toMatch(/^output 0 pays the wallet "New": 0\.00995 BTC, not proven: no key at hand$/m);
  const missing = await signs(...line('old.json'), '--pays', 'wallet:New');
  expect([missing.code, missing.error]).toEqual([
    1,
    expect.stringMatching(/--pays: no output pays the wallet "New": pass its file/),
  ]);
  const foreign = await signs(...line('old.json', 'plain.txt'));
  expect([foreign.code, foreign.error]).toEqual([
    1,
    expect.stringMatching(
      /\[wallet-foreign\][\s\S]*\nnot signed\. If you made this wallet yourself, compare its keys with their owners, and register it once/,
    ),
  ]);
  const twice = await signs(...line('-', '-'));
  expect(twice.error).toBe('error: standard input can be read only once\n');
});
