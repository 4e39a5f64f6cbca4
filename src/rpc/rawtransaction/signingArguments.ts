import { seedWordsAdvice, withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError, unlessRefused } from '../../errors.ts';
import { rawTransactionRules } from '../../generations.ts';
import { parseWif } from '../../keys/wif.ts';
import { type Network, networks } from '../../network/networks.ts';
import { sighashTypeNamed } from '../../script/signatureEncoding.ts';
import { SIGHASH } from '../../sighash/sighashType.ts';
import type { SigningKey } from '../../signing/signingProvider.ts';
import { readValue } from '../argumentValues.ts';
import { type Dialect, defaultSighashes, type RpcContext, signingDialects } from '../dialect.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY, RPC_MISC_ERROR } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';

/**
 * Parses private keys in wallet import format. Errors never show them.
 * @throws RpcError -5 for anything but a key of this network; -3, in 0.21 -1, for anything but a string
 * @see Bitcoin Core `DecodeSecret`
 */
export function parsePrivateKeys(items: readonly JsonValue[], context: RpcContext): readonly SigningKey[] {
  const { explainsErrors } = signingDialects[context.dialect.name];
  return items.map((item) => {
    const text = readValue(item, 'string', context.dialect).value;
    const key = tryParse(text, context.network);
    if (key) return key;
    const hint = explainsErrors ? hintFor(text, items, context.network) : '';
    throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `Invalid private key${hint}`);
  });
}

/** Returns our hint for an invalid key. The words of a seed phrase may be in a single string, or in a string each. */
function hintFor(text: string, items: readonly JsonValue[], network: Network): string {
  const advice = seedWordsAdvice(items.map((item) => (item.type === 'string' ? item.value : '')).join(' '));
  return advice === undefined ? otherNetworkHint(text, network) : `: ${advice}`;
}

const tryParse = (text: string, network: Network): SigningKey | undefined =>
  unlessRefused(() => parseWif(text, network));

/** Names both networks if the key belongs to another network. */
function otherNetworkHint(text: string, network: Network): string {
  const others = Object.values(networks).filter(({ wif }) => wif !== network.wif);
  const fitting = others.filter((other) => tryParse(text, other) !== undefined).map(({ name }) => name);
  return fitting.length === 0 ? '' : `: the key is for ${fitting.join(', ')}, not for ${withoutSecrets(network.name)}`;
}

/**
 * Parses a sighash type.
 * @throws RpcError -8, in 0.21 -1
 * @see Bitcoin Core `ParseSighashString`
 */
export function parseSighashType(value: JsonValue | undefined, dialect: Dialect): number {
  const { knowsSighashDefault } = rawTransactionRules[dialect.generation];
  const name = value?.type === 'string' ? value.value : defaultSighashes[dialect.name];
  const type = name === 'DEFAULT' && knowsSighashDefault ? SIGHASH.DEFAULT : sighashTypeNamed(name);
  if (type !== undefined) return type;
  const shown = withoutSecrets(name);
  throw knowsSighashDefault
    ? invalidParameter(`'${shown}' is not a valid sighash parameter.`)
    : new RpcError(RPC_MISC_ERROR, cString(`${shown} is not a valid sighash parameter.`));
}

/** Cuts a text at the first NUL, as 0.21 does with the text of an exception. */
const cString = (text: string): string => text.split('\0', 1)[0] ?? text;
