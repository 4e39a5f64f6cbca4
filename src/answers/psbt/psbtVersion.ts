import { parseUint32, readOptional } from '../arguments/argumentValues.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { lasting, PSBT_2 } from '../dialect/dialectNames.ts';
import { signingDialects } from '../dialect/signingDialect.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { invalidParameter } from '../method/errorCodes.ts';
import { json, of, optional } from '../method/parameters.ts';

export const PSBT_VERSION_PARAM = lasting(
  optional(json('psbt_version', of<number>(), { type: 'number' }, 'the PSBT version, 0 or 2', { default: '2' })),
  PSBT_2,
);

/** @throws RpcError -1, -8 */
export function parsePsbtVersion(value: JsonValue | undefined, { dialect }: RpcContext): 0 | 2 {
  const [usual, ...others] = signingDialects[dialect.name].psbtVersions;
  if (others.length === 0) return usual;
  const versionValue = readOptional(value, 'number', dialect);
  const version = versionValue ? parseUint32(versionValue) : usual;
  if (version === 0 || version === 2) return version;
  throw invalidParameter('The PSBT version can only be 2 or 0');
}
