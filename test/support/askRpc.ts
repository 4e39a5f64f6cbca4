import { createRpc, type DialectName, type NetworkName, RpcError } from './library.ts';

/** Calls a method without a node. @returns the answer as JSON, or the code and message of the error */
export function ask(
  method: string,
  params: readonly unknown[],
  { dialect = 'core-32', network = 'regtest' }: { dialect?: DialectName; network?: NetworkName } = {},
): unknown {
  return unlessError(() => JSON.parse(JSON.stringify(createRpc({ dialect, network }).call(method, params))));
}

/** @returns the answer of a call, or the code and message of its error */
export function unlessError(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof RpcError) return `${error.code} ${error.message}`;
    throw error;
  }
}

/** Calls a method as `ask` does, on regtest. */
export const callText = (dialect: DialectName, method: string, params: readonly unknown[]): unknown =>
  ask(method, params, { dialect });

// The keys of Core's rpc_deriveaddresses.py and rpc_getdescriptorinfo.py.
export const TPUB =
  'tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B';
export const TPRV =
  'tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK';
