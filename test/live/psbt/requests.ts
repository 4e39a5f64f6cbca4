import fc from 'fast-check';

/** Calls as JSON texts, so that both sides get exactly the same bytes. */

export const quote = (text: string): string => JSON.stringify(text);

/** Fields of an object in order, each value a JSON text. */
export type Members = readonly (readonly [name: string, value: string])[];

export const objectText = (members: Members): string =>
  `{${members.map(([name, value]) => `${quote(name)}:${value}`).join()}}`;
export const listText = (items: readonly string[]): string => `[${items.join()}]`;

/** A method and its `params` as JSON text. */
export interface Call {
  readonly method: string;
  readonly params: string;
}

export const call = (method: string, ...params: readonly string[]): Call => ({ method, params: listText(params) });
export const requestText = ({ method, params }: Call): string =>
  `{"id":1,"method":${quote(method)},"params":${params}}`;

export const junkText = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 12 }));

export const junkJson = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '1', '-1.50', '1e5', '0', '[]', '{}', '""', '"00"', '["00"]', '{"txid":1}'),
  fc.json({ maxDepth: 1 }),
);

const NAMES = fc.constantFrom('psbt', 'args', 'txs', 'inputs', 'outputs', 'extract', 'range', '', 'descriptor');

/** Makes named arguments; some may be missing, unknown or repeated. */
export function named(names: readonly string[], args: readonly string[]): fc.Arbitrary<string> {
  const members: Members = args.slice(0, names.length).map((arg, i) => [names[i] ?? '', arg]);
  const extra = fc.array(fc.tuple(NAMES, junkJson), { maxLength: 1 });
  return fc.tuple(fc.shuffledSubarray([...members]), extra).map((parts) => objectText(parts.flat()));
}

/** Drops trailing arguments, adds one, or replaces one with junk. */
export function otherArgs(args: readonly string[]): fc.Arbitrary<readonly string[]> {
  return fc.oneof(
    fc.nat({ max: args.length }).map((count) => args.slice(0, count)),
    junkJson.map((more) => [...args, more]),
    fc
      .tuple(fc.nat({ max: 4 }), junkJson)
      .map(([i, odd]) => args.map((arg, own) => (own === i % args.length ? odd : arg))),
  );
}
