import { deriveaddresses } from './descriptors/deriveaddresses.ts';
import { getdescriptorinfo } from './descriptors/getdescriptorinfo.ts';
import { methodsByName, type RpcMethod } from './method.ts';
import { decodepsbt } from './psbt/decodepsbt.ts';
import { decoderawtransaction } from './rawtransaction/decoderawtransaction.ts';
import { decodescript } from './rawtransaction/decodescript.ts';

/** The methods that only decode, which a program can load without the code that signs, verifies and reviews. */
const DECODERS = /* @__PURE__ */ methodsByName<RpcMethod>([
  decodepsbt,
  decoderawtransaction,
  decodescript,
  getdescriptorinfo,
  deriveaddresses,
]);

/** Finds a method that only decodes. */
export const findDecoder = (name: string): RpcMethod | undefined => DECODERS.get(name);
