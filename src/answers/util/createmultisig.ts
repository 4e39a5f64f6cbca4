import { equalBytes } from '../../core/bytes/compare.ts';
import { formatHex, isHex, parseHex } from '../../core/bytes/hex.ts';
import { hash160 } from '../../core/crypto/hash.ts';
import { isValidPublicKey } from '../../core/crypto/publicKey.ts';
import { descriptorRules } from '../../core/descriptors/descriptorRules.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { inferDescriptor } from '../../core/descriptors/infer.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { payToMultisig, wrapInScriptHash, wrapInWitness } from '../../core/script/build.ts';
import { MAX_SCRIPT_ELEMENT_SIZE } from '../../core/script/instructions.ts';
import { addressText } from '../arguments/addressArgument.ts';
import { readValue } from '../arguments/argumentValues.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { invalidAddressOrKey, invalidParameter } from '../method/errorCodes.ts';
import { method } from '../method/method.ts';
import type { Param } from '../method/param.ts';
import { array, choice, hexString, int32, optional } from '../method/parameters.ts';
import { type Answer, hex, list, maybe, members, text } from '../method/results.ts';
import { multisigRules } from './utilRules.ts';

export const MULTISIG_TYPES = ['legacy', 'p2sh-segwit', 'bech32'] as const;

type MultisigType = (typeof MULTISIG_TYPES)[number];

export const multisigAddressResult = members({
  address: text(),
  redeemScript: hex('the multisig script'),
  descriptor: text('of the address'),
  warnings: maybe(list(text(), 'if uncompressed keys rule out the address type'), { since: 'core-29' }),
});

/** The answer of `createmultisig` and `addmultisigaddress`. */
export type MultisigAddressJson = Answer<typeof multisigAddressResult>;

/** A public key. */
export const PUBLIC_KEY: Param<'key', Uint8Array, string> = {
  ...hexString('key', 'a public key'),
  read: (value, { dialect }) => parsePublicKeyArgument(readValue(value, 'string', dialect).value, dialect),
};

export const createmultisig = method({
  name: 'createmultisig',
  category: 'util',
  checksLate: true,
  about: 'Makes a multisig address: a number of keys, out of several, can spend from it.',
  params: [
    int32('nrequired', 'how many signatures a spend needs'),
    array('keys', PUBLIC_KEY, 'the public keys, in the order of the script'),
    optional(choice('address_type', MULTISIG_TYPES, 'the kind of the address'), 'legacy'),
  ],
  result: multisigAddressResult,
  examples: ['createmultisig 2 \'["03789e...","03dbc6...","02a1b2..."]\' bech32'],
  run: (args, context) => {
    const { dialect, network } = context;
    const required = args.nrequired;
    const keys = [...args.keys];
    const requestedType = parseMultisigType(args.address_type, dialect);
    const { script, scriptPubKey, type } = buildMultisig({ required, keys, requestedType }, dialect);
    const scripts = [script, wrapInWitness(script)];
    const inferOptions = {
      script: (hash: Uint8Array): Uint8Array | undefined => scripts.find((inner) => equalBytes(hash160(inner), hash)),
      templates: dialect.templates,
      takesAnyKey: descriptorRules[dialect.generation].infersAnyKey,
    };
    const isOther = type !== requestedType && multisigRules[dialect.generation].warnsOfOtherType;
    return {
      address: addressText(scriptPubKey, context) ?? '',
      redeemScript: formatHex(script),
      descriptor: formatDescriptor(inferDescriptor(scriptPubKey, inferOptions), network),
      ...(isOther && { warnings: [OTHER_TYPE] }),
    };
  },
});

const OTHER_TYPE = 'Unable to make chosen address type, please ensure no uncompressed public keys are present.';

const FORMS: Readonly<Record<MultisigType, (script: Uint8Array) => Uint8Array>> = {
  legacy: wrapInScriptHash,
  'p2sh-segwit': (script) => wrapInScriptHash(wrapInWitness(script)),
  bech32: wrapInWitness,
};

const isMultisigType = (name: string): name is MultisigType => Object.hasOwn(FORMS, name);

/** Accepts hybrid keys. @throws RpcError -5 @see Core `HexToPubKey` */
export function parsePublicKeyArgument(text: string, dialect: Dialect): Uint8Array {
  const safeText = withoutSecrets(text);
  const isWhole = isHex(text) && (text.length === 66 || text.length === 130);
  if (!multisigRules[dialect.generation].explainsKeys) {
    if (!isWhole) throw invalidAddressOrKey(`Invalid public key: ${safeText}\n.`);
    const key = parseHex(text);
    if (isValidPublicKey(key)) return key;
    throw invalidAddressOrKey(`Invalid public key: ${safeText}`);
  }
  if (!isHex(text)) throw invalidAddressOrKey(`Pubkey "${safeText}" must be a hex string`);
  if (!isWhole) throw invalidAddressOrKey(`Pubkey "${safeText}" must have a length of either 33 or 65 bytes`);
  const key = parseHex(text);
  if (isValidPublicKey(key)) return key;
  throw invalidAddressOrKey(`Pubkey "${safeText}" must be cryptographically valid.`);
}

export function parseMultisigType(name: string, dialect: Dialect): MultisigType {
  if (isMultisigType(name)) return name;
  if (name === 'bech32m' && multisigRules[dialect.generation].knowsBech32m) {
    throw invalidAddressOrKey('createmultisig cannot create bech32m multisig addresses');
  }
  if (name === 'mweb' && dialect.showsMweb) throw invalidAddressOrKey('MWEB address type not supported for multi-sig');
  throw invalidAddressOrKey(`Unknown address type '${withoutSecrets(name)}'`);
}

interface MultisigTerms {
  readonly required: number;
  readonly keys: readonly Uint8Array[];
  readonly requestedType: MultisigType;
}

interface Multisig {
  readonly script: Uint8Array;
  readonly scriptPubKey: Uint8Array;
  /** `legacy` if a key is uncompressed, whatever the caller chose. */
  readonly type: MultisigType;
}

/** @throws RpcError -8 @see Core `AddAndGetMultisigDestination` */
export function buildMultisig({ required, keys, requestedType }: MultisigTerms, dialect: Dialect): Multisig {
  assertCounts(required, keys.length, dialect);
  const script = payToMultisig(required, keys);
  const type = keys.every(({ length }) => length === 33) ? requestedType : 'legacy';
  assertSize(script, type, dialect);
  return { script, scriptPubKey: FORMS[type](script), type };
}

function assertCounts(required: number, keys: number, { generation }: Dialect): void {
  if (required < 1) throw invalidParameter('a multisignature address must require at least one key to redeem');
  if (keys < required) {
    throw invalidParameter(`not enough keys supplied (got ${keys} keys, but need at least ${required} to redeem)`);
  }
  const most = descriptorRules[generation].maxMultisigKeys;
  if (keys <= most) return;
  throw invalidParameter(`Number of keys involved in the multisignature address creation > ${most}\nReduce the number`);
}

/** Refuses a script that a spend could not push. */
function assertSize({ length }: Uint8Array, type: MultisigType, { generation }: Dialect): void {
  const isLimited = type === 'legacy' || multisigRules[generation].limitsAllScripts;
  if (!isLimited || length <= MAX_SCRIPT_ELEMENT_SIZE) return;
  throw invalidParameter(`redeemScript exceeds size limit: ${length} > ${MAX_SCRIPT_ELEMENT_SIZE}`);
}
