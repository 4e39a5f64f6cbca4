import { bytesKey, concatBytes, parseBytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { createSums, pointsOf } from '../crypto/noblePoints.ts';
import { labelTweak } from './sharedSecret.ts';

interface Label {
  readonly label: number;
  readonly tweak: Uint8Array;
  readonly point: Uint8Array;
}

/** An output, by its x-only key, that pays a key with a label. */
interface Labeled extends Label {
  readonly output: string;
}

/** Finds the output that is a key, 33 bytes, plus the point of a label. */
export type FindLabeled = (key: Uint8Array, outputs: ReadonlyMap<string, unknown>) => Labeled | undefined;

/** The label of change. @see BIP352 "Labels for change" */
export const CHANGE_LABEL = 0;
/** Labels have 32 bits. */
export const MAX_LABEL = 2 ** 32 - 1;
const [EVEN, ODD] = [0x02, 0x03];

/** Computes the points of labels once. @see BIP352 "Scanning" */
export function createLabelFinder(scanSecretKey: Uint8Array, labels: readonly number[], ecc: Ecc): FindLabeled {
  const points = pointsOf(ecc);
  const known = [...new Set([CHANGE_LABEL, ...labels])].map((label) => {
    const tweak = labelTweak(scanSecretKey, label);
    return { label, tweak, point: ecc.publicKey(tweak) };
  });
  const byPoint = new Map(known.map((each) => [bytesKey(each.point), each]));
  const sumsWith = createSums(known.map(({ point }) => point));
  /** The label found last: a sender who pays one several times pays it next, too. */
  let last: Label | undefined;
  const addLast: FindLabeled = (key, outputs) => {
    const sum = last && points.add([key, last.point]);
    const output = sum && bytesKey(sum, 1);
    return last && output !== undefined && outputs.has(output) ? { ...last, output } : undefined;
  };
  const addEach: FindLabeled = (key, outputs) => {
    for (const [i, sum] of sumsWith(key).entries()) {
      const [output, found] = [sum && bytesKey(sum), known[i]];
      if (found && output !== undefined && outputs.has(output)) return { ...found, output };
    }
    return undefined;
  };
  const subtractFromEach: FindLabeled = (key, outputs) => {
    const negated = withParity(key[0] === EVEN ? ODD : EVEN, key.subarray(1));
    // The y of an output is not known.
    const candidates = [...outputs.keys()].flatMap((output) => [EVEN, ODD].map((parity) => ({ output, parity })));
    for (const { output, parity } of candidates) {
      const difference = points.add([withParity(parity, parseBytesKey(output)), negated]);
      const found = difference && byPoint.get(bytesKey(difference));
      if (found) return { ...found, output };
    }
    return undefined;
  };
  return (key, outputs) => {
    const search = known.length <= LABELS_OF_OUTPUT * outputs.size ? addEach : subtractFromEach;
    const found = addLast(key, outputs) ?? search(key, outputs);
    last = found ?? last;
    return found;
  };
}

/** As many labels are added in the time that two points of an output take, between backends. */
const LABELS_OF_OUTPUT = 16;

const withParity = (parity: number, x: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(parity), x);
