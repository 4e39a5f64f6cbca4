import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

// Recorded calls of nodes, from which targets take good and bad inputs.

interface Recorded {
  readonly method: string;
  readonly params: readonly unknown[];
}

const read = (path: string): Buffer => readFileSync(join(process.cwd(), 'vectors', path));

const cache = new Map<string, readonly Recorded[]>();

/** Returns the recorded calls of a file of `vectors/node`. */
export function recorded(name: string): readonly Recorded[] {
  const known = cache.get(name);
  if (known) return known;
  const lines = gunzipSync(read(`node/${name}.jsonl.gz`))
    .toString('utf8')
    .split('\n')
    .filter(Boolean);
  // The signing files omit the method.
  const calls = lines.map((line) => ({
    method: 'signrawtransactionwithkey',
    ...(JSON.parse(line) as Omit<Recorded, 'method'>),
  }));
  cache.set(name, calls);
  return calls;
}

/** Takes about `count` items from all parts of a list. */
const sample = <T>(items: readonly T[], count: number): readonly T[] => {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, i) => i % step === 0);
};

const isHex = (text: string): boolean => /^(?:[0-9a-f]{2})+$/.test(text);

/** Returns transactions and scripts that nodes were given, as bytes. */
export const recordedHex = (method: string, count: number): readonly Uint8Array[] =>
  sample(
    ['core-32.decode', 'litecoin-0.21.decode'].flatMap((name) =>
      recorded(name).flatMap((call) => {
        const [hex] = call.params;
        return call.method === method && typeof hex === 'string' && isHex(hex) && hex.length < 8000 ? [hex] : [];
      }),
    ),
    count,
  ).map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')));

/** Returns PSBTs that nodes were given, as bytes. */
export const recordedPsbts = (count: number): readonly Uint8Array[] =>
  sample(
    ['core-32.decode', 'core-32.rpc_psbt', 'core-32.flow'].flatMap((name) =>
      recorded(name).flatMap(({ params }) => JSON.stringify(params).match(/cHNidP[0-9A-Za-z+/]+=*/g) ?? []),
    ),
    count,
  )
    .filter((text) => text.length < 8000)
    .map((text) => Uint8Array.from(Buffer.from(text, 'base64')));

/** Returns the calls of the recorded files that are not longer than people write. */
export const recordedCalls = (names: readonly string[], count: number): readonly Recorded[] =>
  sample(
    names.flatMap((name) => recorded(name).filter(({ params }) => JSON.stringify(params).length < 4000)),
    count,
  );
