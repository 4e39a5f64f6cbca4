import type { Network } from '../network/networks.ts';
import { splitChecksum, withChecksum } from './checksum.ts';
import { type ParseDescriptorOptions, parseDescriptor } from './parseDescriptor.ts';
import { refuse } from './refuse.ts';
import type { Descriptor } from './types.ts';

/** Values beside the scripts of a descriptor: the least with which all coins of its wallet are found. @see BIP393 */
export interface Annotations {
  /** The height of the first block that may pay the wallet. */
  readonly birthHeight?: number;
  /** How many addresses without a payment may lie between two with one. */
  readonly gapLimit?: number;
  /** The highest label of a wallet of silent payments. */
  readonly maxLabel?: number;
}

/** By key, with the most that a scan can use: heights of blocks are so large, and more addresses take minutes. */
const KEYS: Readonly<Record<string, { readonly name: keyof Annotations; readonly most: number }>> = {
  bh: { name: 'birthHeight', most: 0x7fff_ffff },
  gl: { name: 'gapLimit', most: 100_000 },
  ml: { name: 'maxLabel', most: 100_000 },
};

const PAIR = /^([a-z]+)=(0|[1-9][0-9]*)$/;

/**
 * Takes the annotations off a descriptor, and with them its checksum, which it checks. Ignores unknown keys. Bitcoin Core
 * has no annotations, and refuses them.
 * @throws `descriptor/invalid`, `descriptor/checksum`
 * @see BIP393 "Annotation Expressions"
 */
export function splitAnnotations(text: string): { readonly text: string; readonly annotations: Annotations } {
  if (!/^[^#]*\?/.test(text)) return { text, annotations: {} };
  const [script = '', written = '', ...more] = splitChecksum(text, false).body.split('?');
  if (more.length > 0) refuse('Annotations begin with one ?, and this has several');
  const pairs = written.split('&').map((pair, index) => {
    const [, key = '', value = ''] = PAIR.exec(pair) ?? [];
    return value === ''
      ? refuse(`Annotation ${index + 1} must be a key and a whole number, as bh=800000 is`)
      : { key, value };
  });
  if (new Set(pairs.map(({ key }) => key)).size < pairs.length) refuse('Two annotations have the same key');
  const known = pairs.flatMap(({ key, value }) => {
    const meaning = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (!meaning) return [];
    const number = Number(value);
    return number > meaning.most ? refuse(`The annotation ${key} is above ${meaning.most}`) : [[meaning.name, number]];
  });
  return { text: script, annotations: Object.fromEntries(known) };
}

/** Parses a descriptor as people keep it: with or without annotations. @throws as `parseDescriptor` */
export function parseAnnotatedDescriptor(
  text: string,
  network: Network,
  options: ParseDescriptorOptions,
): { readonly descriptor: Descriptor; readonly annotations: Annotations } {
  const { text: plain, annotations } = splitAnnotations(text);
  return { descriptor: parseDescriptor(plain, network, options), annotations };
}

/** Joins what several descriptors of a wallet say. If one of them does not say when it began, the wallet does not. */
export function joinAnnotations(list: readonly Annotations[]): Annotations {
  const births = list.flatMap(({ birthHeight }) => birthHeight ?? []);
  const [gaps, labels] = [
    list.flatMap(({ gapLimit }) => gapLimit ?? []),
    list.flatMap(({ maxLabel }) => maxLabel ?? []),
  ];
  return {
    ...(births.length > 0 && births.length === list.length && { birthHeight: Math.min(...births) }),
    ...(gaps.length > 0 && { gapLimit: Math.max(...gaps) }),
    ...(labels.length > 0 && { maxLabel: Math.max(...labels) }),
  };
}

/** Writes annotations behind a descriptor, with a new checksum. */
export function withAnnotations(text: string, annotations: Annotations): string {
  const pairs = Object.entries(KEYS).flatMap(([key, { name }]) => {
    const value = annotations[name];
    return value === undefined ? [] : [`${key}=${value}`];
  });
  return pairs.length === 0 ? text : withChecksum(`${splitChecksum(text, false).body}?${pairs.join('&')}`);
}
