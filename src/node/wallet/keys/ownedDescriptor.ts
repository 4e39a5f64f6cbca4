import { bytesKey, parseBytesKey } from '../../../core/bytes/compare.ts';
import { formatHex, parseHex } from '../../../core/bytes/hex.ts';
import { withSecretKey } from '../../../core/crypto/concealed.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { createDeriver, type Derived, isRanged } from '../../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import { keyExpressions, withKeys, withoutMarks } from '../../../core/descriptors/keyExpressions.ts';
import { parseDescriptor } from '../../../core/descriptors/parseDescriptor.ts';
import type { Descriptor, KeyExpression } from '../../../core/descriptors/types.ts';
import type { Network } from '../../../core/network/networks.ts';
import { jsonCodec } from '../../store/codecs.ts';
import type { RecordCodec } from '../../store/tables.ts';
import type { NodeRules } from '../rules.ts';
import { secretsIn, withMiniscriptOf, withSecret } from './descriptorKeys.ts';
import { type HardenedKeys, hasHardenedWildcard } from './hardenedKeys.ts';
import { ownSecret, type Vault } from './vault.ts';

/** An imported descriptor, without private keys. */
export interface DescriptorImport {
  readonly descriptor: Descriptor;
  /** After its hardened steps: only hardened wildcards still need private keys. */
  readonly normalized: Descriptor;
  /** UNIX time. */
  readonly timestamp: number;
  /** The first index of the range; `end` is exclusive. */
  readonly first: number;
  readonly end: number;
  /** The first unused index. */
  readonly next: number;
}

/** `high` is exclusive. */
export interface IndexRange {
  readonly low: number;
  readonly high: number;
}

/** The record of a descriptor. */
export interface DescriptorTerms {
  /** By order of import. */
  readonly number: number;
  readonly source: DescriptorImport;
  /** `bytesKey`s of the public keys whose private keys came with it; it signs with no others. */
  readonly held: ReadonlySet<string>;
  /** The indexes whose scripts are the wallet's. */
  readonly watched: IndexRange;
  /** The index at which the next top-up starts. */
  readonly counted: number;
  /** The watched indexes whose scripts have been derived. */
  readonly derived: IndexRange;
}

export interface OwnedDescriptor extends DescriptorTerms {
  /** Text of its descriptor with uniform hardened markers. */
  readonly id: string;
  readonly isRanged: boolean;
  /** True if it has a hardened wildcard: new indexes need private keys. */
  readonly isHardened: boolean;
  /** Text of its normalized descriptor; safe to show. */
  readonly text: string;
  readonly derive: (index: number) => Derived;
}

/** The index of a script of a descriptor. */
export interface Place {
  readonly owned: OwnedDescriptor;
  readonly index: number;
}

export interface DescriptorParts {
  readonly rules: NodeRules;
  readonly network: Network;
  readonly ecc: Ecc;
  readonly hardened: HardenedKeys;
}

/** @see Bitcoin Core `DescriptorID` */
export const descriptorId = (descriptor: Descriptor, network: Network): string =>
  formatDescriptor(withoutMarks(descriptor), network);

export function ownedDescriptor(
  terms: DescriptorTerms,
  { rules, network, ecc, hardened }: DescriptorParts,
): OwnedDescriptor {
  const { number, source } = terms;
  const { descriptor, normalized } = source;
  const isHardened = hasHardenedWildcard(normalized);
  const shown = rules.descriptors.normalizesMiniscript ? normalized : withMiniscriptOf(normalized, descriptor);
  return {
    ...terms,
    id: descriptorId(descriptor, network),
    isRanged: isRanged(descriptor),
    isHardened,
    text: formatDescriptor(shown, network),
    derive: isHardened ? (index) => hardened.deriveAt(number, normalized, index) : createDeriver(normalized, { ecc }),
  };
}

