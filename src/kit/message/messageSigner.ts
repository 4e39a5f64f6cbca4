import { formatAddress } from '../../core/address/address.ts';
import { equalBytes } from '../../core/bytes/compare.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { hash160 } from '../../core/crypto/hash.ts';
import { createDeriver, type Derived, isRanged, singlePaths } from '../../core/descriptors/derive.ts';
import { flatKeys } from '../../core/descriptors/joinPaths.ts';
import { taprootSpend } from '../../core/descriptors/taprootSpend.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { BtcError, isBtcError } from '../../core/errors.ts';
import { type HeldKey, isExtended, isMaster } from '../../core/holder/heldKey.ts';
import type { OfferedWallet } from '../../core/holder/heldWallets.ts';
import { derivePath } from '../../core/keys/bip32.ts';
import { formatPath, HARDENED } from '../../core/keys/path.ts';
import type { Network } from '../../core/network/networks.ts';
import { payToPubkeyHash, payToTaproot, payToWitness, wrapInScriptHash } from '../../core/script/build.ts';
import { classifyScript } from '../../core/script/template.ts';
import {
  createDescriptorProvider,
  createSigningProvider,
  joinProviders,
  type SigningKey,
  type SigningProvider,
} from '../../core/signing/signingProvider.ts';
import { CURRENT_RULES } from '../../core/signing/signingRules.ts';
import type { SingleKeyAddress } from './messageRequest.ts';
import { type SignMessageInput, signMessage } from './signMessage.ts';

/** Indexes of a descriptor at which an address is sought. */
const SEARCHED = 1000;

/** Who is to sign: an address, whose path may be known, or the key at a path. */
export type WantedSigner =
  | { readonly address: string; readonly scriptPubKey: Uint8Array; readonly path?: readonly number[] }
  | { readonly path: readonly number[]; readonly kind: SingleKeyAddress };

/** The keys and wallets among which a signer is sought. */
export interface SigningSource {
  readonly keys: readonly HeldKey[];
  readonly wallets: readonly OfferedWallet[];
  readonly network: Network;
  readonly ecc: Ecc;
}

/** What signs for an address and for coins beside it. */
export interface MessageSigner {
  readonly address: string;
  readonly scriptPubKey: Uint8Array;
  readonly provider: SigningProvider;
  /** A wallet has the address, though keys at hand may not suffice to sign for it. */
  readonly isFound: boolean;
  readonly notFound?: NotFound;
}

/** Where an address was sought in vain: at its path, or in `wallets`, in which a path like `examplePath` would lead to it. */
export type NotFound =
  | { readonly kind: 'path'; readonly reason: string }
  | { readonly kind: 'wallets'; readonly searched: string; readonly wallets: string; readonly examplePath: string };

/**
 * Finds the keys and scripts of an address, and of coins by their scripts.
 * @throws `message/incomplete` for a path below no key; as `createDeriver`
 */
export function findMessageSigner(
  wanted: WantedSigner,
  coins: readonly Uint8Array[],
  source: SigningSource,
): MessageSigner {
  const { keys, wallets, ecc, network } = source;
  const { path } = wanted;
  const keyAt = path ? keysAt(path, keys, ecc) : [];
  const scriptPubKey = 'kind' in wanted ? scriptAt(wanted, keyAt, ecc) : wanted.scriptPubKey;
  const scripts = [scriptPubKey, ...coins];
  const kinds: readonly string[] = scripts.map((script) => classifyScript(script).type);
  const likely = wallets.filter(({ descriptor }) => kindsOf(descriptor, ecc).some((kind) => kinds.includes(kind)));
  const derived = likely.flatMap(({ descriptor }) => derivedFor(scripts, descriptor, { path, ecc }));
  const signing = createSigningProvider(
    { keys: [...singleKeys(keys), ...keyAt, ...keysOf(derived, keys, ecc)], scripts: [] },
    { rules: CURRENT_RULES, ecc },
  );
  const isFound = derived.some((one) => holdsScript(one, [scriptPubKey]));
  const notFound = isFound ? undefined : notFoundIn(wallets, scriptPubKey, { path, ecc });
  return {
    address: 'address' in wanted ? wanted.address : (formatAddress(scriptPubKey, network) ?? ''),
    scriptPubKey,
    provider: joinProviders(signing, createDescriptorProvider(derived)),
    isFound,
    ...(notFound && { notFound }),
  };
}

/**
 * Signs, and says of an address that was not found where it was sought: it lacks an index, rather than keys.
 * @throws as `signMessage`
 */
export function signFound(
  { notFound }: MessageSigner,
  input: SignMessageInput,
  adviceFor: (notFound: NotFound) => string,
): string {
  try {
    return signMessage(input);
  } catch (error) {
    const isAddress = isBtcError(error, 'message/incomplete') && error.data.inputIndex === 0;
    if (isAddress && notFound) throw new BtcError('message/incomplete', { inputIndex: 0 }, adviceFor(notFound));
    throw error;
  }
}

