import { tryParseAddress } from '../../../answers/arguments/addressArgument.ts';
import { parseDescriptorArgument, parseRange, range } from '../../../answers/arguments/descriptorArgument.ts';
import { findMember, type JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidAddressOrKey, invalidParameter, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import type { Param } from '../../../answers/method/param.ts';
import {
  anyOf,
  array,
  bool,
  hexString,
  lenient,
  object,
  optional,
  reading,
  string,
} from '../../../answers/method/parameters.ts';
import { has } from '../../../answers/method/values.ts';
import { bytesKey, compareBySize } from '../../../core/bytes/compare.ts';
import { formatHex, isHex, parseHex } from '../../../core/bytes/hex.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import { nobleEcc } from '../../../core/crypto/nobleEcc.ts';
import { isValidPublicKey } from '../../../core/crypto/publicKey.ts';
import { createDeriver, type Derived, isRanged, isSolvable } from '../../../core/descriptors/derive.ts';
import type { DerivedKey } from '../../../core/descriptors/deriveKey.ts';
import { keyExpressions } from '../../../core/descriptors/keyExpressions.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError, unlessRefused } from '../../../core/errors.ts';
import type { KeyOrigin } from '../../../core/keys/path.ts';
import { extractDestination } from '../../wallet/queries/ownership.ts';
import type { WalletContext } from '../context.ts';
import { parseSecretKey, TIMESTAMP } from '../importResult.ts';
import { type Match, matchScript } from './matchImport.ts';

interface GivenKey {
  readonly publicKey: Uint8Array;
  readonly secretKey: Uint8Array;
}

/** A request of `importmulti`; maps are keyed by `keyName`. */
export interface LegacyImport {
  readonly outputs: readonly Uint8Array[];
  readonly scripts: readonly Uint8Array[];
  readonly privateKeys: ReadonlyMap<string, GivenKey>;
  readonly publicKeys: ReadonlyMap<string, Uint8Array>;
  /** Keys of `publicKeys`, in the order given. */
  readonly order: readonly string[];
  readonly origins: readonly { readonly publicKey: Uint8Array; readonly origin: KeyOrigin }[];
  readonly isSolvable: boolean;
}

/** Core's error for any member of the wrong type. */
const wrongType = (): RpcError => new RpcError(RPC_MISC_ERROR, 'Missing required fields');

/** Declares a member whose wrong type, also null, gets this error. */
const field = <N extends string, V, A>(param: Param<N, V, A>): Param<N, V, A> => ({
  ...param,
  countsNull: true,
  read: (value, context) => {
    if (value?.type !== param.type) throw wrongType();
    return param.read(value, context);
  },
});

/** Declares what is read only where it is given. */
const given = <N extends string, V, A>(param: Param<N, V, A>) => optional(reading(param, param.read));

const text = <const N extends string>(name: N, about: string) => field(string(name, about));
const bytes = <const N extends string>(name: N, about: string) => field(hexString(name, about));
const flag = <const N extends string>(name: N, about: string) => optional(field(bool(name, about)), false);

const SCRIPT_PUB_KEY = reading(
  anyOf(
    'scriptPubKey',
    [hexString('', ''), object('', [text('address', 'an address')], '')],
    'the script, or its address',
  ),
  (value): { readonly script: string } | { readonly address: string } => {
    const address = value?.type === 'object' ? findMember(value.members, 'address') : undefined;
    if (address) return { address: requireText(address) };
    if (value?.type === 'string') return { script: value.value };
    throw invalidParameter('scriptPubKey must be string with script or JSON with address string');
  },
);

function requireText(value: JsonValue): string {
  if (value.type === 'string') return value.value;
  throw wrongType();
}

/** One request of `importmulti`, with either `desc` or `scriptPubKey`. */
export const IMPORT_REQUEST = lenient(
  object(
    '',
    [
      given(text('desc', 'a descriptor, instead of the scriptPubKey')),
      given(SCRIPT_PUB_KEY),
      TIMESTAMP,
      optional(bytes('redeemscript', 'of a P2SH scriptPubKey'), ''),
      optional(bytes('witnessscript', 'of a P2WSH scriptPubKey'), ''),
      optional(field(array('pubkeys', bytes('pubKey', 'a public key'), 'the public keys'))),
      optional(field(array('keys', text('key', 'a private key'), 'the private keys'))),
      optional(reading(range('range', 'the indexes of the wildcards of a descriptor'), rangeMember)),
      flag('internal', 'whether the outputs are change'),
      flag('watchonly', 'whether to import without private keys'),
      optional(text('label', 'a label'), ''),
      flag('keypool', 'whether the public keys become new addresses'),
    ],
    'what to import',
  ),
);

export type ImportRequest = ReturnType<typeof IMPORT_REQUEST.read>;

/** Counts a number beyond 64 bits as a wrong type. */
function rangeMember(value: JsonValue | undefined): ReturnType<typeof parseRange> {
  try {
    return parseRange(value);
  } catch (error) {
    throw error instanceof RpcError && error.code === RPC_MISC_ERROR ? wrongType() : error;
  }
}

function parseWifKeys(texts: readonly string[], context: WalletContext): readonly GivenKey[] {
  return texts.map((text) => {
    const key = parseSecretKey(text, context);
    if (!key) throw invalidAddressOrKey('Invalid private key encoding');
    const { secretKey, isCompressed } = key;
    return { secretKey, publicKey: (context.ecc ?? nobleEcc).publicKey(secretKey, isCompressed) };
  });
}

const keyName = (publicKey: Uint8Array): string => bytesKey(hash160(publicKey));

/** Sorts by the bytes of the hash, as Core does. */
const sorted = <T>(entries: Iterable<readonly [string, T]>): readonly (readonly [string, T])[] =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

const MISSING_KEYS =
  'Some private keys are missing, outputs will be considered watchonly. If this is intentional, specify the watchonly flag.';
const ALL_KEYS =
  'All private keys are provided, outputs will be considered spendable. If this is intentional, do not specify the watchonly flag.';

function watchWarning(watches: boolean, isSpendable: boolean): readonly string[] {
  if (watches === isSpendable) return [isSpendable ? ALL_KEYS : MISSING_KEYS];
  return [];
}

/** Parses a request with a `scriptPubKey`, and collects `warnings`. @see Bitcoin Core 0.21 `ProcessImportLegacy` */
export function parseScriptImport(request: ImportRequest, context: WalletContext, warnings: string[]): LegacyImport {
  const { scriptPubKey: given, redeemscript: redeemText, witnessscript: witnessText } = request;
  const [pubkeys, keys] = [[...(request.pubkeys ?? [])], [...(request.keys ?? [])]];
  const { internal: isInternal, watchonly: watches } = request;
  if (has(request, 'range')) throw invalidParameter('Range should not be specified for a non-descriptor import');
  const script =
    'address' in given ? addressScript(given.address, context) : givenScript(given.script, isInternal, context);
  const redeemScript = innerScript('redeem', redeemText);
  const witnessScript = innerScript('witness', witnessText);
  const publicKeys = new Map(pubkeys.map((key) => parsePublicKey(key)).map((key) => [keyName(key), key] as const));
  const order = pubkeys.map((key) => keyName(parseHex(key)));
  const privateKeys = new Map(parseWifKeys(keys, context).map((key) => [keyName(key.publicKey), key] as const));
  for (const name of privateKeys.keys()) publicKeys.delete(name);
  const unsolved = {
    outputs: [script],
    scripts: [],
    privateKeys: new Map(),
    publicKeys: new Map(),
    order,
    origins: [],
  };
  if (!redeemScript && !witnessScript && publicKeys.size === 0 && privateKeys.size === 0) {
    return { ...unsolved, isSolvable: false };
  }
  const { templates } = context.dialect;
  const match: Match = { redeemScript, witnessScript, scripts: [], usedKeys: new Map(), templates };
  const fault = matchScript(script, match, 'top');
  const { usedKeys } = match;
  warnings.push(
    ...watchWarning(
      watches,
      [...usedKeys.keys()].every((name) => privateKeys.has(name)),
    ),
  );
  const isLacking = [...usedKeys].some(
    ([name, isRequired]) => isRequired && !publicKeys.has(name) && !privateKeys.has(name),
  );
  const reason = fault ?? (isLacking ? 'some required keys are missing' : undefined);
  if (reason !== undefined) {
    warnings.push(
      `Importing as non-solvable: ${reason}. If this is intentional, don't provide any keys, pubkeys, witnessscript, or redeemscript.`,
    );
    return { ...unsolved, isSolvable: false };
  }
  const used = withoutUnused({ match, privateKeys, publicKeys }, warnings);
  return { outputs: [script], scripts: match.scripts, ...used, order, origins: [], isSolvable: true };
}

function withoutUnused(
  {
    match,
    privateKeys,
    publicKeys,
  }: { match: Match; privateKeys: Map<string, GivenKey>; publicKeys: Map<string, Uint8Array> },
  warnings: string[],
): Pick<LegacyImport, 'privateKeys' | 'publicKeys'> {
  if (match.redeemScript) warnings.push('Ignoring redeemscript as this is not a P2SH script.');
  if (match.witnessScript) warnings.push('Ignoring witnessscript as this is not a (P2SH-)P2WSH script.');
  for (const [name] of sorted(privateKeys)) {
    if (match.usedKeys.has(name)) continue;
    warnings.push('Ignoring irrelevant private key.');
    privateKeys.delete(name);
  }
  for (const [name, key] of sorted(publicKeys)) {
    if (match.usedKeys.get(name) === true) continue;
    warnings.push(`Ignoring public key "${formatHex(hash160(key))}" as it doesn't appear inside P2PKH or P2WPKH.`);
    publicKeys.delete(name);
  }
  return { privateKeys, publicKeys };
}

function addressScript(text: string, context: WalletContext): Uint8Array {
  const script = tryParseAddress(text, context);
  if (!script) throw invalidAddressOrKey(`Invalid address "${withoutSecrets(text, 'address')}"`);
  return script;
}

function givenScript(text: string, isInternal: boolean, { wallet }: WalletContext): Uint8Array {
  if (!isHex(text)) throw invalidAddressOrKey(`Invalid scriptPubKey "${withoutSecrets(text, 'script')}"`);
  const script = parseHex(text);
  if (!isInternal && !extractDestination(wallet, script)) {
    throw invalidParameter('Internal must be set to true for nonstandard scriptPubKey imports.');
  }
  return script;
}

function innerScript(kind: 'redeem' | 'witness', text: string): Uint8Array | undefined {
  if (text === '') return undefined;
  if (!isHex(text))
    throw invalidAddressOrKey(`Invalid ${kind} script "${withoutSecrets(text, 'script')}": must be hex string`);
  return parseHex(text);
}

function parsePublicKey(text: string): Uint8Array {
  if (!isHex(text)) throw invalidAddressOrKey(`Pubkey "${withoutSecrets(text)}" must be a hex string`);
  const key = parseHex(text);
  if (!isValidPublicKey(key)) throw invalidAddressOrKey(`Pubkey "${withoutSecrets(text)}" is not a valid public key`);
  return key;
}

const showsKeyHash = (descriptor: Descriptor): boolean =>
  descriptor.kind === 'sh' || descriptor.kind === 'wsh'
    ? showsKeyHash(descriptor.inner)
    : descriptor.kind === 'pkh' || descriptor.kind === 'wpkh' || descriptor.kind === 'combo';

/**
 * Derives a descriptor where possible. At other indexes, 0.21 reports no error, but imports the private keys of key
 * expressions that can be derived alone: `loneKeys`.
 * @see Bitcoin Core 0.21 `Descriptor::Expand`, `ExpandPrivate`
 */
function deriveAll(
  descriptor: Descriptor,
  indexes: readonly number[],
  { ecc }: WalletContext,
): { readonly derived: readonly Derived[]; readonly loneKeys: readonly DerivedKey[] } {
  const derive = createDeriver(descriptor, { ecc });
  const derived: Derived[] = [];
  const loneKeys: DerivedKey[] = [];
  for (const index of indexes) {
    const scripts = unlessRefused(() => derive(index));
    if (scripts) derived.push(scripts);
    else loneKeys.push(...keysApart(descriptor, index, ecc));
  }
  return { derived, loneKeys };
}

const keysApart = (descriptor: Descriptor, index: number, ecc: Ecc | undefined): readonly DerivedKey[] =>
  keyExpressions(descriptor).flatMap((key) => {
    const derive = createDeriver({ kind: 'pk', key }, { ecc, beside: [descriptor] });
    return unlessRefused(() => derive(index))?.keys ?? [];
  });

/** @see Bitcoin Core 0.21 `ProcessImportDescriptor` */
export function parseDescriptorImport(
  request: ImportRequest,
  context: WalletContext,
  warnings: string[],
): LegacyImport {
  const { desc: text } = request;
  const descriptor = parseDescriptorArgument(text, context, { requireChecksum: true });
  const { watchonly: watches } = request;
  const hasRange = has(request, 'range');
  if (!isRanged(descriptor) && hasRange)
    throw invalidParameter('Range should not be specified for an un-ranged descriptor');
  if (isRanged(descriptor) && !hasRange) throw invalidParameter('Descriptor is ranged, please specify the range');
  const { first, last } = hasRange ? request.range : { first: 0, last: 0 };
  const keys = [...(request.keys ?? [])];
  const indexes = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const { derived, loneKeys } = deriveAll(descriptor, indexes, context);
  const all = derived.flatMap(({ keys: derivedKeys }) => derivedKeys);
  const publicKeys = new Map(
    (showsKeyHash(descriptor) ? all : []).map(({ publicKey }) => [keyName(publicKey), publicKey] as const),
  );
  const privateKeys = new Map(
    [...all, ...loneKeys].flatMap(({ publicKey, secretKey }) =>
      secretKey ? [[keyName(publicKey), { publicKey, secretKey }] as const] : [],
    ),
  );
  for (const key of parseWifKeys(keys, context)) {
    const name = keyName(key.publicKey);
    if (publicKeys.has(name)) privateKeys.set(name, key);
    else warnings.push('Ignoring irrelevant private key.');
  }
  warnings.push(
    ...watchWarning(
      watches,
      all.every(({ publicKey }) => privateKeys.has(keyName(publicKey))),
    ),
  );
  return {
    outputs: derived.flatMap(({ scriptPubKeys }) => scriptPubKeys).sort(compareBySize),
    scripts: derived.flatMap(({ scripts }) => scripts),
    privateKeys,
    publicKeys,
    order: [...publicKeys.keys()],
    origins: all.map(({ publicKey, origin }) => ({ publicKey, origin })),
    isSolvable: isSolvable(descriptor),
  };
}
