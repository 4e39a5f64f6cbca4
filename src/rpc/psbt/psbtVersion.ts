import { RpcError } from '../../errors.ts';
import { psbtRoleRules } from '../../generations.ts';
import { parseUint32 } from '../arguments.ts';
import type { RpcContext } from '../dialect.ts';
import { RPC_INVALID_PARAMETER } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';

/** Parses the version of the PSBT to create, default 2. @throws RpcError -1, -8 */
export function parsePsbtVersion(value: JsonValue | undefined, { dialect }: RpcContext): 0 | 2 {
  if (!psbtRoleRules[dialect.generation].createsVersion2) return 0;
  const version = value?.type === 'number' ? parseUint32(value) : 2;
  if (version === 0 || version === 2) return version;
  throw new RpcError(RPC_INVALID_PARAMETER, 'The PSBT version can only be 2 or 0');
}