/** Those that no descriptor implies, such as WIF keys. */
const singleKeys = (keys: readonly HeldKey[]): readonly SigningKey[] =>
  keys.flatMap((held) =>
    isExtended(held) ? [] : [{ secretKey: held.key.secretKey, isCompressed: held.key.publicKey.length === 33 }],
  );

/** Derives the secret keys of what wallets have, which may be public, from keys that are held. */
const keysOf = (derived: readonly Derived[], held: readonly HeldKey[], ecc: Ecc): readonly SigningKey[] =>
  derived.flatMap(({ keys }) => keys.flatMap(({ origin }) => (origin ? keysAt(origin.path, held, ecc) : [])));

/** Derives the keys at a path from the master key, as far as a key that is held lies above. */
function keysAt(path: readonly number[], keys: readonly HeldKey[], ecc: Ecc): readonly SigningKey[] {
  return keys.flatMap((held) => {
    const origin = isMaster(held) ? [] : held.origin?.path;
    if (!isExtended(held) || !origin?.every((step, i) => step === path[i])) return [];
    const { secretKey } = derivePath(held.key, path.slice(origin.length), { ecc });
    return secretKey ? [{ secretKey, isCompressed: true }] : [];
  });
}

function scriptAt(
  { path, kind }: Extract<WantedSigner, { kind: SingleKeyAddress }>,
  keys: readonly SigningKey[],
  ecc: Ecc,
): Uint8Array {
  const scripts = keys.map(({ secretKey }) => SCRIPTS[kind](ecc.publicKey(secretKey, true), ecc));
  const [script, ...others] = scripts;
  if (script && others.every((other) => equalBytes(other, script))) return script;
  const what = script
    ? 'the keys given have several addresses there: give one'
    : 'give the seed words or the master key (an xprv of depth 0) above it';
  const message = `the request is for the key at m${formatPath(path)}: ${what}`;
  throw new BtcError('message/incomplete', { inputIndex: 0 }, message);
}

const SCRIPTS: Readonly<Record<SingleKeyAddress, (publicKey: Uint8Array, ecc: Ecc) => Uint8Array>> = {
  p2pkh: (key) => payToPubkeyHash(hash160(key)),
  'p2sh-p2wpkh': (key) => wrapInScriptHash(payToWitness(0, hash160(key))),
  p2wpkh: (key) => payToWitness(0, hash160(key)),
  p2tr: (key, ecc) => payToTaproot(taprootSpend(key.slice(1), [], ecc).outputKey),
};

interface Place {
  readonly path: readonly number[] | undefined;
  readonly ecc: Ecc;
}

/** Derives a wallet at the index of a path, or at the first indexes until the scripts are found. */
function derivedFor(scripts: readonly Uint8Array[], descriptor: Descriptor, { path, ecc }: Place): readonly Derived[] {
  const [first, last] = indexes(descriptor, path);
  return singlePaths(descriptor).flatMap((single) => {
    const derive = createDeriver(single, { ecc });
    const matches: Derived[] = [];
    for (let index = first; index <= last && matches.length < scripts.length; index += 1) {
      const derived = derive(index);
      if (holdsScript(derived, scripts)) matches.push(derived);
    }
    return matches;
  });
}

function indexes(descriptor: Descriptor, path: Place['path']): readonly [first: number, last: number] {
  if (!isRanged(descriptor)) return [0, 0];
  const step = path?.at(-1);
  return step === undefined ? [0, SEARCHED - 1] : [step % HARDENED, step % HARDENED];
}

const holdsScript = ({ scriptPubKeys }: Derived, scripts: readonly Uint8Array[]): boolean =>
  scriptPubKeys.some((own) => scripts.some((script) => equalBytes(own, script)));

/** Names the wallets that have addresses of this kind; nothing for keys without wallets, which have no index. */
function notFoundIn(
  wallets: readonly OfferedWallet[],
  scriptPubKey: Uint8Array,
  { path, ecc }: Place,
): NotFound | undefined {
  if (path)
    return { kind: 'path', reason: `the address is not that at m${formatPath(path)} of the keys and wallets given` };
  const { type } = classifyScript(scriptPubKey);
  const ofKind = wallets.filter(({ descriptor }) => isRanged(descriptor) && kindsOf(descriptor, ecc).includes(type));
  const [first] = ofKind.flatMap(({ descriptor }) => flatKeys(descriptor));
  if (!first) return undefined;
  const names = [...new Set(ofKind.map(({ name = 'a wallet' }) => name))];
  return {
    kind: 'wallets',
    searched: `the address is not among the first ${SEARCHED} receive and change addresses of`,
    wallets: names.join(' and '),
    examplePath: `m${formatPath(first.origin?.path ?? [])}/0/1490`,
  };
}

const kindsOf = (descriptor: Descriptor, ecc: Ecc): readonly string[] =>
  singlePaths(descriptor).flatMap((single) =>
    createDeriver(single, { ecc })(0).scriptPubKeys.map((script) => classifyScript(script).type),
  );
