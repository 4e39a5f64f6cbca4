import { withoutSecrets } from '../encoding/redaction.ts';
import {
  getbestblockhash,
  getblockcount,
  getblockhash,
  invalidateblock,
  reconsiderblock,
  setmocktime,
  submitblock,
} from './blockchain/blocks.ts';
import { getblock, getblockheader } from './blockchain/getblock.ts';
import { getblockchaininfo, getchaintips, getdifficulty } from './blockchain/getblockchaininfo.ts';
import { gettxout } from './blockchain/gettxout.ts';
import { gettxoutproof, verifytxoutproof } from './blockchain/gettxoutproof.ts';
import { scantxoutset } from './blockchain/scantxoutset.ts';
import { getindexinfo, getrpcinfo, getzmqnotifications, uptime } from './control/getrpcinfo.ts';
import type { DialectName } from './dialect.ts';
import { dialects } from './dialect.ts';
import { estimatesmartfee } from './fees/estimatesmartfee.ts';
import { getmempoolancestors, getmempooldescendants, getmempoolentry } from './mempool/getmempoolentry.ts';
import { getmempoolinfo, getrawmempool } from './mempool/getrawmempool.ts';
import { droptransaction, sendrawtransaction } from './mempool/sendrawtransaction.ts';
import { testmempoolaccept } from './mempool/testmempoolaccept.ts';
import { methodsByName, type RpcMethod, type RpcSignature } from './method.ts';
import { getconnectioncount, getnettotals, getnetworkinfo, getpeerinfo } from './network/getnetworkinfo.ts';
import { getrawtransaction } from './rawtransaction/getrawtransaction.ts';
import { bumpfee, psbtbumpfee } from './spending/bumpfee.ts';
import { fundrawtransaction } from './spending/fundrawtransaction.ts';
import { send } from './spending/send.ts';
import { sendall } from './spending/sendall.ts';
import { sendmany, sendtoaddress } from './spending/sendtoaddress.ts';
import { walletcreatefundedpsbt } from './spending/walletcreatefundedpsbt.ts';
import { statelessMethods } from './statelessMethods.ts';
import { addmultisigaddress } from './wallet/addmultisigaddress.ts';
import { getnewaddress, getrawchangeaddress, keypoolrefill } from './wallet/addresses.ts';
import { backupwallet, restorewallet } from './wallet/backups.ts';
import type { NodeMethod, WalletMethod } from './wallet/context.ts';
import { createwalletdescriptor } from './wallet/createwalletdescriptor.ts';
import { dumpprivkey } from './wallet/dumpprivkey.ts';
import { getaddressinfo } from './wallet/getaddressinfo.ts';
import { getbalance, getbalances, getunconfirmedbalance } from './wallet/getbalances.ts';
import { gethdkeys } from './wallet/gethdkeys.ts';
import { getreceivedbyaddress, getreceivedbylabel } from './wallet/getreceived.ts';
import { gettransaction } from './wallet/gettransaction.ts';
import { getwalletinfo } from './wallet/getwalletinfo.ts';
import { importdescriptors } from './wallet/importdescriptors.ts';
import { importaddress, importprivkey, importpubkey } from './wallet/importlegacy.ts';
import { importmulti } from './wallet/importmulti.ts';
import { getaddressesbylabel, listlabels } from './wallet/labels.ts';
import { abandontransaction, listlockunspent, lockunspent, setlabel } from './wallet/labelsAndLocks.ts';
import { listaddressgroupings } from './wallet/listaddressgroupings.ts';
import { listdescriptors } from './wallet/listdescriptors.ts';
import { listreceivedbyaddress, listreceivedbylabel } from './wallet/listreceived.ts';
import { listsinceblock } from './wallet/listsinceblock.ts';
import { listtransactions } from './wallet/listtransactions.ts';
import { listunspent } from './wallet/listunspent.ts';
import { listwalletdir, listwallets } from './wallet/listwallets.ts';
import { importprunedfunds, removeprunedfunds } from './wallet/prunedfunds.ts';
import { rescanblockchain } from './wallet/rescanblockchain.ts';
import { sethdseed } from './wallet/sethdseed.ts';
import { signmessage } from './wallet/signmessage.ts';
import { signrawtransactionwithwallet } from './wallet/signrawtransactionwithwallet.ts';
import { simulaterawtransaction } from './wallet/simulaterawtransaction.ts';
import { encryptwallet, walletlock, walletpassphrase, walletpassphrasechange } from './wallet/walletpassphrase.ts';
import { walletprocesspsbt } from './wallet/walletprocesspsbt.ts';
import { abortrescan, settxfee, setwalletflag } from './wallet/walletSettings.ts';
import { createwallet, loadwallet, unloadwallet } from './wallet/wallets.ts';

