import type { RpcContext } from '../dialect/dialect.ts';
import { lasting, PSBT_2 } from '../dialect/dialectNames.ts';
import { signingDialects } from '../dialect/signingDialect.ts';
import { invalidParameter } from '../method/errorCodes.ts';
import type { ReadArguments } from '../method/parameters.ts';
import { optional, uint32 } from '../method/parameters.ts';

export const PSBT_VERSION_PARAM = lasting(
  optional(uint32('psbt_version', 'the PSBT version, 0 or 2', { default: '2, in documented 0' })),
  PSBT_2,
);

/** @throws RpcError -1, -8 */
export function choosePsbtVersion(
  args: ReadArguments<readonly [typeof PSBT_VERSION_PARAM]>,
  { dialect }: RpcContext,
): 0 | 2 {
  const [usual, ...others] = signingDialects[dialect.name].psbtVersions;
  if (others.length === 0) return usual;
  const { psbt_version: version = usual } = args;
  if (version === 0 || version === 2) return version;
  throw invalidParameter('The PSBT version can only be 2 or 0');
}
