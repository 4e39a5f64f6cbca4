import { describe, expect, test } from 'vitest';
import { type RunInput, runForFiles } from '../../support/io.ts';
import {
  combinePsbts,
  createPsbt,
  decodeTransaction,
  encodePsbt,
  formatBase64,
  formatHex,
  formatTxid,
  type Psbt,
  parseHex,
  parsePsbt,
  txid,
  verifyTransaction,
} from '../../support/library.ts';
import { PAYEE, payment, signatureCount, WALLETS } from '../../support/psbts.ts';

const QUORUM = encodePsbt(payment(['multi']));
const SINGLE = encodePsbt(payment(['wpkh']));
const FILES = {
  'spend.psbt': QUORUM,
  'single.psbt': SINGLE,
  alice: WALLETS.multi,
  bob: WALLETS.multiOfBob,
  mine: WALLETS.wpkh,
};
const ON_TERMINAL = { isTerminal: true };

const countersign = (args: readonly string[], world: RunInput = {}) =>
  runForFiles([...args, '--network', 'regtest'], { files: FILES, ...world });
const signed = (args: readonly string[], world: RunInput = {}) =>
  countersign(['sign', ...args, '--yes', '--descriptors-file', 'alice'], world);
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const idOf = (hex: string): string => formatTxid(txid(decodeTransaction(parseHex(hex.trim()))));

