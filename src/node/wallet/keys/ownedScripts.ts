import { bytesKey, parseBytesKey } from '../../../core/bytes/compare.ts';
import { instructions } from '../../../core/script/instructions.ts';
import { parseScriptKey, type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';
import { orderKey, parseOrderKey } from '../../store/orderKey.ts';
import type { RecordCodec, Table } from '../../store/tables.ts';
import type { DescriptorTerms, IndexRange, OwnedDescriptor } from './ownedDescriptor.ts';
import { createScriptKeyCache } from './scriptKeyCache.ts';

/** An index of a descriptor, which its number stands for. */
export interface ScriptPlace {
  readonly number: number;
  readonly index: number;
}

const NUMBER_SIZE = 4;
const PLACE_SIZE = 2 * NUMBER_SIZE;

/** Two big-endian u32 for each place. */
export const placesCodec: RecordCodec<readonly ScriptPlace[]> = {
  encode: (places) => parseBytesKey(places.map(({ number, index }) => orderKey(number) + orderKey(index)).join('')),
  decode: (bytes) =>
    Array.from({ length: bytes.length / PLACE_SIZE }, (_, i) => {
      const [at, middle] = [PLACE_SIZE * i, PLACE_SIZE * i + NUMBER_SIZE];
      const number = parseOrderKey(bytesKey(bytes, at, middle));
      return { number, index: parseOrderKey(bytesKey(bytes, middle, at + PLACE_SIZE)) };
    }),
};

export interface OwnedScripts {
  readonly scriptPubKeys: () => Iterable<Uint8Array>;
  readonly findPlaces: (scriptPubKey: Uint8Array) => readonly ScriptPlace[];
  /** Returns another list once the places change; `undefined` for foreign outputs. */
  readonly placeList: (scriptPubKey: Uint8Array) => readonly ScriptPlace[] | undefined;
  /** Makes the lookups that a descriptor could answer derive its indexes that lack scripts. */
  readonly expectMore: (number: number) => void;
  /** Makes the next lookup look at all descriptors. */
  readonly forgetCaches: () => void;
  /** Derives what is lacking of the descriptors of which other scripts have been derived before. */
  readonly deriveMore: () => void;
  /** @see KeyStore */
  readonly faults: () => Iterable<string>;
  /** Drops the scripts below the ranges. @see Bitcoin Core `SetCache` */
  readonly dropBelow: (owned: OwnedDescriptor) => void;
}

const NO_PLACES: readonly ScriptPlace[] = [];
/** Limits the indexes derived below a range. Core derives all of them. */
const MAX_BELOW_RANGE = 10_000;

/** Returns the lowest index that can become the wallet's. */
export const lowestIndex = ({ source: { first } }: Pick<DescriptorTerms, 'source'>): number =>
  first > MAX_BELOW_RANGE ? first : 0;

/**
 * Returns the indexes that a top-up up to `end`, exclusive, leaves to a descriptor. Core counts indexes instead of
 * listing them: after an import, those below the range are the wallet's, too, until the wallet is loaded again.
 * @see Bitcoin Core `TopUpWithDB`, `DescriptorScriptPubKeyMan::m_max_cached_index`
 */
export function toppedUp(
  { source: { first }, watched, counted }: DescriptorTerms,
  end: number,
): Pick<DescriptorTerms, 'watched' | 'counted'> {
  const from = first - counted > MAX_BELOW_RANGE ? first : counted;
  const { low, high } = isEmpty(watched) ? { low: from, high: from } : watched;
  return { watched: { low: Math.min(low, from), high: Math.max(high, end) }, counted: end };
}

export const NO_INDEXES: IndexRange = { low: 0, high: 0 };

export const isEmpty = ({ low, high }: IndexRange): boolean => low === high;

/** Returns the part of a range that is not below an index. */
export const fromIndex = ({ low, high }: IndexRange, first: number): IndexRange =>
  high <= first ? NO_INDEXES : { low: Math.max(low, first), high };

interface ScriptParts {
  readonly places: Table<ScriptKey, readonly ScriptPlace[]>;
  readonly descriptors: () => Iterable<OwnedDescriptor>;
  readonly find: (number: number) => OwnedDescriptor | undefined;
  readonly setDerived: (owned: OwnedDescriptor, derived: IndexRange) => void;
  readonly scriptsAt: (owned: OwnedDescriptor, index: number) => readonly Uint8Array[];
  readonly onAdded: (scripts: readonly ScriptKey[]) => void;
}

/**
 * Derives scripts before the first lookup that they could answer: of a descriptor with a range, that of a script which differs
 * from its first one in what it pushes alone.
 */
export function createOwnedScripts({
  places,
  descriptors,
  find,
  setDerived,
  scriptsAt,
  onAdded,
}: ScriptParts): OwnedScripts {
  const cachedKey = createScriptKeyCache();
  /** The numbers of the descriptors that may lack scripts; `undefined` before these are looked for. */
  let lacking: Set<number> | undefined;
  /** The lengths of the scripts that they may lack, or `any`; `undefined` after a change. */
  let lackingLengths: ReadonlySet<number> | 'any' | undefined;
  const add = (owned: OwnedDescriptor, index: number): readonly ScriptKey[] =>
    scriptsAt(owned, index).flatMap((script) => {
      const key = scriptKey(script);
      const before = places.get(key) ?? NO_PLACES;
      if (before.some(({ number }) => number === owned.number)) return [];
      places.set(key, [...before, { number: owned.number, index }]);
      return before.length === 0 ? [key] : [];
    });
  const derive = (owned: OwnedDescriptor): void => {
    const { watched, derived } = owned;
    const added: ScriptKey[] = [];
    for (const { low, high } of missingIn(watched, derived)) {
      for (let index = low; index < high; index += 1) added.push(...add(owned, index));
    }
    if (derived.low !== watched.low || derived.high !== watched.high) setDerived(owned, watched);
    if (added.length > 0) onAdded(added);
  };
  /** Derives what is lacking of the descriptors that a test chooses. */
  const deriveFor = (isWanted: (owned: OwnedDescriptor) => boolean): void => {
    lacking ??= new Set([...descriptors()].map(({ number }) => number));
    for (const number of [...lacking]) {
      const owned = find(number);
      if (owned && !isWanted(owned)) continue;
      if (owned) derive(owned);
      lacking.delete(number);
      lackingLengths = undefined;
    }
  };
  const firstScripts = new WeakMap<OwnedDescriptor['derive'], readonly Uint8Array[]>();
  /** Returns scripts that those of a descriptor differ from in what they push alone; `any` if they may be others. */
  const samplesOf = (owned: OwnedDescriptor): readonly Uint8Array[] | 'any' => {
    const { watched, isRanged, derive: deriver } = owned;
    if (!isRanged || isEmpty(watched)) return 'any';
    const first = firstScripts.get(deriver) ?? scriptsAt(owned, watched.low);
    firstScripts.set(deriver, first);
    return first.length === 0 ? 'any' : first;
  };
  const mayHave = (owned: OwnedDescriptor, script: Uint8Array): boolean => {
    const samples = samplesOf(owned);
    return samples === 'any' || samples.some((sample) => isSameButPushes(sample, script));
  };
  /** Tells quickly that no descriptor lacks a script. */
  const mayLack = ({ length }: Uint8Array): boolean => {
    if (!lacking || lacking.size === 0) return !lacking;
    if (!lackingLengths) {
      const samples = [...lacking].map((number) => find(number)).map((owned) => (owned ? samplesOf(owned) : 'any'));
      const known = samples.flatMap((each) => (each === 'any' ? [] : [each.map((sample) => sample.length)]));
      lackingLengths = known.length < samples.length ? 'any' : new Set(known.flat());
    }
    return lackingLengths === 'any' || lackingLengths.has(length);
  };
  const derivedScripts = (owned: OwnedDescriptor): ReadonlySet<ScriptKey> => {
    const scripts = new Set<ScriptKey>();
    for (let index = owned.derived.low; index < owned.derived.high; index += 1) {
      for (const script of scriptsAt(owned, index)) scripts.add(scriptKey(script));
    }
    return scripts;
  };
  const findPlaces = (script: Uint8Array): readonly ScriptPlace[] | undefined => {
    if (mayLack(script)) deriveFor((owned) => mayHave(owned, script));
    return places.get(cachedKey(script));
  };
  return {
    findPlaces: (script) => findPlaces(script) ?? NO_PLACES,
    placeList: findPlaces,
    *scriptPubKeys() {
      deriveFor(() => true);
      for (const key of places.keys()) yield parseScriptKey(key);
    },
    expectMore: (number) => {
      lacking?.add(number);
      lackingLengths = undefined;
    },
    forgetCaches: () => {
      lacking = undefined;
      lackingLengths = undefined;
    },
    deriveMore: () => {
      if (lacking?.size !== 0) deriveFor(({ derived }) => !isEmpty(derived));
    },
    *faults() {
      let others = 0;
      for (const [, list] of places.entries()) others += list.length;
      for (const owned of descriptors()) {
        const scripts = derivedScripts(owned);
        const found = [...scripts].filter((key) => places.get(key)?.some(({ number }) => number === owned.number));
        if (found.length < scripts.size) yield `lacks a script of its descriptor ${owned.number}`;
        others -= found.length;
      }
      if (others !== 0) yield 'has scripts of no descriptor';
    },
    dropBelow: ({ number, source: { first } }) => {
      for (const [key, list] of [...places.entries()]) {
        const kept = list.filter((place) => place.number !== number || place.index >= first);
        if (kept.length === 0) places.delete(key);
        else if (kept.length < list.length) places.set(key, kept);
      }
    },
  };
}

/** Tells whether two scripts have the same instructions, each push of the same length. */
function isSameButPushes(script: Uint8Array, other: Uint8Array): boolean {
  if (script.length !== other.length) return false;
  let start = 0;
  for (const instruction of instructions(script)) {
    if (!instruction) return false;
    const { dataStart, end } = instruction;
    for (let i = start; i < dataStart; i += 1) if (script[i] !== other[i]) return false;
    start = end;
  }
  return true;
}

function missingIn(watched: IndexRange, derived: IndexRange): readonly IndexRange[] {
  if (isEmpty(derived)) return [watched];
  return [
    { low: watched.low, high: derived.low },
    { low: derived.high, high: watched.high },
  ];
}
