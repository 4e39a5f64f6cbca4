import { NEWEST } from '../../../core/generations.ts';
import { controlRules } from './controlRules.ts';

/** The methods of each category that is neither `wallet` nor `hidden`. @see Bitcoin Core `CRPCCommand` */
const METHODS = {
  blockchain:
    'getbestblockhash getblock getblockchaininfo getblockcount getblockfilter getblockhash getblockheader getblockstats getchainstates getchaintips getchaintxstats getdeploymentinfo getdescriptoractivity getdifficulty getmempoolancestors getmempoolcluster getmempooldescendants getmempoolentry getmempoolinfo getrawmempool gettxout gettxoutproof gettxoutsetinfo gettxspendingprevout importmempool preciousblock pruneblockchain savemempool scanblocks scantxoutset verifychain verifytxoutproof waitforblock waitforblockheight waitfornewblock',
  control: 'getmemoryinfo getopenrpcinfo getrpcinfo help logging rpc.discover stop uptime',
  mining:
    'getblocktemplate getmininginfo getnetworkhashps getprioritisedtransactions prioritisetransaction submitblock submitheader',
  network: 'getconnectioncount getnettotals getnetworkinfo getpeerinfo',
  rawtransactions:
    'analyzepsbt combinepsbt combinerawtransaction converttopsbt createpsbt createrawtransaction decodepsbt decoderawtransaction decodescript descriptorprocesspsbt droptransaction finalizepsbt fundrawtransaction getrawtransaction joinpsbts reviewpsbt sendrawtransaction signrawtransactionwithkey submitpackage testmempoolaccept utxoupdatepsbt verifyrawtransaction',
  util: 'createmultisig deriveaddresses estimatesmartfee getdescriptorinfo getindexinfo signmessagewithprivkey validateaddress verifymessage',
  zmq: 'getzmqnotifications',
} as const;

const BY_METHOD: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...METHODS, hidden: controlRules[NEWEST].hiddenMethods }).flatMap(([category, names]) =>
    names.split(' ').map((name) => [name, category]),
  ),
);

/** Returns Core's category of a method, such as `blockchain`; `hidden` for one of tests. */
export const categoryOf = (method: string): string => BY_METHOD.get(method) ?? 'wallet';
