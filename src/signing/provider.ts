import { byteName } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { hash160, ripemd160 } from '../crypto/hash.ts';
import { payToWitness, wrapInWitness } from '../script/build.ts';
import { tapTweakHash } from '../script/taproot.ts';
import type { SigningRules } from './rules.ts';

/** A secret key, and the form of public key that it signs for. */
export interface SigningKey {
  readonly secretKey: Uint8Array;
  readonly isCompressed: boolean;
}

/** A key that can sign. */
interface KnownKey {
  readonly secretKey: Uint8Array;
  /** 33 or 65 bytes, as scripts show it. */
  readonly publicKey: Uint8Array;
}

/** What a signer knows: keys by the hash of their public key, scripts by theirs. @see Bitcoin Core `SigningProvider` */
export interface Provider {
  readonly key: (hash: Uint8Array) => KnownKey | undefined;
  readonly script: (hash: Uint8Array) => Uint8Array | undefined;
  /** The key that signs for a taproot output key. */
  readonly taprootKey: (outputKey: Uint8Array) => Uint8Array | undefined;
}

/**
 * Gathers keys and scripts. A script is known under its own hash, and so is its P2WSH form.
 * @see Bitcoin Core `FillableSigningProvider`
 */
export function createProvider(
  given: { readonly keys: readonly SigningKey[]; readonly scripts: readonly Uint8Array[] },
  rules: SigningRules,
  ecc: Ecc,
): Provider {
  const keys = new Map<string, KnownKey>();
  const scripts = new Map<string, Uint8Array>();
  const addScript = (script: Uint8Array): void => {
    if (script.length <= rules.maxScriptSize) scripts.set(byteName(hash160(script)), script);
  };
  for (const { secretKey, isCompressed } of given.keys) {
    const publicKey = ecc.publicKey(secretKey, isCompressed);
    const hash = hash160(publicKey);
    keys.set(byteName(hash), { secretKey, publicKey });
    if (isCompressed && rules.knowsKeyHashScripts) addScript(payToWitness(0, hash));
  }
  for (const script of given.scripts) {
    addScript(script);
    addScript(wrapInWitness(script));
  }
  const key = (hash: Uint8Array): KnownKey | undefined => keys.get(byteName(hash));
  const outputKeys = lazyOutputKeys(keys.values(), rules, ecc);
  return {
    key,
    script: (hash) => scripts.get(byteName(hash)),
    taprootKey: (outputKey) =>
      (key(hash160(evenKey(outputKey))) ?? key(hash160(oddKey(outputKey))))?.secretKey ?? outputKeys(outputKey),
  };
}

const evenKey = (x: Uint8Array): Uint8Array => Uint8Array.of(0x02, ...x);
const oddKey = (x: Uint8Array): Uint8Array => Uint8Array.of(0x03, ...x);

/** What names a P2WSH script: the hash of a witness program, cut to the size of the others. */
export const scriptIdOf = (program: Uint8Array): Uint8Array => ripemd160(program);

/** The tweaked keys of BIP86, made when one is first asked for: a point addition a key. */
function lazyOutputKeys(
  keys: Iterable<KnownKey>,
  { tweaksKeys }: SigningRules,
  ecc: Ecc,
): (outputKey: Uint8Array) => Uint8Array | undefined {
  let known: Map<string, Uint8Array> | undefined;
  return (outputKey) => {
    if (!tweaksKeys) return undefined;
    known ??= new Map([...keys].flatMap(({ secretKey, publicKey }) => tweakedKey(secretKey, publicKey, ecc)));
    return known.get(byteName(outputKey));
  };
}

function tweakedKey(
  secretKey: Uint8Array,
  publicKey: Uint8Array,
  ecc: Ecc,
): readonly (readonly [string, Uint8Array])[] {
  if (publicKey.length !== 33) return [];
  const internalKey = publicKey.slice(1);
  const tweak = tapTweakHash(internalKey);
  const output = ecc.tweakPublicKey(internalKey, tweak);
  const secret = ecc.tweakSecretKey(secretKey, tweak);
  return output && secret ? [[byteName(output.publicKey), secret]] : [];
}
