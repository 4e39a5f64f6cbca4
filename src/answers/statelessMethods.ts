/* The methods that need neither node nor wallet. */

export { deriveaddresses } from './descriptors/deriveaddresses.ts';
export { getdescriptorinfo } from './descriptors/getdescriptorinfo.ts';
export { analyzepsbt } from './psbt/analyzepsbt.ts';
export { combinepsbt } from './psbt/combinepsbt.ts';
export { converttopsbt } from './psbt/converttopsbt.ts';
export { createpsbt } from './psbt/createpsbt.ts';
export { decodepsbt } from './psbt/decodepsbt.ts';
export { descriptorprocesspsbt } from './psbt/descriptorprocesspsbt.ts';
export { finalizepsbt } from './psbt/finalizepsbt.ts';
export { joinpsbts } from './psbt/joinpsbts.ts';
export { reviewpsbt } from './psbt/reviewpsbt.ts';
export { utxoupdatepsbt } from './psbt/utxoupdatepsbt.ts';
export { combinerawtransaction } from './rawtransaction/combinerawtransaction.ts';
export { createrawtransaction } from './rawtransaction/createrawtransaction.ts';
export { decoderawtransaction } from './rawtransaction/decoderawtransaction.ts';
export { decodescript } from './rawtransaction/decodescript.ts';
export { signrawtransactionwithkey } from './rawtransaction/signrawtransactionwithkey.ts';
export { verifyrawtransaction } from './rawtransaction/verifyrawtransaction.ts';
export { createmultisig } from './util/createmultisig.ts';
export { signmessagewithprivkey } from './util/signmessagewithprivkey.ts';
export { validateaddress } from './util/validateaddress.ts';
export { verifymessage } from './util/verifymessage.ts';
