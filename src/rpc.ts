export type { InputArgument, OutputsArgument } from './answers/arguments/constructTransaction.ts';
export type { DescriptorArgument } from './answers/arguments/descriptorArgument.ts';
export type { Prevtx } from './answers/arguments/prevtxs.ts';
export type { SighashName } from './answers/arguments/signingArguments.ts';
export {
  createMultisig,
  createRawTransaction,
  decodePsbt,
  decodeRawTransaction,
  decodeScript,
  signRawTransactionWithKey,
  validateAddress,
  verifyRawTransaction,
} from './answers/client.ts';
export { createRpc, methods, type Rpc, type StatelessMethods } from './answers/createRpc.ts';
export type { DescriptorInfoJson } from './answers/descriptors/getdescriptorinfo.ts';
export { dialects, type RpcOptions } from './answers/dialect/dialect.ts';
export type { DialectAlias, DialectName } from './answers/dialect/dialectNames.ts';
export { answerText, type Dispatcher, type TextOptions } from './answers/envelope.ts';
export { type StringifyOptions, stringifyRpc } from './answers/json/stringify.ts';
export type { CallAnswer, CallArguments, CallableName, Methods, RpcCall } from './answers/method/call.ts';
export type { RpcAnswer } from './answers/method/method.ts';
export type { AnalyzedInputJson, AnalyzedPsbtJson } from './answers/psbt/analyzepsbt.ts';
export type { ProcessedPsbtJson } from './answers/psbt/descriptorprocesspsbt.ts';
export type { FinalizedPsbtJson } from './answers/psbt/finalizepsbt.ts';
export type { ReviewedPsbtJson } from './answers/psbt/reviewpsbt.ts';
export type { DecodedScriptJson } from './answers/rawtransaction/decodescript.ts';
export type { SigningResultJson } from './answers/rawtransaction/signingResult.ts';
export type { VerifiedTransactionJson } from './answers/rawtransaction/verifyrawtransaction.ts';
export type { MultisigAddressJson } from './answers/util/createmultisig.ts';
export type { ValidatedAddressJson } from './answers/util/validateaddress.ts';
export type { AddressKindJson } from './answers/views/addressJson.ts';
export type { InputErrorCode, InputErrorJson } from './answers/views/inputErrors.ts';
export type { PsbtInputJson, PsbtJson, PsbtOutputJson } from './answers/views/psbtResults.ts';
export type {
  BlockTransactionJson,
  FoundTransactionJson,
  InputJson,
  OutputJson,
  PrevoutJson,
  ScriptJson,
  ScriptPubKeyJson,
  ScriptSigJson,
  TransactionJson,
} from './answers/views/transactionResults.ts';
export { RpcError } from './core/errors.ts';
export { createNodeRpc, type NodeRpc, type NodeRpcOptions } from './node/createNodeRpc.ts';
export type {
  BlockHeaderJson,
  BlockJson,
  BlockWithCoinsJson,
  BlockWithTransactionsJson,
  CoinbaseJson,
} from './node/methods/blockchain/blockJson.ts';
export type {
  ChainInfoJson,
  ChainTipJson,
} from './node/methods/blockchain/getblockchaininfo.ts';
export type { BlockStatsJson } from './node/methods/blockchain/getblockstats.ts';
export type { ChainStatesJson } from './node/methods/blockchain/getchainstates.ts';
export type { ChainTxStatsJson } from './node/methods/blockchain/getchaintxstats.ts';
export type { DeploymentInfoJson } from './node/methods/blockchain/getdeploymentinfo.ts';
export type { CoinJson } from './node/methods/blockchain/gettxout.ts';
export type { FoundCoinJson, FoundCoinsJson } from './node/methods/blockchain/scantxoutset.ts';
export type { SoftForkJson, VotedForkJson } from './node/methods/blockchain/softForks.ts';
export type { BackupFiles } from './node/methods/context.ts';
export type { JsonSchema, OpenRpcJson } from './node/methods/control/openRpc.ts';
export type { ImportedJson } from './node/methods/importResult.ts';
export type { ListedDescriptorJson, ListedDescriptorsJson } from './node/methods/keys/listdescriptors.ts';
export type { MempoolClusterJson } from './node/methods/mempool/getmempoolcluster.ts';
export type { MempoolInfoJson } from './node/methods/mempool/getrawmempool.ts';
export type { SpendingJson } from './node/methods/mempool/gettxspendingprevout.ts';
export type { MempoolEntryJson, MempoolFeesJson, MempoolListJson } from './node/methods/mempool/mempoolJson.ts';
export type { SubmittedPackageJson } from './node/methods/mempool/submitpackage.ts';
export type { AcceptedFeesJson, MempoolTestJson } from './node/methods/mempool/testmempoolaccept.ts';
export type { BlockTemplateJson } from './node/methods/mining/getblocktemplate.ts';
export type { MiningInfoJson } from './node/methods/mining/getmininginfo.ts';
export type { PrioritisedTransactionsJson } from './node/methods/mining/prioritise.ts';
export type { AddedNodeJson } from './node/methods/network/addnode.ts';
export type { FeeEstimateJson } from './node/methods/network/estimatesmartfee.ts';
export type {
  NetTotalsJson,
  NetworkInfoJson,
  ReachableNetworkJson,
  SendQueueJson,
} from './node/methods/network/getnetworkinfo.ts';
export type { AddressCountsJson, NodeAddressJson } from './node/methods/network/getnodeaddresses.ts';
export type { PeerJson } from './node/methods/network/getpeerinfo.ts';
export type { RpcInfoJson } from './node/methods/network/getrpcinfo.ts';
export type { BannedSubnetJson } from './node/methods/network/setban.ts';
export type { TipJson } from './node/methods/waiting.ts';
export type { AddressInfoJson } from './node/methods/wallet/getaddressinfo.ts';
export type { WalletInfoJson } from './node/methods/wallet/getwalletinfo.ts';
export type { TransactionEntryJson } from './node/methods/wallet/listEntries.ts';
export type { SinceBlockJson } from './node/methods/wallet/listsinceblock.ts';
export type { UnspentJson } from './node/methods/wallet/listunspent.ts';
export type { RescanJson } from './node/methods/wallet/rescanblockchain.ts';
export type { WalletNameJson } from './node/methods/wallet/wallets.ts';
export { openRpcDocument } from './node/openRpcDocument.ts';
export type { RpcMethods } from './node/registry.ts';
