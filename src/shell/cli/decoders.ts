import type { RpcMethod } from '../../answers/method/method.ts';

/** The name of a method that only decodes. */
export type DecoderName =
  | 'decodepsbt'
  | 'decoderawtransaction'
  | 'decodescript'
  | 'deriveaddresses'
  | 'getdescriptorinfo';

/** Loads each method with little code: none of it signs, verifies or reviews. */
const DECODERS: Readonly<Record<DecoderName, () => Promise<RpcMethod>>> = {
  decodepsbt: async () => (await import('../../answers/psbt/decodepsbt.ts')).decodepsbt,
  decoderawtransaction: async () =>
    (await import('../../answers/rawtransaction/decoderawtransaction.ts')).decoderawtransaction,
  decodescript: async () => (await import('../../answers/rawtransaction/decodescript.ts')).decodescript,
  deriveaddresses: async () => (await import('../../answers/descriptors/deriveaddresses.ts')).deriveaddresses,
  getdescriptorinfo: async () => (await import('../../answers/descriptors/getdescriptorinfo.ts')).getdescriptorinfo,
};

/** Tells whether a method only decodes. */
export const isDecoder = (name: string): name is DecoderName => Object.hasOwn(DECODERS, name);

/** Loads a method that only decodes. */
export const loadDecoder = (name: DecoderName): Promise<RpcMethod> => DECODERS[name]();