describe('countersign sign', () => {
  test('takes a 2-of-3 from two signers to a transaction in four commands, over files', async () => {
    const alice = await signed(['spend.psbt'], ON_TERMINAL);
    expect([alice.code, alice.out, Object.keys(alice.files)]).toEqual([0, '', ['spend-signed.psbt']]);
    expect(alice.error).toContain('Next: pass spend-signed.psbt on to the next signer');
    const bob = await countersign(['sign', 'copy.psbt', '--yes', '--descriptors-file', 'bob'], {
      ...ON_TERMINAL,
      files: { ...FILES, 'copy.psbt': QUORUM },
    });
    expect(Object.keys(bob.files)).toEqual(['copy-signed.psbt']);
    const files = { ...FILES, ...alice.files, ...bob.files };
    const both = await countersign(['combine', 'spend-signed.psbt', 'copy-signed.psbt'], { ...ON_TERMINAL, files });
    expect([both.code, Object.keys(both.files)]).toEqual([0, ['spend-combined.psbt']]);
    expect(both.error).toBe(
      'input 0: complete\nall signatures are present. Next: countersign finalize spend-combined.psbt\n',
    );
    const final = await countersign(['finalize', 'spend-combined.psbt'], { ...ON_TERMINAL, files: both.files });
    expect([final.code, Object.keys(final.files)]).toEqual([0, ['spend-final.txn']]);
    const hex = textOf(final.files['spend-final.txn']);
    expect(final.error).toBe(
      `complete: transaction ${idOf(hex)}. Next: broadcast spend-final.txn with a node (sendrawtransaction), an online wallet or an explorer\n`,
    );
  });

  test('chains over pipes, without files', async () => {
    const alice = await signed(['spend.psbt']);
    expect(alice.files).toEqual({});
    const bob = await countersign(['sign', '-', '--yes', '--descriptors-file', 'bob'], { stdin: alice.out });
    expect([bob.code, bob.files]).toEqual([0, {}]);
    expect(bob.error).toContain(`complete: transaction ${idOf(bob.out)}. `);
    const half = await countersign(['sign', 'spend.psbt', '--yes', '--descriptors-file', 'bob', '--format', 'base64']);
    const both = await countersign(['combine', '-', 'half'], {
      stdin: alice.out,
      files: { ...FILES, half: half.out },
    });
    const final = await countersign(['finalize', '-'], { stdin: both.out });
    expect([final.code, idOf(final.out)]).toEqual([0, idOf(bob.out)]);
  });

  test('keeps the encoding of the PSBT in files, or writes what --format says', async () => {
    const base64 = formatBase64(QUORUM);
    const hex = formatHex(QUORUM);
    const json = JSON.stringify({ psbt: base64, complete: false });
    const given = { base64: `${base64}\n`, binary: QUORUM, hex: ` ${hex}\n`, json };
    const starts = { base64: 'cHNidP', binary: 'psbt\u00ff', hex: '70736274ff', json: '{"psbt":"cHNidP' };
    const found: Psbt[] = [];
    for (const [from, content] of Object.entries(given)) {
      for (const [to, start] of Object.entries(starts)) {
        const { code, out } = await signed(['-', '--format', to], { stdin: content });
        expect([from, to, code, out.slice(0, start.length)]).toEqual([from, to, 0, start]);
        found.push(parsePsbt(to === 'json' ? JSON.parse(out).psbt : Buffer.from(out, 'latin1')));
      }
      expect((await signed(['-'], { stdin: content })).out).toMatch(/^cHNidP/);
      const { files } = await signed(['given'], { ...ON_TERMINAL, files: { ...FILES, given: content } });
      const kept = from === 'json' ? 'base64' : (from as keyof typeof starts);
      expect(
        Buffer.from(files['given-signed.psbt'] ?? [])
          .toString('latin1')
          .startsWith(starts[kept]),
      ).toBe(true);
    }
    expect(new Set(found.map((psbt) => formatHex(encodePsbt(psbt)))).size).toBe(1);
    expect(signatureCount(found[0] ?? combinePsbts([]).psbt)).toBe(1);
    const whole = (...args: string[]) =>
      countersign(['sign', 'single.psbt', '--yes', '--descriptors-file', 'mine', ...args]);
    const transaction = (await whole()).out.trim();
    expect((await whole('--format', 'binary')).out).toBe(Buffer.from(transaction, 'hex').toString('latin1'));
    const answer = JSON.parse((await whole('--json')).out);
    expect(answer).toEqual({ psbt: answer.psbt, complete: true, hex: transaction, txid: idOf(transaction) });
    expect(parsePsbt(answer.psbt).inputs).toHaveLength(1);
  });

  test('numbers the files of later signers', async () => {
    const names: string[] = [];
    for (const name of ['dir/a-signed.psbt', 'dir/a-signed-2.psbt', 'a-combined.psbt', 'plain', 'x.y.psbt']) {
      const { files } = await signed([name], { ...ON_TERMINAL, files: { ...FILES, [name]: QUORUM } });
      names.push(...Object.keys(files));
    }
    expect(names).toEqual([
      'dir/a-signed-2.psbt',
      'dir/a-signed-3.psbt',
      'a-signed.psbt',
      'plain-signed.psbt',
      'x.y-signed.psbt',
    ]);
  });

  test('replaces no file, and asks for nothing before it says so', async () => {
    for (const name of ['spend-signed.psbt', 'spend-final.txn']) {
      const world = { ...ON_TERMINAL, files: { ...FILES, [name]: 'precious' }, typed: ['yes'] };
      const { code, error, files } = await countersign(['sign', 'spend.psbt', '--descriptors-file', 'alice'], world);
      expect([code, error, files]).toEqual([
        1,
        `error: ${name} exists: pass --force to replace it, or --out with another name\n`,
        {},
      ]);
      const forced = await signed(['spend.psbt', '--force'], world);
      expect([forced.code, Object.keys(forced.files)]).toEqual([0, ['spend-signed.psbt']]);
    }
    const { error } = await signed(['spend.psbt', '--out', 'taken'], { files: { ...FILES, taken: '' } });
    expect(error).toBe('error: taken exists: pass --force to replace it, or --out with another name\n');
  });

  test('writes to --out, terminal or not, and to standard output for "-"', async () => {
    for (const world of [{}, ON_TERMINAL]) {
      const { files, out } = await signed(['spend.psbt', '--out', 'half'], world);
      expect([Object.keys(files), out]).toEqual([['half'], '']);
    }
    const { files, out } = await signed(['spend.psbt', '--out', '-'], ON_TERMINAL);
    expect([files, out.slice(0, 6)]).toEqual([{}, 'cHNidP']);
    const binary = await signed(['spend.psbt', '--out', '-', '--format', 'binary'], ON_TERMINAL);
    expect([binary.code, binary.error]).toEqual([
      1,
      'error: a terminal cannot show binary data: name a file with --out, or choose --format base64\n',
    ]);
    const blocked = await signed(['spend.psbt', '--out', 'locked'], { readOnly: ['locked'] });
    expect([blocked.code, blocked.error.split('\n').at(-2)]).toEqual([
      1,
      'error: cannot write locked: permission denied',
    ]);
  });

  test('writes nothing if it signs nothing, and exits with 2', async () => {
    const { code, out, error, files } = await countersign(
      ['sign', 'spend.psbt', '--yes', '--descriptors-file', 'mine'],
      ON_TERMINAL,
    );
    expect([code, out, files]).toEqual([2, '', {}]);
    expect(error).toMatch(/\nnothing was signed\. Next: provide the keys of these inputs, [^\n]+\n$/);
  });

  test.each([
    [[], 'sign needs a file: name it after the command, or give "-" for standard input'],
    [['spend.psbt', 'spend.psbt'], 'sign takes one file, not 2'],
    [['nowhere.psbt'], 'cannot read nowhere.psbt: no such file'],
    [['ab'.repeat(32)], 'cannot read the file, whose name may be a secret: no such file'],
    [
      ['alice'],
      'alice is not a PSBT: it is descriptors with private keys; commands that sign take them with --descriptors-file',
    ],
    [
      ['txid'],
      'txid is not a PSBT: it is hex of a hash, such as a transaction id, or of a key or seed: give the whole transaction, or a key as seed words, extended key or WIF',
    ],
    [['words'], 'words is not a PSBT: it is seed words; commands that sign take them with --seed-file'],
    [['tx'], 'tx is not a PSBT: it is a transaction; "countersign inspect" shows it'],
    [['json'], 'json is not a PSBT: it is JSON whose "hex" is not a transaction'],
    [['bytes'], 'bytes is not a PSBT: it is neither binary, nor base64, nor hex, nor JSON with a "psbt"'],
    [
      ['spend.psbt', '--format', 'base46'],
      '--format: unknown encoding "base46"; did you mean base64? (known: base64, binary, hex, json)',
    ],
    [['spend.psbt', '--format', 'hex', '--json'], '--json contradicts --format'],
    [['-', '--keys-stdin'], 'standard input cannot hold both the keys and the PSBT'],
    [['spend.psbt', '--port', '1'], 'unknown option --port; "countersign help sign" lists its options'],
    [['spend.psbt', '--count', '1'], '--count does not apply to sign'],
  ])('answers the mistake %j with one line', async (args, text) => {
    const files = {
      ...FILES,
      words: 'abandon '.repeat(11),
      txid: 'a993b179608edef0682d72a9f347d80688eb0b528c1a37b29dd845dd8592b38a\n',
      tx: `0200000001${'00'.repeat(36)}00ffffffff01${'00'.repeat(13)}`,
      json: '{"hex":"00"}',
      bytes: Uint8Array.of(0xff, 0, 1, 2),
    };
    const { code, error, out } = await countersign(['sign', ...args, '--yes'], { files });
    expect([code, out, error]).toEqual([1, '', `error: ${text}\n`]);
  });
});

