import { resolveContext } from '../answers/dialect/dialect.ts';
import type { DialectAlias, DialectName } from '../answers/dialect/dialectNames.ts';
import { type OpenRpcJson, openRpcJson } from './methods/control/openRpc.ts';
import { methodsIn } from './registry.ts';

/**
 * Describes the methods of a release, their parameters and answers, as an OpenRPC document.
 * @throws BtcError `dialect/unknown`
 * @see Bitcoin Core RPC `getopenrpcinfo`; https://spec.open-rpc.org
 *
 * @example
 * ```ts
 * import { openRpcDocument } from 'countersign/rpc';
 *
 * openRpcDocument('core-31').methods.find(({ name }) => name === 'getblockhash')?.params[0]?.name; // height
 * ```
 */
export function openRpcDocument(dialect: DialectName | DialectAlias): OpenRpcJson {
  const context = resolveContext({ dialect });
  return openRpcJson({ ...context, methods: methodsIn(context.dialect.generation) }, true);
}
