/* The methods of wallets and of the node. */

export {
  getbestblockhash,
  getblockcount,
  getblockhash,
  invalidateblock,
  reconsiderblock,
  setmocktime,
  submitblock,
} from './blockchain/blocks.ts';
export { getblock, getblockheader } from './blockchain/getblock.ts';
export { getblockchaininfo, getchaintips, getdifficulty } from './blockchain/getblockchaininfo.ts';
export { gettxout } from './blockchain/gettxout.ts';
export { gettxoutproof, verifytxoutproof } from './blockchain/gettxoutproof.ts';
export { scantxoutset } from './blockchain/scantxoutset.ts';
export { getindexinfo, getrpcinfo, getzmqnotifications, uptime } from './control/getrpcinfo.ts';
export { estimatesmartfee } from './fees/estimatesmartfee.ts';
export { getmempoolancestors, getmempooldescendants, getmempoolentry } from './mempool/getmempoolentry.ts';
export { getmempoolinfo, getrawmempool } from './mempool/getrawmempool.ts';
export { droptransaction, sendrawtransaction } from './mempool/sendrawtransaction.ts';
export { testmempoolaccept } from './mempool/testmempoolaccept.ts';
export { getconnectioncount, getnettotals, getnetworkinfo, getpeerinfo } from './network/getnetworkinfo.ts';
export { getrawtransaction } from './rawtransaction/getrawtransaction.ts';
export { bumpfee, psbtbumpfee } from './spending/bumpfee.ts';
export { fundrawtransaction } from './spending/fundrawtransaction.ts';
export { send } from './spending/send.ts';
export { sendall } from './spending/sendall.ts';
export { sendmany, sendtoaddress } from './spending/sendtoaddress.ts';
export { walletcreatefundedpsbt } from './spending/walletcreatefundedpsbt.ts';
export { addmultisigaddress } from './wallet/addmultisigaddress.ts';
export { getnewaddress, getrawchangeaddress, keypoolrefill } from './wallet/addresses.ts';
export { backupwallet, restorewallet } from './wallet/backups.ts';
export { createwalletdescriptor } from './wallet/createwalletdescriptor.ts';
export { dumpprivkey } from './wallet/dumpprivkey.ts';
export { getaddressinfo } from './wallet/getaddressinfo.ts';
export { getbalance, getbalances, getunconfirmedbalance } from './wallet/getbalances.ts';
export { gethdkeys } from './wallet/gethdkeys.ts';
export { getreceivedbyaddress, getreceivedbylabel } from './wallet/getreceived.ts';
export { gettransaction } from './wallet/gettransaction.ts';
export { getwalletinfo } from './wallet/getwalletinfo.ts';
export { importdescriptors } from './wallet/importdescriptors.ts';
export { importaddress, importprivkey, importpubkey } from './wallet/importlegacy.ts';
export { importmulti } from './wallet/importmulti.ts';
export { getaddressesbylabel, listlabels } from './wallet/labels.ts';
export { abandontransaction, listlockunspent, lockunspent, setlabel } from './wallet/labelsAndLocks.ts';
export { listaddressgroupings } from './wallet/listaddressgroupings.ts';
export { listdescriptors } from './wallet/listdescriptors.ts';
export { listreceivedbyaddress, listreceivedbylabel } from './wallet/listreceived.ts';
export { listsinceblock } from './wallet/listsinceblock.ts';
export { listtransactions } from './wallet/listtransactions.ts';
export { listunspent } from './wallet/listunspent.ts';
export { listwalletdir, listwallets } from './wallet/listwallets.ts';
export { importprunedfunds, removeprunedfunds } from './wallet/prunedfunds.ts';
export { rescanblockchain } from './wallet/rescanblockchain.ts';
export { sethdseed } from './wallet/sethdseed.ts';
export { signmessage } from './wallet/signmessage.ts';
export { signrawtransactionwithwallet } from './wallet/signrawtransactionwithwallet.ts';
export { simulaterawtransaction } from './wallet/simulaterawtransaction.ts';
export { encryptwallet, walletlock, walletpassphrase, walletpassphrasechange } from './wallet/walletpassphrase.ts';
export { walletprocesspsbt } from './wallet/walletprocesspsbt.ts';
export { abortrescan, settxfee, setwalletflag } from './wallet/walletSettings.ts';
export { createwallet, loadwallet, unloadwallet } from './wallet/wallets.ts';
