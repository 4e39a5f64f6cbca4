import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../../../src/shell/cli/command.ts';
import { MAX_LINE } from '../../../../src/shell/cli/commands/batch.ts';
import { isFast, readRecorded } from '../../../support/corpus.ts';
import { BUILT_PROGRAM, fakeWorld, type Run, run } from '../../../support/io.ts';

const request = (id: number): string => `{"id":${id},"method":"decodescript","params":["51"]}`;

/** Creates a stream that yields its chunks one at a time. */
async function* pieces(parts: Iterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? new TextEncoder().encode(part) : part;
}

const idsOf = (out: string): unknown[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);

describe('batch', () => {
  test('answers line by line in order, wherever the chunks end', async () => {
    const text = Array.from({ length: 50 }, (_, id) => request(id)).join('\n');
    const whole = await run(['batch'], { stdin: text });
    expect(idsOf(whole.out)).toEqual(Array.from({ length: 50 }, (_, id) => id));
    for (const size of [1, 7, 64]) {
      const cut = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
      expect(await run(['batch'], { stdin: pieces(cut) })).toEqual(whole);
    }
  });

  test('continues after a line that is not a request', async () => {
    const { out, code } = await run(['batch'], { stdin: `${request(1)}\n{"id":\n\n[1]\n"x"\n${request(2)}\n` });
    expect(code).toBe(0);
    const answers = out.trimEnd().split('\n');
    expect(answers).toHaveLength(6);
    expect(answers.slice(1, 5)).toEqual([
      '{"result":null,"error":{"code":-32700,"message":"Parse error"},"id":null}',
      '{"result":null,"error":{"code":-32700,"message":"Parse error"},"id":null}',
      '[{"result":null,"error":{"code":-32600,"message":"Invalid Request object"},"id":null}]',
      '{"result":null,"error":{"code":-32700,"message":"Top-level object parse error"},"id":null}',
    ]);
  });

  test('refuses what is not UTF-8', async () => {
    const { out } = await run(['batch'], { stdin: Uint8Array.of(0x22, 0xff, 0x22, 0x0a) });
    expect(out).toBe('{"result":null,"error":{"code":-32700,"message":"Parse error"},"id":null}\n');
  });

  test.each([1, 2])('answers a line of 100 MB in bounded memory and continues, with --jobs %i', async (jobs) => {
    const piece = new Uint8Array(1 << 20).fill(0x61);
    const parts = function* parts(): Generator<string | Uint8Array> {
      for (let i = 0; i < 100; i += 1) yield piece;
      yield `\n${request(7)}\n`;
    };
    const options = { stdin: pieces(parts()), program: BUILT_PROGRAM };
    const { out, code } = await run(['batch', '--jobs', `${jobs}`], options);
    expect(code).toBe(0);
    const [refusal = '', answer = ''] = out.split('\n');
    expect(JSON.parse(refusal)).toEqual({
      result: null,
      error: { code: -32700, message: `Parse error: line longer than ${MAX_LINE} bytes` },
      id: null,
    });
    expect(JSON.parse(answer)).toMatchObject({ error: null, id: 7 });
  });

  test('refuses a line with too many values or requests, and continues', async () => {
    const values = `[${'1,'.repeat(1_000_000)}1]`;
    const requests = `[${`${request(1)},`.repeat(10_000)}${request(1)}]`;
    const { out } = await run(['batch'], { stdin: `${values}\n${requests}\n${request(3)}\n` });
    const errors = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).error);
    expect(errors).toEqual([
      { code: -32700, message: 'Parse error' },
      { code: -32600, message: 'Batch has more than 10000 requests' },
      null,
    ]);
  });

  test('reads numbers from their text and echoes ids as they were written', async () => {
    const { out } = await run(['batch'], {
      stdin: '{"id":1.50,"method":"decodescript","params":["51"]}\n{"id":12345678901234567890,"method":"nope"}\n',
    });
    expect(out).toContain('"id":1.50}');
    expect(out).toContain('"error":{"code":-32601,"message":"Method not found"},"id":12345678901234567890}');
  });

  test('takes the wallet from a member "wallet" instead of a path of HTTP', async () => {
    const { out } = await run(['batch'], {
      stdin:
        '{"id":1,"method":"decodescript","params":["6a"],"wallet":"a"}\n{"id":2,"method":"decodescript","wallet":{}}\n',
    });
    const [known, refused] = out.split('\n').map((line) => line.slice(0, 60));
    expect(known).toContain('OP_RETURN');
    expect(refused).toContain('"code":-32600,"message":"Wallet');
  });

  test('shows progress only on a terminal', async () => {
    const stdin = `${request(1)}\n`;
    expect((await run(['batch'], { stdin })).error).toBe('');
    expect((await run(['batch'], { stdin, isWatched: true })).error).toMatch(/1 requests, \d+ a second\n$/);
  });
});

