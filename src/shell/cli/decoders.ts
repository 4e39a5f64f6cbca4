import type { RpcMethod } from '../../answers/method/method.ts';

/** Methods that neither sign, verify nor review, so that little code is loaded for them. */
export type DecoderName =
  | 'decodepsbt'
  | 'decoderawtransaction'
  | 'decodescript'
  | 'deriveaddresses'
  | 'getdescriptorinfo';

const DECODERS: Readonly<Record<DecoderName, () => Promise<RpcMethod>>> = {
  decodepsbt: async () => (await import('../../answers/psbt/decodepsbt.ts')).decodepsbt,
  decoderawtransaction: async () =>
    (await import('../../answers/rawtransaction/decoderawtransaction.ts')).decoderawtransaction,
  decodescript: async () => (await import('../../answers/rawtransaction/decodescript.ts')).decodescript,
  deriveaddresses: async () => (await import('../../answers/descriptors/deriveaddresses.ts')).deriveaddresses,
  getdescriptorinfo: async () => (await import('../../answers/descriptors/getdescriptorinfo.ts')).getdescriptorinfo,
};

export const isDecoder = (name: string): name is DecoderName => Object.hasOwn(DECODERS, name);

export const loadDecoder = (name: DecoderName): Promise<RpcMethod> => DECODERS[name]();
