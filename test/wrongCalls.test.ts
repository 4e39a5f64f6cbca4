import { expect, test } from 'vitest';
import { BtcError, RpcError } from '../src/core/errors.ts';
import { AsyncFunction, IMPORT, importsOf, withExamples } from './support/docExamples.ts';
import { PRELUDE, withChecks } from './support/snippets.ts';

// Programs in plain JavaScript, or with `any` from a JSON answer, pass what no type allows. Each function refuses it with a
// BtcError that says what it wants, and takes no text where bytes belong. The calls are those of the doc comments.

type Call = readonly [run: (...given: readonly unknown[]) => unknown, given: readonly unknown[]];

/** What the library made, which a program passes as it is. */
const made = new WeakSet<object>();

/** Runs an example and notes the first call of each function of the library. */
async function callsIn(code: string): Promise<ReadonlyMap<string, Call>> {
  const calls = new Map<string, Call>();
  const imported = await importsOf(code);
  const noted = [...imported].map(([name, value]) => {
    if (typeof value !== 'function' || /^[A-Z]/.test(name)) return value;
    const run = value as Call[0];
    return (...given: readonly unknown[]) => {
      if (!calls.has(name)) calls.set(name, [run, given]);
      const result = run(...given);
      if (isPlain(result)) made.add(result);
      return result;
    };
  });
  const body = `${PRELUDE}\n{\n${withChecks(code.replace(IMPORT, ''))}\n}\nreturn checked;`;
  await new AsyncFunction(...imported.keys(), body)(...noted);
  return calls;
}

const HEX = '0014751e76e8199196d454941c45d1b3a323f1433bd6';
const WRONG: readonly unknown[] = [undefined, null, 1, 1n, true, HEX, {}, [], [null], new Uint8Array(3)];

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

type WrongCall = readonly [place: string, wrong: unknown, right: unknown, args: readonly unknown[]];

/** Puts each wrong value in the place of an argument, and of each member of options. */
function* wrongCalls([, given]: Call): Generator<WrongCall> {
  for (const [i, right] of given.entries()) {
    for (const wrong of WRONG) yield [`${i}`, wrong, right, given.map((value, at) => (at === i ? wrong : value))];
    if (!isPlain(right) || made.has(right)) continue;
    for (const [name, member] of Object.entries(right)) {
      for (const wrong of WRONG) {
        const args = given.map((value, at) => (at === i ? { ...right, [name]: wrong } : value));
        yield [`${i}.${name}`, wrong, member, args];
      }
    }
  }
}

async function faultOf(run: Call[0], args: readonly unknown[]): Promise<unknown> {
  try {
    const result = await run(...args);
    if (isIterator(result)) result.next();
    return undefined;
  } catch (error) {
    return error;
  }
}

const isIterator = (value: unknown): value is Iterator<unknown> =>
  typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function';

const shown = (value: unknown): string =>
  typeof value === 'function'
    ? 'function'
    : value instanceof Uint8Array
      ? 'bytes'
      : ((typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)) ?? 'undefined');

/** Says what a function did with a wrong value, unless it refused it. */
async function describeFault(run: Call[0], [place, wrong, right, args]: WrongCall): Promise<string | undefined> {
  const fault = await faultOf(run, args);
  if (fault instanceof BtcError || fault instanceof RpcError) return undefined;
  if (fault !== undefined) return `${place} ${shown(wrong)}: ${String(fault)}`;
  return wrong === HEX && right instanceof Uint8Array ? `${place}: takes hex for bytes` : undefined;
}

const calls = new Map<string, Call>();
for (const { examples } of withExamples.values()) {
  for (const code of examples) {
    for (const [name, call] of await callsIn(code)) if (!calls.has(name)) calls.set(name, call);
  }
}

test.each([...calls])('%s refuses wrong arguments', async (_, call) => {
  const faults: string[] = [];
  for (const wrong of wrongCalls(call)) faults.push(...[(await describeFault(call[0], wrong)) ?? []].flat());
  expect(faults).toEqual([]);
});