describe('countersign combine', () => {
  test('says who is still missing, and which file is for another transaction', async () => {
    const alice = await signed(['spend.psbt', '--out', 'half']);
    const files = { ...FILES, ...alice.files };
    const again = await countersign(['combine', 'half', 'spend.psbt'], { files });
    expect([again.code, again.error]).toEqual([
      0,
      'input 0: have 1 of 2 signatures, still needed: [bb2f0b29/48h/1h/0h/0/0] (claimed)\nnot complete yet. Next: pass the PSBT on to the next signer\n',
    ]);
    const other = await countersign(['combine', 'half', 'single.psbt'], { files });
    expect([other.code, other.error]).toEqual([1, 'error: single.psbt is for a different transaction from half\n']);
    const alone = await countersign(['combine', 'half'], { files });
    expect(alone.error).toBe(
      'error: combine needs at least two files: name them after the command, or give "-" for standard input\n',
    );
    const twice = await countersign(['combine', '-', '-'], { stdin: QUORUM });
    expect(twice.error).toBe('error: standard input can be read only once\n');
  });
});

describe('countersign finalize', () => {
  test('writes nothing while signatures are missing, and exits with 2', async () => {
    const { code, out, error, files } = await countersign(['finalize', 'spend.psbt'], ON_TERMINAL);
    expect([code, out, files]).toEqual([2, '', {}]);
    expect(error).toMatch(
      /^input 0: have 0 of 2 signatures, still needed: [^\n]+\nnot complete yet: nothing was written\. Next: [^\n]+\n$/,
    );
  });

  test.each([0, 2] as const)('writes no transaction without inputs, of version %i', async (version) => {
    const psbt = createPsbt(
      { version: 2, inputs: [], outputs: [{ value: 1n, scriptPubKey: PAYEE }], locktime: 0 },
      { version },
    );
    const files = { 'empty.psbt': encodePsbt(psbt) };
    const { code, out, error } = await countersign(['finalize', 'empty.psbt'], { files });
    expect([code, out, error]).toEqual([
      2,
      '',
      'nothing was written: the PSBT has no inputs. Next: create it again with the coins that it is to spend\n',
    ]);
  });

  test('writes a transaction that spends its coins', async () => {
    const half = await countersign(['signpsbt', 'single.psbt', '--yes', '--descriptors-file', 'mine']);
    const { out } = await countersign(['finalize', '-'], { stdin: half.out });
    const tx = decodeTransaction(parseHex(out.trim()));
    const prevouts = parsePsbt(SINGLE).inputs.map(({ nonWitnessUtxo, witnessUtxo }, i) => {
      const vout = tx.inputs[i]?.outpoint.vout ?? 0;
      return witnessUtxo ?? nonWitnessUtxo?.outputs[vout];
    });
    expect(
      verifyTransaction(
        tx,
        prevouts.flatMap((prevout) => prevout ?? []),
      ).isValid,
    ).toBe(true);
  });
});

