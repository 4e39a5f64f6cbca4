import { assertBytes, isBytes } from '../bytes/assertBytes.ts';
import { bytesKey } from '../bytes/compare.ts';
import { assertKnownOptions, assertList, assertShape, isObject, type OptionNames } from '../bytes/knownOptions.ts';
import { computedPair } from '../crypto/computedPairs.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import type { EccOption } from '../crypto/eccOption.ts';
import { hash160 } from '../crypto/hash.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import type { Derived } from '../descriptors/derive.ts';
import { type Aggregate, type DerivedKey, writtenKeys } from '../descriptors/deriveKey.ts';
import { keyExpressions } from '../descriptors/keyExpressions.ts';
import { type TaprootSpend, taprootSpend } from '../descriptors/taprootSpend.ts';
import type { Descriptor } from '../descriptors/types.ts';
import type { KeyOrigin } from '../keys/path.ts';
import { payToWitness, wrapInWitness } from '../script/build.ts';
import { CURRENT_RULES, type SigningRules } from './signingRules.ts';

/** A secret key, and the form of public key that it signs for. */
export interface SigningKey {
  readonly secretKey: Uint8Array;
  readonly isCompressed: boolean;
}

export interface KnownKey {
  readonly secretKey: Uint8Array;
  /** 33 or 65 bytes, as scripts show it; or x-only. */
  readonly publicKey: Uint8Array;
}

/**
 * Looks up keys and scripts by their HASH160, and taproot spend data by output key.
 * @see Core `SigningProvider`
 */
export interface SigningProvider {
  readonly key: (hash: Uint8Array) => KnownKey | undefined;
  /** By x-only public key. */
  readonly xOnlyKey: (publicKey: Uint8Array) => KnownKey | undefined;
  /** Also of a key that cannot sign. */
  readonly publicKey: (hash: Uint8Array) => Uint8Array | undefined;
  readonly origin: (publicKey: Uint8Array) => KeyOrigin | undefined;
  readonly xOnlyOrigin: (publicKey: Uint8Array) => KeyOrigin | undefined;
  readonly script: (hash: Uint8Array) => Uint8Array | undefined;
  readonly taproot: (outputKey: Uint8Array) => TaprootSpend | undefined;
  readonly aggregates: readonly Aggregate[];
}

export const NO_PROVIDER: SigningProvider = {
  key: () => undefined,
  xOnlyKey: () => undefined,
  publicKey: () => undefined,
  origin: () => undefined,
  xOnlyOrigin: () => undefined,
  script: () => undefined,
  taproot: () => undefined,
  aggregates: [],
};

const bothKeys = (x: Uint8Array): readonly Uint8Array[] => [Uint8Array.of(0x02, ...x), Uint8Array.of(0x03, ...x)];

/** Tries both parities of an x-only key. */
function tryBothParities<T>(of: (publicKey: Uint8Array) => T | undefined): (x: Uint8Array) => T | undefined {
  return (x) => {
    for (const publicKey of bothKeys(x)) {
      const result = of(publicKey);
      if (result) return result;
    }
    return undefined;
  };
}

/** Options of what signers know of keys and scripts. */
export interface SigningProviderOptions extends EccOption {
  /** Default `CURRENT_RULES`. */
  readonly rules?: SigningRules;
}

const PROVIDER_OPTIONS: OptionNames<SigningProviderOptions> = { ecc: true, rules: true };

/**
 * Creates a provider of keys, and of scripts with their P2WSH scripts. @see Core `FillableSigningProvider`
 *
 * @example
 * ```ts
 * import { createSigningProvider, nobleEcc } from 'countersign';
 *
 * const secretKey = new Uint8Array(32).fill(1);
 * const keys = [{ secretKey, isCompressed: true }];
 * const provider = createSigningProvider({ keys, scripts: [] });
 * provider.xOnlyKey(nobleEcc.publicKey(secretKey, true).slice(1)) !== undefined; // true
 * ```
 */
export function createSigningProvider(
  known: { readonly keys: readonly SigningKey[]; readonly scripts: readonly Uint8Array[] },
  options: SigningProviderOptions = {},
): SigningProvider {
  assertShape('known', isObject(known), 'an object with keys and scripts');
  assertList('keys', known.keys);
  assertList('scripts', known.scripts);
  for (const key of known.keys)
    assertShape('keys', isObject(key) && isBytes(key.secretKey), 'keys with secretKey, a Uint8Array');
  for (const script of known.scripts) assertBytes('scripts', script);
  assertKnownOptions(options, PROVIDER_OPTIONS);
  const { rules = CURRENT_RULES, ecc = nobleEcc } = options;
  const keys = new Map<string, KnownKey>();
  const scripts = createScripts(rules.maxScriptSize);
  for (const { secretKey, isCompressed } of known.keys) {
    const publicKey = ecc.publicKey(secretKey, isCompressed);
    const hash = hash160(publicKey);
    keys.set(bytesKey(hash), computedPair(withSecretKey({ publicKey }, secretKey)));
    if (isCompressed && rules.knowsKeyHashScripts) scripts.add(payToWitness(0, hash));
  }
  for (const script of known.scripts) {
    scripts.add(script);
    scripts.add(wrapInWitness(script));
  }
  const key = (hash: Uint8Array): KnownKey | undefined => keys.get(bytesKey(hash));
  return {
    ...NO_PROVIDER,
    key,
    xOnlyKey: tryBothParities((publicKey) => key(hash160(publicKey))),
    publicKey: (hash) => key(hash)?.publicKey,
    script: scripts.get,
    taproot: rules.tweaksKeys ? keyOutputs(keys.values(), ecc) : () => undefined,
  };
}

