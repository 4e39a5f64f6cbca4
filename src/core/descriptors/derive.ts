import { compareBytes, concatBytes } from '../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import type { EccOption } from '../crypto/eccOption.ts';
import { hash160 } from '../crypto/hash.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { BtcError } from '../errors.ts';
import {
  encodePush,
  payToMultisig,
  payToPubkey,
  payToPubkeyHash,
  payToTaproot,
  payToWitness,
  pushNumber,
  wrapInScriptHash,
  wrapInWitness,
} from '../script/build.ts';
import { OP_CHECKSIG, OP_CHECKSIGADD, OP_NUMEQUAL } from '../script/opcodes.ts';
import { TAPSCRIPT_LEAF_VERSION } from '../script/tapTree.ts';
import { assertDescriptor } from './assertDescriptor.ts';
import {
  type Aggregate,
  collectSecrets,
  createKeyDeriver,
  type DerivedKey,
  type Expansion,
  type KeyDeriver,
  type Secrets,
} from './deriveKey.ts';
import { keyExpressions, withKeys } from './keyExpressions.ts';
import { encodeMiniscript, mapKeys } from './miniscript/index.ts';
import { countPaths, singleKey } from './parseKey.ts';
import { refuse } from './refuse.ts';
import { type TaprootSpend, taprootSpend } from './taprootSpend.ts';
import type { Descriptor, KeyExpression } from './types.ts';

const MAX_INDEX = 0x7fff_ffff;

/** A descriptor expanded at one index. */
export interface Derived {
  /** One; up to four for `combo`, none for `unused`. */
  readonly scriptPubKeys: readonly Uint8Array[];
  /** Redeem scripts and witness scripts. */
  readonly scripts: readonly Uint8Array[];
  readonly keys: readonly DerivedKey[];
  readonly aggregates: readonly Aggregate[];
  /** For `tr()`. */
  readonly taproot?: TaprootSpend;
}

/** Options for deriving a descriptor. */
export interface DeriverOptions extends EccOption {
  readonly beside?: readonly Descriptor[];
}

const DERIVER_OPTIONS: OptionNames<DeriverOptions> = { ecc: true, beside: true };

/**
 * Prepares a descriptor for derivation at many indexes.
 *
 * - `beside`: descriptors whose private keys also serve the same public keys here
 *
 * @throws `descriptor/invalid` for a multipath descriptor; the returned function throws `descriptor/range` for an index
 * outside 0 to 2^31 - 1, `descriptor/underivable` if a private key is missing, and `xkey/underivable`
 * @see Bitcoin Core `Descriptor::Expand`
 *
 * @example
 * ```ts
 * import { createDeriver, formatAddress, networks, parseDescriptor } from 'countersign';
 * import { formatXpub, masterKey, neuter } from 'countersign/keys';
 *
 * const key = formatXpub(neuter(masterKey(new Uint8Array(32).fill(7))), networks.main);
 * const derive = createDeriver(parseDescriptor(`wpkh(${key}/0/*)`, networks.main));
 * formatAddress(derive(5).scriptPubKeys[0] ?? new Uint8Array(), networks.main); // bc1qpjeaq2cxpzpxj9l7vurr7ey6qekxu2f3ygr5vd
 * ```
 */
export function createDeriver(descriptor: Descriptor, options: DeriverOptions = {}): (index: number) => Derived {
  assertDescriptor(descriptor);
  assertKnownOptions(options, DERIVER_OPTIONS);
  const { beside = [], ecc = nobleEcc } = options;
  return createDeriverWith(descriptor, collectSecrets([...beside, descriptor].flatMap(keyExpressions)), ecc);
}

/** Like `createDeriver`; `secrets` must include the descriptor's own. */
export function createDeriverWith(
  descriptor: Descriptor,
  secrets: Secrets,
  ecc: Ecc = nobleEcc,
): (index: number) => Derived {
  const keys = keyExpressions(descriptor);
  if (keys.some((key) => countPaths(key) > 1)) {
    refuse('Cannot derive from a multipath descriptor; split it into single-path descriptors first');
  }
  const derivers = new Map<KeyExpression, KeyDeriver>();
  for (const key of keys) derivers.set(key, createKeyDeriver(key, ecc, secrets));
  return (index) => {
    if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
      throw outOfRange(`Index ${index} is not a whole number from 0 to ${MAX_INDEX}`);
    }
    const expansion: Expansion = { keys: new Map(), aggregates: new Map(), scripts: [] };
    const keyAt = (key: KeyExpression): Uint8Array => {
      const derive = derivers.get(key) ?? createKeyDeriver(key, ecc, secrets);
      return derive(index, expansion);
    };
    const outputs = expandOutputs(descriptor, { keyAt, expansion: expansion, ecc });
    return {
      ...outputs,
      scripts: expansion.scripts,
      keys: [...expansion.keys.values()],
      aggregates: [...expansion.aggregates.values()],
    };
  };
}

interface At {
  readonly keyAt: (key: KeyExpression) => Uint8Array;
  readonly expansion: Expansion;
  readonly ecc: Ecc;
}

