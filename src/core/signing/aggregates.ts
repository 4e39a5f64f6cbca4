import { bytesKey, concatBytes, equalBytes } from '../bytes/compare.ts';
import { append } from '../bytes/groups.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { type AggregateKey, aggregateKeys, deriveAggregateKey } from '../crypto/musig2/keyAggregation.ts';
import { type Aggregate, syntheticXpub } from '../descriptors/deriveKey.ts';
import { unlessRefused } from '../errors.ts';
import { childDeriver, type ExtendedKey, keyFingerprint } from '../keys/bip32.ts';
import { isHardened, type KeyOrigin } from '../keys/path.ts';
import type { TaprootSignatureData } from './signatureData.ts';

/** Real paths have one or two steps. @see BIP328 */
const MAX_STEPS = 8;

/** As many as the keys of one `multi_a`. */
const MAX_PARTICIPANTS = 999;

/**
 * Limits of the work that the records of one PSBT may cause, since each step and each participant costs a point
 * multiplication. Aggregates beyond the limits are not found.
 */
const STEPS = { base: 256, perInput: 8 };
const PARTICIPANTS = { base: MAX_PARTICIPANTS, perInput: 4 };
/** Looking up this many participants takes as long as one step. */
const PARTICIPANTS_PER_STEP = 16;

interface DerivedAggregate {
  readonly key: ExtendedKey;
  readonly tweaks: readonly Uint8Array[];
}

/** Computes each sum and each derivation step of one PSBT once, for all inputs and roles. */
export interface Aggregates {
  /** Finds the aggregate keys that a key equals, or may be derived from by its origin. */
  readonly candidates: (taproot: TaprootSignatureData, publicKey: Uint8Array) => readonly Aggregate[];
  /** Adds up the participants' keys and derives the key; `undefined` if that is another key, or exceeds the limits. */
  readonly aggregate: (record: Aggregate, publicKey: Uint8Array, origin?: KeyOrigin) => AggregateKey | undefined;
  /** Caches results by name, so that a signature is aggregated once. */
  readonly remember: (name: string, compute: () => Uint8Array | undefined) => Uint8Array | undefined;
}

export function createAggregates(ecc: Ecc, inputCount: number): Aggregates {
  const steps = createAllowance(STEPS, inputCount);
  const participants = createAllowance(PARTICIPANTS, inputCount);
  const sums = new Map<Aggregate, AggregateKey | undefined>();
  const sumsByName = new Map<string, AggregateKey | undefined>();
  const derived = new Map<string, DerivedAggregate | undefined>();
  const indexes = new WeakMap<TaprootSignatureData, AggregateIndex>();
  const remembered = new Map<string, Uint8Array | undefined>();

  const sum = (record: Aggregate): AggregateKey | undefined =>
    once(sums, record, () => {
      const { length } = record.participants;
      if (length > MAX_PARTICIPANTS) return undefined;
      const sumKey = once(sumsByName, bytesKey(concatBytes(...record.participants)), () =>
        participants(length) ? unlessRefused(() => aggregateKeys(record.participants)) : undefined,
      );
      return sumKey && equalBytes(sumKey.publicKey, record.aggregatePubkey) ? sumKey : undefined;
    });

  const derive = (publicKey: Uint8Array, path: readonly number[]): DerivedAggregate | undefined => {
    let at: DerivedAggregate | undefined = { key: syntheticXpub(publicKey), tweaks: [] };
    let name = bytesKey(publicKey);
    for (const child of path) {
      const parent: DerivedAggregate = at;
      name += `/${child}`;
      at = once(derived, name, () => (steps(1) ? derivedStep(parent, child, ecc) : undefined));
      if (!at) return undefined;
    }
    return at;
  };

  return {
    candidates: (taproot, publicKey) => {
      const cached = indexes.get(taproot);
      const index = cached?.size === taproot.aggregates.size ? cached : indexAggregates(taproot);
      indexes.set(taproot, index);
      const origin = derivableOrigin(taproot.keys.get(bytesKey(publicKey))?.origin);
      const own = index.byKey.get(bytesKey(publicKey)) ?? [];
      const parents = origin ? (index.byFingerprint.get(bytesKey(origin.fingerprint)) ?? []) : [];
      return [...own, ...parents.filter((parent) => !own.includes(parent))];
    },
    aggregate: (record, publicKey, origin) => {
      const { aggregatePubkey } = record;
      const isItself = equalBytes(aggregatePubkey.slice(1), publicKey);
      const path = isItself ? [] : derivableOrigin(origin)?.path;
      const found = path && derive(aggregatePubkey, path);
      if (!found || !equalBytes(found.key.publicKey.slice(1), publicKey)) return undefined;
      if (!steps(Math.ceil(record.participants.length / PARTICIPANTS_PER_STEP))) return undefined;
      const plain = sum(record);
      return plain && deriveAggregateKey(plain, found.key.publicKey, found.tweaks);
    },
    remember: (name, compute) => once(remembered, name, compute),
  };
}

function derivableOrigin(origin: KeyOrigin | undefined): KeyOrigin | undefined {
  return origin && origin.path.length <= MAX_STEPS && !origin.path.some(isHardened) ? origin : undefined;
}

function derivedStep({ key, tweaks }: DerivedAggregate, child: number, ecc: Ecc): DerivedAggregate | undefined {
  const step = unlessRefused(() => childDeriver(key, ecc)(child));
  return step && { key: step.key, tweaks: [...tweaks, step.tweak] };
}

interface AggregateIndex {
  readonly size: number;
  readonly byKey: ReadonlyMap<string, readonly Aggregate[]>;
  readonly byFingerprint: ReadonlyMap<string, readonly Aggregate[]>;
}

function indexAggregates({ aggregates }: TaprootSignatureData): AggregateIndex {
  const byKey = new Map<string, Aggregate[]>();
  const byFingerprint = new Map<string, Aggregate[]>();
  for (const record of aggregates.values()) {
    const publicKey = record.aggregatePubkey;
    append(byKey, bytesKey(publicKey.slice(1)), record);
    append(byFingerprint, bytesKey(keyFingerprint({ publicKey })), record);
  }
  return { size: aggregates.size, byKey, byFingerprint };
}

/** Creates a budget: each call tells whether the work still fits, and deducts it. */
function createAllowance(of: typeof STEPS, inputCount: number): (units: number) => boolean {
  let remaining = of.base + of.perInput * inputCount;
  return (units) => {
    if (units > remaining) return false;
    remaining -= units;
    return true;
  };
}

function once<K, V>(cache: Map<K, V>, name: K, compute: () => V): V {
  const value = cache.get(name);
  if (value !== undefined || cache.has(name)) return value as V;
  const computed = compute();
  cache.set(name, computed);
  return computed;
}