/** Keys are hex. */
interface DescriptorJson
  extends Omit<DescriptorTerms, 'source' | 'held'>,
    Omit<DescriptorImport, 'descriptor' | 'normalized'> {
  readonly descriptor: string;
  readonly normalized: string;
  /** The full keys, in hex, of those that the texts show without their parity, if it is odd. */
  readonly odd: readonly string[];
  readonly held: readonly string[];
}

export const descriptorCodec = (parts: DescriptorParts): RecordCodec<OwnedDescriptor> =>
  jsonCodec(
    (owned: OwnedDescriptor) => descriptorJson(owned, parts.network),
    (json) => ownedDescriptor(parseTerms(json, parts), parts),
  );

const jsonRecord: RecordCodec<DescriptorJson> = jsonCodec(
  (json: DescriptorJson) => json,
  (json) => json,
);

/** Turns the record of a descriptor into that of a wallet without its private keys, which derives the same scripts. */
export function watchingRecord(record: Uint8Array): Uint8Array {
  const json = jsonRecord.decode(record, '');
  return jsonRecord.encode({ ...json, descriptor: json.normalized, held: [] });
}

function descriptorJson(owned: OwnedDescriptor, network: Network): DescriptorJson {
  const { number, source, held, watched, counted, derived } = owned;
  const { descriptor, normalized, ...terms } = source;
  return {
    number,
    descriptor: formatDescriptor(descriptor, network),
    normalized: formatDescriptor(normalized, network),
    odd: keyExpressions(descriptor).flatMap((key) => (isOdd(key) ? [formatHex(key.publicKey)] : [])),
    held: [...held].map((name) => formatHex(parseBytesKey(name))),
    ...terms,
    watched,
    counted,
    derived,
  };
}

const isOdd = (key: KeyExpression): key is Extract<KeyExpression, { kind: 'fixed' }> =>
  key.kind === 'fixed' && key.isXOnly && key.publicKey[0] === 3;

function parseTerms(json: DescriptorJson, { network, rules, ecc }: DescriptorParts): DescriptorTerms {
  const { number, descriptor, normalized, odd, held, watched, counted, derived, ...terms } = json;
  const full = new Map(odd.map((hex) => [hex.slice(2), parseHex(hex)]));
  // A taproot key's text omits the parity byte, but Core reports the origin of the full key.
  const parse = (text: string): Descriptor =>
    withKeys(parseDescriptor(text, network, { rules: rules.descriptors, wasAccepted: true, ecc }), (key) => {
      if (key.kind !== 'fixed' || !key.isXOnly) return key;
      return { ...key, publicKey: full.get(formatHex(key.publicKey.subarray(1))) ?? key.publicKey };
    });
  const source = { descriptor: parse(descriptor), normalized: parse(normalized), ...terms };
  return { number, source, held: new Set(held.map((hex) => bytesKey(parseHex(hex)))), watched, counted, derived };
}

/** Adds the private keys, as far as the vault is unlocked. @see Bitcoin Core 31 `m_map_keys` */
export function withVaultSecrets({ source, held }: Pick<OwnedDescriptor, 'source' | 'held'>, vault: Vault): Descriptor {
  const lookup = (publicKey: Uint8Array): Uint8Array | undefined =>
    held.has(bytesKey(publicKey)) ? ownSecret(vault, publicKey) : undefined;
  return withKeys(source.descriptor, (key) => withSecret(key, lookup));
}

export function addSecrets(
  derived: Derived,
  { owned, index }: Place,
  { vault, ecc }: { readonly vault: Vault; readonly ecc: Ecc },
): Derived {
  const full = withVaultSecrets(owned, vault);
  if (secretsIn(full).length === 0) return derived;
  const { keys } = createDeriver(full, { ecc })(index);
  const secrets = new Map(keys.map(({ publicKey, secretKey }) => [bytesKey(publicKey), secretKey]));
  return {
    ...derived,
    keys: derived.keys.map((key) => {
      const secretKey = secrets.get(bytesKey(key.publicKey));
      return secretKey ? withSecretKey({ ...key }, secretKey) : key;
    }),
  };
}