/** The methods of wallets and of the node, in help order. */
export const statefulMethods: readonly (WalletMethod | NodeMethod)[] = [
  listunspent,
  listsinceblock,
  listtransactions,
  gettransaction,
  getbalance,
  getbalances,
  getunconfirmedbalance,
  listreceivedbyaddress,
  listreceivedbylabel,
  getreceivedbyaddress,
  getreceivedbylabel,
  listaddressgroupings,
  getaddressinfo,
  getaddressesbylabel,
  listlabels,
  signrawtransactionwithwallet,
  simulaterawtransaction,
  walletprocesspsbt,
  signmessage,
  walletcreatefundedpsbt,
  fundrawtransaction,
  send,
  sendtoaddress,
  sendmany,
  sendall,
  bumpfee,
  psbtbumpfee,
  getwalletinfo,
  getnewaddress,
  getrawchangeaddress,
  keypoolrefill,
  sethdseed,
  dumpprivkey,
  gethdkeys,
  createwalletdescriptor,
  importdescriptors,
  listdescriptors,
  importprivkey,
  importaddress,
  importpubkey,
  importmulti,
  rescanblockchain,
  setlabel,
  lockunspent,
  listlockunspent,
  abandontransaction,
  importprunedfunds,
  removeprunedfunds,
  addmultisigaddress,
  setwalletflag,
  settxfee,
  abortrescan,
  encryptwallet,
  walletpassphrase,
  walletpassphrasechange,
  walletlock,
  createwallet,
  loadwallet,
  unloadwallet,
  backupwallet,
  restorewallet,
  listwallets,
  listwalletdir,
  submitblock,
  invalidateblock,
  reconsiderblock,
  sendrawtransaction,
  testmempoolaccept,
  droptransaction,
  setmocktime,
  getblockcount,
  getblockhash,
  getbestblockhash,
  getblock,
  getblockheader,
  getblockchaininfo,
  getdifficulty,
  getchaintips,
  gettxout,
  gettxoutproof,
  verifytxoutproof,
  scantxoutset,
  getrawtransaction,
  getrawmempool,
  getmempoolinfo,
  getmempoolentry,
  getmempoolancestors,
  getmempooldescendants,
  getnetworkinfo,
  getconnectioncount,
  getpeerinfo,
  getnettotals,
  getindexinfo,
  getzmqnotifications,
  getrpcinfo,
  uptime,
  estimatesmartfee,
];

// Bundlers drop an unused annotated call only if its arguments are plain names: a spread would keep every method.
const ALL = /* @__PURE__ */ methodsByName<RpcMethod | WalletMethod | NodeMethod>(statelessMethods, statefulMethods);

/** Lists all methods, in help order. */
export const allMethods = (): readonly RpcSignature[] => [...statelessMethods, ...statefulMethods];

/** Finds a method by name, whatever it needs. */
export const findMethod = (name: string): RpcMethod | NodeMethod | WalletMethod | undefined => ALL.get(name);

/** Returns a method's name for an error text: whole if the method exists, else without what may be a secret. */
export const shownName = (name: string): string => (ALL.has(name) ? name : withoutSecrets(name, 'name'));

/** Lists the dialects that have a method. */
export const dialectsWith = ({ onlyIn }: Pick<RpcSignature, 'onlyIn'>): readonly DialectName[] =>
  Object.values(dialects)
    .filter(({ generation }) => onlyIn === undefined || onlyIn === generation)
    .map(({ name }) => name);