describe('mistakes that would lose a file', () => {
  test('a result replaces nothing that the command reads, even with --force', async () => {
    for (const out of ['spend.psbt', './spend.psbt', 'alice']) {
      const { code, error, files } = await signed(['spend.psbt', '--out', out, '--force']);
      expect([code, files, error]).toEqual([
        1,
        {},
        'error: --out names a file that this command reads: choose another name\n',
      ]);
    }
    const { error } = await signed(['spend.psbt', '--out', '']);
    expect(error).toBe('error: --out needs a file name\n');
  });

  test('an option with one value is given once', async () => {
    const { code, error } = await countersign(['sign', 'spend.psbt', '--seed-file', 'a', '--seed-file', 'b']);
    expect([code, error]).toEqual([1, 'error: --seed-file is given twice\n']);
  });

  test('finalize minds only the transaction of the same name', async () => {
    const half = await countersign(['signpsbt', 'single.psbt', '--yes', '--descriptors-file', 'mine']);
    const files = { ...FILES, 'a.psbt': half.out, 'a-final.psbt': 'other' };
    const { code, files: written } = await countersign(['finalize', 'a.psbt'], { ...ON_TERMINAL, files });
    expect([code, Object.keys(written)]).toEqual([0, ['a-final.txn']]);
  });
});