// The threads need a build.
describe.skipIf(isFast)('batch on worker threads', () => {
  const runOn = (jobs: number, stdin: string, options: readonly string[] = []): Promise<Run> =>
    run(['batch', '--jobs', `${jobs}`, ...options], { stdin, program: BUILT_PROGRAM });

  test('answers as the main thread does, in order', async () => {
    const costly = JSON.stringify({ id: 0, method: 'analyzepsbt', params: ['cHNidP8BAAoCAAAAAAAAAAAAAA=='] });
    const lines = Array.from({ length: 300 }, (_, id) => [request(id), costly, '{', '', '"x"'][id % 5] ?? '');
    const stdin = `${lines.join('\n')}\n`;
    expect(await runOn(2, stdin)).toEqual(await runOn(1, stdin));
  });

  test.each([
    ['core-32.wallet-03', ['--network', 'regtest', '--dialect', 'core-32']],
    ['litecoin-0.21.wallet-03', ['--network', 'litecoin-regtest', '--dialect', 'litecoin-0.21']],
  ])('keeps to the order of calls that depend on each other: %s', async (name, options) => {
    const recorded = readRecorded(name, 'sample').slice(0, 400);
    // Calls without wallet in between look for the coins that the blocks bring.
    const lines = recorded.flatMap(({ method, params, wallet }, id) => {
      const line = JSON.stringify({ id, method, params, ...(wallet !== undefined && { wallet }) });
      return method === 'signrawtransactionwithwallet'
        ? [line, JSON.stringify({ id, method: 'signrawtransactionwithkey', params: [params[0], []] })]
        : [line, request(id)];
    });
    const stdin = `${lines.join('\n')}\n`;
    expect(await runOn(2, stdin, options)).toEqual(await runOn(1, stdin, options));
  });

  test('answers each line before the next arrives', async () => {
    let answered = '';
    const world = fakeWorld({ program: BUILT_PROGRAM });
    const lines = async function* lines(): AsyncGenerator<Uint8Array> {
      for (let id = 0; id < 3; id += 1) {
        yield new TextEncoder().encode(`${request(id)}\n`);
        while (answered.split('\n').length < id + 2) await sleep(1);
      }
    };
    const io = {
      ...world.io,
      stdin: lines(),
      writeOut: async (content: string | Uint8Array) => {
        answered += String(content);
      },
    };
    expect(await runCommand(['batch', '--jobs', '2'], '0.0.0-test', io)).toBe(0);
    expect(idsOf(answered)).toEqual([0, 1, 2]);
  });

  test.each(['0', '-1', '1.5', 'all', '257', ''])('refuses --jobs %j', async (jobs) => {
    const { code, error } = await run(['batch', `--jobs=${jobs}`], { program: BUILT_PROGRAM });
    expect([code, error]).toEqual([1, `error: --jobs must be a number from 1 to 256, not "${jobs}"\n`]);
  });

  test('says that more threads than cores are asked for', async () => {
    const { code, error } = await runOn(3, `${request(1)}\n`);
    expect([code, error]).toEqual([0, 'note: --jobs 3, on a machine with 2 cores\n']);
  });
});
