import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { blocksAfter, GENESIS, type MadeBlock } from '../../support/blocks.ts';
import { isFast } from '../../support/corpus.ts';
import { type RunInput, run } from '../../support/io.ts';

const root = mkdtempSync(join(tmpdir(), 'countersign-sync-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let names = 0;
const newPath = (suffix = ''): string => {
  names += 1;
  return join(root, `${names}${suffix}`);
};

const REGTEST = ['--network', 'regtest'];
const blocks = blocksAfter(GENESIS, 8);
const branch = blocksAfter(blocks[3] ?? GENESIS, 2, 'bb');
const at = (index: number): MadeBlock => blocks[index] ?? GENESIS;
const lineOf = ({ hex }: MadeBlock): string => `block ${hex}\n`;

/** Feeds files to a new or an existing directory. */
async function feed(paths: readonly string[], input: RunInput = {}, directory = newPath()) {
  const options = paths.flatMap((path) => ['--from-file', path]);
  const said = await run(['sync', ...REGTEST, '--wallet-dir', directory, ...options], input);
  const { out } = await run(['getbestblockhash', ...REGTEST, '--wallet-dir', directory]);
  return { ...said, directory, tip: out.trim() };
}

const closing = (count: number, tip: MadeBlock): string =>
  `fed ${count} blocks and 0 transactions; at block ${tip.height} ${tip.hash}\n`;

describe('a text file of blocks', () => {
  test('is fed, and adds nothing the second time', async () => {
    const text = `# a chain\n\n${blocks.map(lineOf).join('').replace('\n', '\r\n')}`;
    const first = await feed(['chain'], { files: { chain: text } });
    expect(first).toMatchObject({ code: 0, out: closing(8, at(7)), error: '', tip: at(7).hash });
    const again = await feed(['-'], { stdin: text }, first.directory);
    expect(again).toMatchObject({ code: 0, out: closing(0, at(7)), error: '' });
  });

  test('may hold branches, and be in several files', async () => {
    const files = { a: blocks.slice(0, 5).map(lineOf).join(''), b: branch.map(lineOf).join('') };
    const { code, tip } = await feed(['a', 'b'], { files });
    expect({ code, tip }).toEqual({ code: 0, tip: branch[1]?.hash });
  });

  const good = blocks.slice(0, 3).map(lineOf).join('');
  const block = at(3).hex;
  const BAD: readonly (readonly [what: string, line: string | Uint8Array, said: string])[] = [
    ['a word', 'blok 00', ' is not "block HEX", "tx HEX" or "drop TXID"'],
    ['nothing after the word', 'block', ' is not "block HEX", "tx HEX" or "drop TXID"'],
    ['two texts', `block 00 00`, ' is not "block HEX", "tx HEX" or "drop TXID"'],
    ['invalid UTF-8', Uint8Array.of(0xff, 0xfe, 0x00), ' is not "block HEX", "tx HEX" or "drop TXID"'],
    ['half a byte', `block ${block.slice(0, -1)}`, ': odd number of hex digits; is the line truncated?'],
    ['invalid hex', `tx ${'zz'.repeat(20)}`, ': "tx" must be followed by hex'],
    ['a truncated block', `block ${block.slice(0, -2)}`, ': the block cannot be decoded'],
    ['a header', `block ${block.slice(0, 160)}`, ': the block cannot be decoded'],
    ['less than a header', 'block 00', ': the block cannot be decoded'],
    ['half a txid', `drop ${'11'.repeat(16)}`, ': "drop" must be followed by a txid'],
    ['a truncated transaction', 'tx 0200', ': the transaction cannot be decoded'],
    [
      'a block whose parent is missing',
      `block ${at(4).hex}`,
      `: block ${at(4).hash} does not connect: its parent ${at(3).hash} is missing`,
    ],
    [
      "another chain's first block",
      `block ${blocksAfter({ ...GENESIS, hash: '0'.repeat(64) }, 1)[0]?.hex}`,
      `: block ${blocksAfter({ ...GENESIS, hash: '0'.repeat(64) }, 1)[0]?.hash} is the genesis block of another chain: check --network`,
    ],
    ['a line of 100 MB', 'x'.repeat(100_000_000), ' is longer than 33554432 bytes'],
  ];
  test.each(BAD)('with %s ends there; the blocks before it stay fed', async (_, line, said) => {
    const content = Buffer.concat([Buffer.from(`${good}\n`), Buffer.from(line), Buffer.from(`\n${lineOf(at(3))}`)]);
    const { code, out, error, tip } = await feed(['bad'], { files: { bad: content } });
    expect({ code, out, tip }).toEqual({ code: 1, out: '', tip: at(2).hash });
    expect(error).toBe(`error: bad line 5${said} (3 blocks before that were fed)\n`);
  });

  test('that is missing is an error', async () => {
    expect(await feed(['nowhere'])).toMatchObject({ code: 1, error: 'error: cannot read nowhere: no such file\n' });
  });

  test('may contain transactions; those with missing inputs are counted', async () => {
    const tx = `0200000001${'11'.repeat(32)}0000000000ffffffff0100000000000000000000000000`;
    const { code, out } = await feed(['t'], { files: { t: `tx ${tx}\n` } });
    expect(code).toBe(0);
    expect(out).toContain('1 transaction refused (bad-txns-inputs-missingorspent: 1)');
  });
});

const MAGIC = 'fabfb5da';
function recordOf({ hex }: MadeBlock, magic = MAGIC): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(hex.length / 2);
  return Buffer.concat([Buffer.from(magic, 'hex'), size, Buffer.from(hex, 'hex')]);
}
const recordsOf = (some: readonly MadeBlock[]): Buffer => Buffer.concat(some.map((block) => recordOf(block)));
function written(bytes: Uint8Array, path = newPath('.dat')): string {
  writeFileSync(path, bytes);
  return path;
}
const covered = (bytes: Buffer, key: Buffer): Buffer =>
  Buffer.from(bytes.map((byte, i) => byte ^ (key[i % key.length] ?? 0)));

describe("a node's block files", () => {
  const shuffled = [5, 2, 7, 0, 3, 6, 1, 4].map(at);

  test('are fed in chain order, whatever the order in the files, despite zeros at their ends', async () => {
    const first = written(Buffer.concat([recordsOf(shuffled.slice(0, 4)), Buffer.alloc(1000)]));
    const second = written(recordsOf([...shuffled.slice(4), ...branch, at(2)]));
    const fed = await feed([first, second]);
    expect(fed).toMatchObject({ code: 0, out: closing(10, at(7)), error: '', tip: at(7).hash });
    expect(await feed([second, first], {}, fed.directory)).toMatchObject({ code: 0, out: closing(0, at(7)) });
  });

  test('may be obfuscated, with the key next to them or elsewhere', async () => {
    const key = Buffer.from('0123456789abcdef', 'hex');
    const bytes = Buffer.concat([covered(recordsOf(shuffled), key), Buffer.alloc(64)]);
    const elsewhere = written(bytes);
    const keyFile = written(key, newPath());
    const argv = ['sync', ...REGTEST, '--wallet-dir', newPath(), '--from-file', elsewhere, '--xor-file', keyFile];
    expect(await run(argv)).toMatchObject({ code: 0, out: closing(8, at(7)) });
    const { error } = await feed([elsewhere]);
    expect(error).toMatch(
      /offset 0: begins with [0-9a-f]{8}, not fabfb5da: it is from another network, damaged, or obfus/,
    );

    const beside = mkdtempSync(join(root, 'blocks'));
    written(key, join(beside, 'xor.dat'));
    expect(await feed([written(bytes, join(beside, 'blk00000.dat'))])).toMatchObject({ code: 0, tip: at(7).hash });
    written(key.subarray(1), join(beside, 'xor.dat'));
    expect((await feed([join(beside, 'blk00000.dat')])).error).toContain(
      'xor.dat is not an XOR key: it has 7 bytes, not 8',
    );
  });

  const good = recordsOf(blocks.slice(0, 3));
  const size = (bytes: number): Buffer => {
    const record = Buffer.from(recordOf(at(3)));
    record.writeUInt32LE(bytes, 4);
    return record;
  };
  const BAD: readonly (readonly [what: string, bytes: Buffer, said: string])[] = [
    [
      'another magic',
      recordOf(at(3), 'f9beb4d9'),
      ': begins with f9beb4d9, not fabfb5da: it is from another network, damaged, or obfuscated and its xor.dat is missing',
    ],
    ['a truncated header', recordOf(at(3)).subarray(0, 80), ': block header truncated after 80 bytes'],
    [
      'a truncated block',
      recordOf(at(3)).subarray(0, 100),
      `: block truncated after 92 of ${at(3).hex.length / 2} bytes`,
    ],
    ['an impossible size', size(80), ': impossible block size of 80 bytes'],
    ['a size of 4 GB', size(0xffff_ffff), ': impossible block size of 4294967295 bytes'],
  ];
  test.each(BAD)('with %s end there; the blocks before it stay fed', async (_, bytes, said) => {
    const path = written(Buffer.concat([good, bytes]));
    const { code, error, tip } = await feed([path]);
    expect({ code, tip }).toEqual({ code: 1, tip: at(2).hash });
    expect(error).toBe(`error: ${path} offset ${good.length}${said} (3 blocks before that were fed)\n`);
  });

  test('with an invalid block, or one that does not connect, name its place', async () => {
    const broken = (offset: number): string => {
      const record = Buffer.from(recordOf(at(3)));
      record[8 + offset] = 0xff;
      return written(Buffer.concat([good, record]));
    };
    // The number of transactions, after the header, and the version of the first.
    const unread = broken(80);
    expect((await feed([unread])).error).toBe(
      `error: ${unread} offset ${good.length + 8}: the block cannot be decoded (3 blocks before that were fed)\n`,
    );
    const other = broken(81);
    expect((await feed([other])).error).toBe(
      `error: ${other} offset ${good.length + 8}: block ${at(3).hash} is refused: bad-txnmrklroot (3 blocks before that were fed)\n`,
    );
    const gap = written(Buffer.concat([good, recordOf(at(5))]));
    expect((await feed([gap])).error).toBe(
      `error: ${gap} offset ${good.length + 8}: block ${at(5).hash} does not connect: its parent ${at(4).hash} is missing (3 blocks before that were fed)\n`,
    );
  });

  test('that are missing are an error', async () => {
    const { code, error } = await feed([join(root, 'blk.dat')]);
    expect({ code, error }).toEqual({ code: 1, error: `error: cannot read ${join(root, 'blk.dat')}: no such file\n` });
  });
});

// Runs the built program.
test.skipIf(isFast)('a second Ctrl-C does not wait for standard input that does not end', async () => {
  const directory = newPath();
  const main = new URL('../../../dist/cli/main.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [main, 'sync', ...REGTEST, '--from-file', '-', '--wallet-dir', directory]);
  const ended = once(child, 'exit');
  child.stdin.write(blocks.map(lineOf).join(''));
  // The last block is in the database's log once it is fed; the signals follow.
  const log = join(directory, 'wallet.sqlite-wal');
  const header = Buffer.from(at(7).hex.slice(0, 160), 'hex');
  while (!(existsSync(log) && readFileSync(log).includes(header))) await sleep(20);
  const again = setInterval(() => child.kill('SIGINT'), 20);
  expect(await ended).toEqual([null, 'SIGINT']);
  clearInterval(again);
  expect((await run(['getbestblockhash', ...REGTEST, '--wallet-dir', directory])).out.trim()).toBe(at(7).hash);
});
