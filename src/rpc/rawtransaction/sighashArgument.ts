import { withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import { sighashTypeNamed } from '../../script/signatureEncoding.ts';
import { SIGHASH } from '../../sighash/sighashType.ts';
import type { Dialect } from '../dialect.ts';
import { RPC_INVALID_PARAMETER, RPC_MISC_ERROR } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';

/**
 * Parses a sighash type. Its default is ALL in the contract and 0.21, and DEFAULT in Core 31.
 * @throws RpcError -8, in 0.21 -1
 * @see Bitcoin Core `ParseSighashString`
 */
export function parseSighashType(value: JsonValue | undefined, { generation, followsContract }: Dialect): number {
  const isOld = generation === 'core-0.21';
  if (value?.type !== 'string') return isOld || followsContract ? SIGHASH.ALL : SIGHASH.DEFAULT;
  const type = value.value === 'DEFAULT' && !isOld ? SIGHASH.DEFAULT : sighashTypeNamed(value.value);
  if (type !== undefined) return type;
  const shown = withoutSecrets(value.value);
  throw isOld
    ? new RpcError(RPC_MISC_ERROR, cString(`${shown} is not a valid sighash parameter.`))
    : new RpcError(RPC_INVALID_PARAMETER, `'${shown}' is not a valid sighash parameter.`);
}

/** Cuts a text at the first NUL, as 0.21 does with the text of an exception. */
const cString = (text: string): string => text.split('\0', 1)[0] ?? text;
