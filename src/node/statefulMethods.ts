export {
  getbestblockhash,
  getblockcount,
  getblockhash,
  invalidateblock,
  preciousblock,
  reconsiderblock,
  setmocktime,
  submitblock,
} from './methods/blockchain/blocks.ts';
export { getblock, getblockheader } from './methods/blockchain/getblock.ts';
export { getblockchaininfo, getchaintips, getdifficulty } from './methods/blockchain/getblockchaininfo.ts';
export { getblockfilter } from './methods/blockchain/getblockfilter.ts';
export { getblockstats } from './methods/blockchain/getblockstats.ts';
export { getchainstates } from './methods/blockchain/getchainstates.ts';
export { getchaintxstats } from './methods/blockchain/getchaintxstats.ts';
export { getdeploymentinfo } from './methods/blockchain/getdeploymentinfo.ts';
export { getdescriptoractivity } from './methods/blockchain/getdescriptoractivity.ts';
export { getrawtransaction } from './methods/blockchain/getrawtransaction.ts';
export { gettxout } from './methods/blockchain/gettxout.ts';
export { gettxoutproof, verifytxoutproof } from './methods/blockchain/gettxoutproof.ts';
export { gettxoutsetinfo } from './methods/blockchain/gettxoutsetinfo.ts';
export { scanblocks } from './methods/blockchain/scanblocks.ts';
export { scantxoutset } from './methods/blockchain/scantxoutset.ts';
export { pruneblockchain, verifychain } from './methods/blockchain/verifychain.ts';
export { waitforblock, waitforblockheight, waitfornewblock } from './methods/blockchain/waitForBlock.ts';
export { echo, echojson } from './methods/control/echo.ts';
export { getopenrpcinfo, rpcDiscover as 'rpc.discover' } from './methods/control/openRpc.ts';
export { getmemoryinfo, help, logging, stop } from './methods/control/process.ts';
export { mockscheduler, syncwithvalidationinterfacequeue } from './methods/control/testing.ts';
export { addhdkey } from './methods/keys/addhdkey.ts';
export { addmultisigaddress } from './methods/keys/addmultisigaddress.ts';
export { getnewaddress, getrawchangeaddress, keypoolrefill } from './methods/keys/addresses.ts';
export { createwalletdescriptor } from './methods/keys/createwalletdescriptor.ts';
export { derivehdkey } from './methods/keys/derivehdkey.ts';
export { dumpprivkey } from './methods/keys/dumpprivkey.ts';
export { gethdkeys } from './methods/keys/gethdkeys.ts';
export { importdescriptors } from './methods/keys/importdescriptors.ts';
export { importaddress, importprivkey, importpubkey } from './methods/keys/importlegacy.ts';
export { importmulti } from './methods/keys/importmulti.ts';
export { listdescriptors } from './methods/keys/listdescriptors.ts';
export { sethdseed } from './methods/keys/sethdseed.ts';
export { getmempoolcluster, getmempoolfeeratediagram } from './methods/mempool/getmempoolcluster.ts';
export { getmempoolancestors, getmempooldescendants, getmempoolentry } from './methods/mempool/getmempoolentry.ts';
export { getmempoolinfo, getrawmempool } from './methods/mempool/getrawmempool.ts';
export { gettxspendingprevout } from './methods/mempool/gettxspendingprevout.ts';
export { importmempool, savemempool } from './methods/mempool/mempoolFiles.ts';
export { droptransaction, sendrawtransaction } from './methods/mempool/sendrawtransaction.ts';
export { submitpackage } from './methods/mempool/submitpackage.ts';
export { testmempoolaccept } from './methods/mempool/testmempoolaccept.ts';
export { generate, generateblock, generatetoaddress, generatetodescriptor } from './methods/mining/generate.ts';
export { getblocktemplate } from './methods/mining/getblocktemplate.ts';
export { getmininginfo, getnetworkhashps } from './methods/mining/getmininginfo.ts';
export { getprioritisedtransactions, prioritisetransaction } from './methods/mining/prioritise.ts';
export { submitheader } from './methods/mining/submitheader.ts';
export { addnode, getaddednodeinfo } from './methods/network/addnode.ts';
export { disconnectnode, ping, setnetworkactive } from './methods/network/connections.ts';
export { estimatesmartfee } from './methods/network/estimatesmartfee.ts';
export { getconnectioncount, getnettotals, getnetworkinfo } from './methods/network/getnetworkinfo.ts';
export { getaddrmaninfo, getnodeaddresses } from './methods/network/getnodeaddresses.ts';
export { getpeerinfo } from './methods/network/getpeerinfo.ts';
export { getindexinfo, getrpcinfo, getzmqnotifications, uptime } from './methods/network/getrpcinfo.ts';
export { clearbanned, listbanned, setban } from './methods/network/setban.ts';
export { signmessage } from './methods/signing/signmessage.ts';
export { signrawtransactionwithwallet } from './methods/signing/signrawtransactionwithwallet.ts';
export { walletprocesspsbt } from './methods/signing/walletprocesspsbt.ts';
export { bumpfee, psbtbumpfee } from './methods/spending/bumpfee.ts';
export { fundrawtransaction } from './methods/spending/fundrawtransaction.ts';
export { send } from './methods/spending/send.ts';
export { sendall } from './methods/spending/sendall.ts';
export { sendmany, sendtoaddress } from './methods/spending/sendtoaddress.ts';
export { walletcreatefundedpsbt } from './methods/spending/walletcreatefundedpsbt.ts';
export { backupwallet, exportwatchonlywallet, restorewallet } from './methods/wallet/backups.ts';
export { getaddressinfo } from './methods/wallet/getaddressinfo.ts';
export { getbalance, getbalances, getunconfirmedbalance } from './methods/wallet/getbalances.ts';
export { getreceivedbyaddress, getreceivedbylabel } from './methods/wallet/getreceived.ts';
export { gettransaction } from './methods/wallet/gettransaction.ts';
export { getwalletinfo } from './methods/wallet/getwalletinfo.ts';
export { getaddressesbylabel, listlabels } from './methods/wallet/labels.ts';
export { abandontransaction, listlockunspent, lockunspent, setlabel } from './methods/wallet/labelsAndLocks.ts';
export { listaddressgroupings } from './methods/wallet/listaddressgroupings.ts';
export { listreceivedbyaddress, listreceivedbylabel } from './methods/wallet/listreceived.ts';
export { listsinceblock } from './methods/wallet/listsinceblock.ts';
export { listtransactions } from './methods/wallet/listtransactions.ts';
export { listunspent } from './methods/wallet/listunspent.ts';
export { listwalletdir, listwallets } from './methods/wallet/listwallets.ts';
export { importprunedfunds, removeprunedfunds } from './methods/wallet/prunedfunds.ts';
export { rescanblockchain } from './methods/wallet/rescanblockchain.ts';
export { simulaterawtransaction } from './methods/wallet/simulaterawtransaction.ts';
export {
  encryptwallet,
  walletlock,
  walletpassphrase,
  walletpassphrasechange,
} from './methods/wallet/walletpassphrase.ts';
export { abortrescan, settxfee, setwalletflag } from './methods/wallet/walletSettings.ts';
export { createwallet, loadwallet, unloadwallet } from './methods/wallet/wallets.ts';
