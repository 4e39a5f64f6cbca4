import type { RpcMethod } from '../rpc/method.ts';

/** The name of a method that only decodes. */
export type DecoderName =
  | 'decodepsbt'
  | 'decoderawtransaction'
  | 'decodescript'
  | 'deriveaddresses'
  | 'getdescriptorinfo';

/** Loads each method with little code: none of it signs, verifies or reviews. */
const DECODERS: Readonly<Record<DecoderName, () => Promise<RpcMethod>>> = {
  decodepsbt: async () => (await import('../rpc/psbt/decodepsbt.ts')).decodepsbt,
  decoderawtransaction: async () =>
    (await import('../rpc/rawtransaction/decoderawtransaction.ts')).decoderawtransaction,
  decodescript: async () => (await import('../rpc/rawtransaction/decodescript.ts')).decodescript,
  deriveaddresses: async () => (await import('../rpc/descriptors/deriveaddresses.ts')).deriveaddresses,
  getdescriptorinfo: async () => (await import('../rpc/descriptors/getdescriptorinfo.ts')).getdescriptorinfo,
};

/** Tells whether a method only decodes. */
export const isDecoder = (name: string): name is DecoderName => Object.hasOwn(DECODERS, name);

/** Loads a method that only decodes. */
export const loadDecoder = (name: DecoderName): Promise<RpcMethod> => DECODERS[name]();
