import { withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import { rawTransactionRules } from '../../generations.ts';
import { sighashTypeNamed } from '../../script/signatureEncoding.ts';
import { SIGHASH } from '../../sighash/sighashType.ts';
import { type Dialect, defaultSighashes } from '../dialect.ts';
import { RPC_INVALID_PARAMETER, RPC_MISC_ERROR } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';

/**
 * Parses a sighash type.
 * @throws RpcError -8, in 0.21 -1
 * @see Bitcoin Core `ParseSighashString`
 */
export function parseSighashType(value: JsonValue | undefined, { name, generation }: Dialect): number {
  const { knowsSighashDefault } = rawTransactionRules[generation];
  if (value?.type !== 'string') return SIGHASH[defaultSighashes[name]];
  const type = value.value === 'DEFAULT' && knowsSighashDefault ? SIGHASH.DEFAULT : sighashTypeNamed(value.value);
  if (type !== undefined) return type;
  const shown = withoutSecrets(value.value);
  throw knowsSighashDefault
    ? new RpcError(RPC_INVALID_PARAMETER, `'${shown}' is not a valid sighash parameter.`)
    : new RpcError(RPC_MISC_ERROR, cString(`${shown} is not a valid sighash parameter.`));
}

/** Cuts a text at the first NUL, as 0.21 does with the text of an exception. */
const cString = (text: string): string => text.split('\0', 1)[0] ?? text;
