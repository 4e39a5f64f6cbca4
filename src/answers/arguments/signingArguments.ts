import { seedWordsAdvice, withoutSecrets } from '../../core/encoding/redaction.ts';
import { RpcError, unlessRefused } from '../../core/errors.ts';
import { parseWif } from '../../core/keys/wif.ts';
import { type Network, networks } from '../../core/network/networks.ts';
import { sighashTypeNamed } from '../../core/script/signatureEncoding.ts';
import { SIGHASH } from '../../core/sighash/sighashType.ts';
import type { SigningKey } from '../../core/signing/signingProvider.ts';
import type { Dialect, RpcContext } from '../dialect/dialect.ts';
import { signingDialects } from '../dialect/signingDialect.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY, RPC_MISC_ERROR } from '../method/errorCodes.ts';
import { choice, type List, optional } from '../method/parameters.ts';
import { rawTransactionRules } from './rawTransactionRules.ts';

/** Names of the sighash types that signing methods take. */
export const SIGHASH_NAMES = [
  'DEFAULT',
  'ALL',
  'NONE',
  'SINGLE',
  'ALL|ANYONECANPAY',
  'NONE|ANYONECANPAY',
  'SINGLE|ANYONECANPAY',
] as const;

/** The name of a sighash type (RPC `signrawtransactionwithkey`, `sighashtype`). */
export type SighashName = (typeof SIGHASH_NAMES)[number];

export const SIGHASH_TYPE = optional(
  choice('sighashtype', SIGHASH_NAMES, 'the sighash type', { default: 'ALL, since core-29 DEFAULT' }),
);

/** Errors never show the keys. @throws RpcError -5; -3, in 0.21 -1, for anything but a string */
export function parsePrivateKeys(keys: List<string>, context: RpcContext): readonly SigningKey[] {
  return keys.map((text) => parsePrivateKey(text, context, () => [...keys].join(' ')));
}

/**
 * Errors never show the key. `allTexts` may give the words of a seed phrase in a string each.
 * @throws RpcError -5
 * @see Core `DecodeSecret`
 */
export function parsePrivateKey(
  text: string,
  { network, dialect }: RpcContext,
  allTexts: () => string = () => text,
): SigningKey {
  const key = tryParse(text, network);
  if (key) return key;
  const hint = signingDialects[dialect.name].explainsErrors ? keyHint(text, allTexts(), network) : '';
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `Invalid private key${hint}`);
}

function keyHint(text: string, allTexts: string, network: Network): string {
  const advice = seedWordsAdvice(allTexts);
  return advice === undefined ? otherNetworkHint(text, network) : `: ${advice}`;
}

const tryParse = (text: string, network: Network): SigningKey | undefined =>
  unlessRefused(() => parseWif(text, network));

function otherNetworkHint(text: string, network: Network): string {
  const others = Object.values(networks).filter(({ wif }) => wif !== network.wif);
  const fitting = others.filter((other) => tryParse(text, other) !== undefined).map(({ name }) => name);
  return fitting.length === 0 ? '' : `: the key is for ${fitting.join(', ')}, not for ${withoutSecrets(network.name)}`;
}

/** @throws RpcError -8, in 0.21 -1 @see Core `ParseSighashString` */
export function parseSighashType(text: string | undefined, dialect: Dialect): number {
  const { knowsSighashDefault } = rawTransactionRules[dialect.generation];
  const name = text ?? signingDialects[dialect.name].sighash;
  const type = name === 'DEFAULT' && knowsSighashDefault ? SIGHASH.DEFAULT : sighashTypeNamed(name);
  if (type !== undefined) return type;
  const safeName = withoutSecrets(name);
  throw knowsSighashDefault
    ? invalidParameter(`'${safeName}' is not a valid sighash parameter.`)
    : new RpcError(RPC_MISC_ERROR, cString(`${safeName} is not a valid sighash parameter.`));
}

/** Cuts a text at the first NUL, as 0.21 does with the text of an exception. */
const cString = (text: string): string => text.split('\0', 1)[0] ?? text;