function createScripts(maxSize: number): {
  readonly add: (script: Uint8Array) => void;
  readonly get: (hash: Uint8Array) => Uint8Array | undefined;
} {
  const scripts = new Map<string, Uint8Array>();
  return {
    add: (script) => {
      if (script.length <= maxSize) scripts.set(bytesKey(hash160(script)), script);
    },
    get: (hash) => scripts.get(bytesKey(hash)),
  };
}

/** Finds taproot outputs of keys without scripts, which cost one point addition per key. @see BIP86 */
function keyOutputs(keys: Iterable<KnownKey>, ecc: Ecc): SigningProvider['taproot'] {
  let spends: Map<string, TaprootSpend> | undefined;
  return (outputKey) => {
    spends ??= new Map(
      [...keys]
        .filter(({ publicKey }) => publicKey.length === 33)
        .map(({ publicKey }) => taprootSpend(publicKey.slice(1), [], ecc))
        .map((spend) => [bytesKey(spend.outputKey), spend]),
    );
    return spends.get(bytesKey(outputKey));
  };
}

/** Options of what signers know of descriptors. */
export interface DescriptorProviderOptions {
  readonly hidesOrigins?: boolean;
  readonly written?: readonly Descriptor[];
}

const DESCRIPTOR_PROVIDER_OPTIONS: OptionNames<DescriptorProviderOptions> = { hidesOrigins: true, written: true };

const DERIVED = 'a list of outputs, as createDeriver makes them';

/**
 * Creates a provider from descriptors derived at any number of indexes. `hidesOrigins` withholds key origins; extended
 * private keys of the `written` descriptors also sign as themselves.
 * @see Core `FlatSigningProvider`, `HidingSigningProvider`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, createDescriptorProvider, deriveForPsbt, updatePsbt } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const provider = createDescriptorProvider(deriveForPsbt(psbt, me.descriptors));
 * updatePsbt(psbt, { provider }).inputs[0]?.bip32Derivations?.length; // 1
 * ```
 */
export function createDescriptorProvider(
  derived: Iterable<Derived>,
  options: DescriptorProviderOptions = {},
): SigningProvider {
  const isIterable = typeof derived === 'object' && derived !== null && Symbol.iterator in derived;
  assertShape('derived', isIterable, DERIVED);
  assertKnownOptions(options, DESCRIPTOR_PROVIDER_OPTIONS);
  const { hidesOrigins = false, written = [] } = options;
  const roots = new Map<string, KnownKey>();
  for (const key of writtenKeys(written.flatMap(keyExpressions))) roots.set(keyName(key.publicKey), key);
  const keys = new Map<string, DerivedKey>();
  const scripts = createScripts(Number.POSITIVE_INFINITY);
  const taproots = new Map<string, TaprootSpend>();
  const aggregates = new Map<string, Aggregate>();
  const leafKeys = new Map<string, Uint8Array>();
  for (const output of derived) {
    assertShape('derived', isObject(output) && Array.isArray(output.keys), DERIVED);
    for (const key of output.keys) addKey(keys, key);
    for (const script of output.scripts) scripts.add(script);
    if (output.taproot) {
      taproots.set(bytesKey(output.taproot.outputKey), output.taproot);
      // Leaves name keys by the hash of their 32 bytes.
      for (const { publicKey } of output.keys) leafKeys.set(bytesKey(hash160(publicKey.slice(1))), publicKey);
    }
    for (const aggregate of output.aggregates) aggregates.set(bytesKey(aggregate.aggregatePubkey), aggregate);
  }
  const key = (hash: Uint8Array): KnownKey | undefined => {
    const name = bytesKey(hash);
    const derivedKey = keys.get(name);
    return derivedKey && hasSecretKey(derivedKey) ? derivedKey : roots.get(name);
  };
  const origin = (publicKey: Uint8Array): KeyOrigin | undefined =>
    hidesOrigins ? undefined : keys.get(keyName(publicKey))?.origin;
  return {
    key,
    xOnlyKey: tryBothParities((publicKey) => key(hash160(publicKey))),
    publicKey: (hash) => keys.get(bytesKey(hash))?.publicKey ?? leafKeys.get(bytesKey(hash)),
    origin,
    xOnlyOrigin: tryBothParities(origin),
    script: scripts.get,
    taproot: (outputKey) => taproots.get(bytesKey(outputKey)),
    aggregates: [...aggregates.values()],
  };
}

const hasSecretKey = (key: DerivedKey): key is DerivedKey & KnownKey => key.secretKey !== undefined;

const keyName = (publicKey: Uint8Array): string => bytesKey(hash160(publicKey));

/** Takes the origin from the first expression for a key, and the private key from any. */
function addKey(keys: Map<string, DerivedKey>, key: DerivedKey): void {
  const name = keyName(key.publicKey);
  const existing = keys.get(name);
  if (!existing) keys.set(name, key);
  else if (key.secretKey && !existing.secretKey) keys.set(name, withSecretKey({ ...existing }, key.secretKey));
}

/** Looks up in the first, then in the second. */
export function joinProviders(first: SigningProvider, second: SigningProvider): SigningProvider {
  return {
    key: (hash) => first.key(hash) ?? second.key(hash),
    xOnlyKey: (publicKey) => first.xOnlyKey(publicKey) ?? second.xOnlyKey(publicKey),
    publicKey: (hash) => first.publicKey(hash) ?? second.publicKey(hash),
    origin: (publicKey) => first.origin(publicKey) ?? second.origin(publicKey),
    xOnlyOrigin: (publicKey) => first.xOnlyOrigin(publicKey) ?? second.xOnlyOrigin(publicKey),
    script: (hash) => first.script(hash) ?? second.script(hash),
    taproot: (outputKey) => first.taproot(outputKey) ?? second.taproot(outputKey),
    aggregates: [...first.aggregates, ...second.aggregates],
  };
}
