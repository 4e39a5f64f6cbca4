import { deriveaddresses } from './descriptors/deriveaddresses.ts';
import { getdescriptorinfo } from './descriptors/getdescriptorinfo.ts';
import { methodsByName, type RpcMethod } from './method.ts';
import { analyzepsbt } from './psbt/analyzepsbt.ts';
import { combinepsbt } from './psbt/combinepsbt.ts';
import { converttopsbt } from './psbt/converttopsbt.ts';
import { createpsbt } from './psbt/createpsbt.ts';
import { decodepsbt } from './psbt/decodepsbt.ts';
import { descriptorprocesspsbt } from './psbt/descriptorprocesspsbt.ts';
import { finalizepsbt } from './psbt/finalizepsbt.ts';
import { joinpsbts } from './psbt/joinpsbts.ts';
import { reviewpsbt } from './psbt/reviewpsbt.ts';
import { utxoupdatepsbt } from './psbt/utxoupdatepsbt.ts';
import { combinerawtransaction } from './rawtransaction/combinerawtransaction.ts';
import { createrawtransaction } from './rawtransaction/createrawtransaction.ts';
import { decoderawtransaction } from './rawtransaction/decoderawtransaction.ts';
import { decodescript } from './rawtransaction/decodescript.ts';
import { signrawtransactionwithkey } from './rawtransaction/signrawtransactionwithkey.ts';
import { verifyrawtransaction } from './rawtransaction/verifyrawtransaction.ts';
import { createmultisig } from './util/createmultisig.ts';
import { signmessagewithprivkey } from './util/signmessagewithprivkey.ts';
import { validateaddress } from './util/validateaddress.ts';
import { verifymessage } from './util/verifymessage.ts';

/** The methods that need neither node nor wallet, in help order. A bundle of `createRpc` holds no others. */
export const statelessMethods: readonly RpcMethod[] = [
  decodepsbt,
  decoderawtransaction,
  decodescript,
  createrawtransaction,
  signrawtransactionwithkey,
  combinerawtransaction,
  createpsbt,
  converttopsbt,
  utxoupdatepsbt,
  descriptorprocesspsbt,
  combinepsbt,
  finalizepsbt,
  analyzepsbt,
  joinpsbts,
  getdescriptorinfo,
  deriveaddresses,
  validateaddress,
  createmultisig,
  signmessagewithprivkey,
  verifymessage,
  reviewpsbt,
  verifyrawtransaction,
];

const BY_NAME = /* @__PURE__ */ methodsByName(statelessMethods);

/** Finds a method that needs neither node nor wallet. */
export const findStatelessMethod = (name: string): RpcMethod | undefined => BY_NAME.get(name);
