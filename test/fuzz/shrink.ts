import type { Input, Json } from './target.ts';

/** The most attempts, and the most milliseconds, to make one finding smaller. */
const [MOST_ATTEMPTS, MOST_TIME] = [3000, 5000];

/** Yields smaller sequences: without a half, a quarter and so on of the items, at each place. */
function* cuts<S extends { readonly length: number }>(
  whole: S,
  without: (start: number, end: number) => S,
): Generator<S> {
  for (let size = Math.ceil(whole.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < whole.length; start += size) yield without(start, Math.min(whole.length, start + size));
  }
}

const cutText = (text: string): Generator<string> => cuts(text, (start, end) => text.slice(0, start) + text.slice(end));

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function* smallerJson(value: Json): Generator<Json> {
  if (typeof value === 'string') return yield* cutText(value);
  if (typeof value === 'number' && value !== 0) return yield 0;
  if (typeof value !== 'object' || value === null) return;
  if (isList(value)) {
    yield* cuts(value, (start, end) => [...value.slice(0, start), ...value.slice(end)]);
    for (const [i, item] of value.entries()) {
      for (const smaller of smallerJson(item)) yield value.map((old, at) => (at === i ? smaller : old));
    }
    return;
  }
  const members = Object.entries(value);
  for (const [name] of members) yield Object.fromEntries(members.filter(([other]) => other !== name));
  for (const [name, item] of members) for (const smaller of smallerJson(item)) yield { ...value, [name]: smaller };
}

function* smallerInputs(input: Input): Generator<Input> {
  if (!(input instanceof Uint8Array)) return yield* smallerJson(input);
  yield* cuts(input, (start, end) => {
    const rest = new Uint8Array(input.length - (end - start));
    rest.set(input.subarray(0, start));
    rest.set(input.subarray(end), start);
    return rest;
  });
  for (const [i, byte] of input.entries())
    if (byte !== 0) yield Uint8Array.from(input, (old, at) => (at === i ? 0 : old));
}

/** Makes a finding smaller as long as `fails` says that it is the same one. */
export async function shrink(found: Input, fails: (input: Input) => Promise<boolean>): Promise<Input> {
  const end = performance.now() + MOST_TIME;
  let [smallest, attempts, isSmaller] = [found, 0, true];
  while (isSmaller) {
    isSmaller = false;
    for (const candidate of smallerInputs(smallest)) {
      attempts += 1;
      if (attempts > MOST_ATTEMPTS || performance.now() > end) return smallest;
      if (!(await fails(candidate))) continue;
      [smallest, isSmaller] = [candidate, true];
      break;
    }
  }
  return smallest;
}