function expandOutputs(descriptor: Descriptor, at: At): Pick<Derived, 'scriptPubKeys' | 'taproot'> {
  switch (descriptor.kind) {
    case 'combo':
      return { scriptPubKeys: comboScripts(at.keyAt(descriptor.key), at.expansion) };
    case 'unused':
      at.keyAt(descriptor.key);
      return { scriptPubKeys: [] };
    case 'rawtr':
      return { scriptPubKeys: [payToTaproot(at.keyAt(descriptor.key).slice(1))] };
    case 'tr': {
      const internalKey = at.keyAt(descriptor.key).slice(1);
      const leaves = descriptor.leaves.map(({ depth, script }) => ({
        depth,
        leafVersion: TAPSCRIPT_LEAF_VERSION,
        script: buildScript(script, at, true),
      }));
      const taproot = taprootSpend(internalKey, leaves, at.ecc);
      return { scriptPubKeys: [payToTaproot(taproot.outputKey)], taproot };
    }
    default:
      return { scriptPubKeys: [buildScript(descriptor, at, false)] };
  }
}

function comboScripts(publicKey: Uint8Array, expansion: Expansion): readonly Uint8Array[] {
  const hash = hash160(publicKey);
  const legacy = [payToPubkey(publicKey), payToPubkeyHash(hash)];
  if (publicKey.length !== 33) return legacy;
  const witness = payToWitness(0, hash);
  expansion.scripts.push(witness);
  return [...legacy, witness, wrapInScriptHash(witness)];
}

function buildScript(descriptor: Descriptor, at: At, isLeaf: boolean): Uint8Array {
  const { keyAt, expansion } = at;
  const keyBytes = (key: KeyExpression): Uint8Array => (isLeaf ? keyAt(key).slice(1) : keyAt(key));
  switch (descriptor.kind) {
    case 'pk':
      return payToPubkey(keyBytes(descriptor.key));
    case 'pkh':
      return payToPubkeyHash(hash160(keyAt(descriptor.key)));
    case 'wpkh':
      return payToWitness(0, hash160(keyAt(descriptor.key)));
    case 'sh':
    case 'wsh': {
      const inner = buildScript(descriptor.inner, at, false);
      expansion.scripts.push(inner);
      return descriptor.kind === 'sh' ? wrapInScriptHash(inner) : wrapInWitness(inner);
    }
    case 'multi':
    case 'sortedmulti':
      return payToMultisig(descriptor.required, orderedKeys(descriptor, keyBytes));
    case 'multi_a':
    case 'sortedmulti_a': {
      const checks = orderedKeys(descriptor, keyBytes).map((key, i) =>
        concatBytes(encodePush(key), Uint8Array.of(i === 0 ? OP_CHECKSIG : OP_CHECKSIGADD)),
      );
      return concatBytes(...checks, pushNumber(descriptor.required), Uint8Array.of(OP_NUMEQUAL));
    }
    case 'miniscript':
      return encodeMiniscript(mapKeys(descriptor.root, keyAt), keyBytesIn(isLeaf));
    case 'addr':
    case 'raw':
      return descriptor.script;
    default:
      return refuse(`${descriptor.kind}() cannot be used inside another expression`);
  }
}

const keyBytesIn =
  (isLeaf: boolean) =>
  (key: Uint8Array): Uint8Array =>
    isLeaf ? key.slice(1) : key;

function orderedKeys(
  { kind, keys }: Extract<Descriptor, { keys: readonly KeyExpression[] }>,
  keyBytes: (key: KeyExpression) => Uint8Array,
): readonly Uint8Array[] {
  const bytes = keys.map(keyBytes);
  return kind.startsWith('sorted') ? bytes.sort(compareBytes) : bytes;
}

/** Expands a multipath descriptor; returns any other as it is. @see BIP389 */
export function singlePaths(descriptor: Descriptor): readonly Descriptor[] {
  assertDescriptor(descriptor);
  const count = keyExpressions(descriptor).reduce((most, key) => Math.max(most, countPaths(key)), 1);
  if (count === 1) return [descriptor];
  return Array.from({ length: count }, (_, position) => withKeys(descriptor, (key) => singleKey(key, position)));
}

/** Tells whether any key has a wildcard. */
export function isRanged(descriptor: Descriptor): boolean {
  assertDescriptor(descriptor);
  return keyExpressions(descriptor).some(isRangedKey);
}

function isRangedKey(key: KeyExpression): boolean {
  if (key.kind === 'fixed') return false;
  return key.wildcard !== 'none' || (key.kind === 'musig' && key.participants.some(isRangedKey));
}

/** Tells whether a descriptor says how to spend: all do except `addr` and `raw`. */
export function isSolvable(descriptor: Descriptor): boolean {
  assertDescriptor(descriptor);
  return descriptor.kind !== 'addr' && descriptor.kind !== 'raw';
}

/** Tells whether a descriptor contains a private key. */
export function hasPrivateKeys(descriptor: Descriptor): boolean {
  assertDescriptor(descriptor);
  const isPrivate = (key: KeyExpression): boolean => {
    if (key.kind === 'musig') return key.participants.some(isPrivate);
    return (key.kind === 'fixed' ? key.secretKey : key.key.secretKey) !== undefined;
  };
  return keyExpressions(descriptor).some(isPrivate);
}

/** @see Bitcoin Core `ParseDescriptorRange` */
const MAX_RANGE = 1_000_000;

/** Checks a range that includes both ends. @throws `descriptor/range`, with Core's message */
export function assertRange(first: number, last: number): void {
  const reason =
    first < 0
      ? 'Range should be greater or equal than 0'
      : last < 0 || last > MAX_INDEX
        ? 'End of range is too high'
        : last >= first + MAX_RANGE
          ? 'Range is too large'
          : undefined;
  if (reason !== undefined) throw outOfRange(reason);
}

const outOfRange = (reason: string): BtcError => new BtcError('descriptor/range', { reason }, reason);
