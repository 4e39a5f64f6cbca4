import { toJsonValue } from '../../answers/json/jsonValue.ts';
import { RpcError } from '../../core/errors.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import { InitError } from './initError.ts';
import type { Options } from './options.ts';

/**
 * Switches the categories that `logging` shows.
 * @throws InitError
 * @see Bitcoin Core `SetLoggingCategories`
 */
export function switchLogs(rpc: Pick<NodeRpc, 'callJson'>, { list }: Options): void {
  const named = list('debug');
  const off = Math.max(named.lastIndexOf('0'), named.lastIndexOf('none'));
  const change = (option: string, category: string, params: readonly (readonly string[])[]): void => {
    try {
      rpc.callJson('logging', toJsonValue(params), undefined);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new InitError(`Unsupported logging category -${option}=${category}.`);
    }
  };
  for (const category of named.slice(off + 1)) change('debug', category, [[category]]);
  for (const category of list('debugexclude')) change('debugexclude', category, [[], [category]]);
}

/** Tells whether a category is switched on. */
export function isLogged(rpc: Pick<NodeRpc, 'callJson'>, category: string): boolean {
  const answer = rpc.callJson('logging', toJsonValue([]), undefined) as Readonly<Record<string, boolean>>;
  return answer[category] === true;
}
