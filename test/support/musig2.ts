import {
  type AggregateKey,
  aggregateKeys,
  aggregateNonces,
  generateNonce,
  type Musig2Session,
  musig2Session,
  nobleEcc,
  parseHex,
  type SecretNonce,
  tweakAggregateKey,
} from './library.ts';

/** The order of secp256k1. */
export const ORDER = parseHex('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');
export const ZERO = new Uint8Array(32);
export const NOTHING = new Uint8Array(0);
export const filled = (byte: number, size = 32): Uint8Array => new Uint8Array(size).fill(byte);
export const concat = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** Picks items of a vector's list by their indices. */
export const pick = <T>(from: readonly T[], indices: readonly number[]): readonly T[] =>
  indices.map((index) => {
    const item = from[index];
    if (item === undefined) throw new Error(`the vectors have no item ${index}`);
    return item;
  });
/** Picks one item of a vector's list. */
export const one = <T>(from: readonly T[], index: number): T => pick(from, [index])[0] as T;

export interface Tweak {
  readonly tweak: Uint8Array;
  readonly isXOnly: boolean;
}

/** Aggregates keys and applies tweaks in their order. */
export const tweaked = (keys: readonly Uint8Array[], tweaks: readonly Tweak[]): AggregateKey =>
  tweaks.reduce(
    (aggregate, { tweak, isXOnly }) => tweakAggregateKey(aggregate, tweak, isXOnly ? 'x-only' : 'plain'),
    aggregateKeys(keys),
  );

interface Participant {
  readonly secretKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly secretNonce: SecretNonce;
  readonly publicNonce: Uint8Array;
}

interface Prepared {
  readonly aggregate: AggregateKey;
  readonly participants: readonly Participant[];
  readonly session: Musig2Session;
  readonly message: Uint8Array;
}

/** Runs a session up to the first partial signature. */
export function prepare({
  secretKeys,
  rands,
  tweaks,
  message,
  extraInput,
}: {
  readonly secretKeys: readonly Uint8Array[];
  readonly rands: readonly Uint8Array[];
  readonly tweaks: readonly Tweak[];
  readonly message: Uint8Array;
  readonly extraInput?: Uint8Array | undefined;
}): Prepared {
  const aggregate = tweaked(
    secretKeys.map((key) => nobleEcc.publicKey(key)),
    tweaks,
  );
  const participants = secretKeys.map((secretKey, i) => {
    const publicKey = nobleEcc.publicKey(secretKey);
    const aggregateKey = aggregate.publicKey.slice(1);
    const given = { rand: one(rands, i), secretKey, publicKey, aggregateKey, message };
    return { secretKey, publicKey, ...generateNonce({ ...given, ...(extraInput && { extraInput }) }) };
  });
  const aggregateNonce = aggregateNonces(participants.map(({ publicNonce }) => publicNonce));
  return { aggregate, participants, session: musig2Session({ aggregateNonce, aggregate, message }), message };
}

/** Two signers with fixed keys and randomness. */
export const PAIR = {
  secretKeys: [filled(1), filled(2)],
  rands: [filled(3), filled(4)],
  tweaks: [],
  message: filled(5),
};
