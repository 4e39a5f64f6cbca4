export type {
  DescriptorArgument,
  DescriptorImport,
  InputArgument,
  OutpointJson,
  OutputsArgument,
  Prevtx,
  QueryOptions,
  ScriptImport,
  SighashName,
} from './argumentTypes.ts';
export type { CallAnswer, CallArguments, CallableName, Methods, RpcCall } from './call.ts';
export {
  decodePsbt,
  decodeRawTransaction,
  decodeScript,
  signRawTransactionWithKey,
  verifyRawTransaction,
} from './client.ts';
export { createNodeRpc, type NodeRpc, type NodeRpcOptions } from './createNodeRpc.ts';
export { createRpc, methods, type Rpc, type StatelessMethods } from './createRpc.ts';
export { dialects, type RpcOptions } from './dialect.ts';
export type { DialectName } from './dialectNames.ts';
export { answerText } from './envelope.ts';
export { type StringifyOptions, stringifyRpc } from './json/stringify.ts';
export type { RpcAnswer } from './method.ts';
export type { ReviewedPsbtJson } from './psbt/reviewpsbt.ts';
export type { RpcMethods } from './registry.ts';
export {
  createMultisig,
  createRawTransaction,
  type NewTransactionArguments,
  validateAddress,
} from './utilityClient.ts';
export type {
  AcceptedFeesJson,
  BlockHeaderJson,
  BlockJson,
  ChainInfoJson,
  ChainTipJson,
  CoinbaseJson,
  CoinJson,
  FeeEstimateJson,
  FoundCoinJson,
  FoundCoinsJson,
  MempoolEntryJson,
  MempoolFeesJson,
  MempoolInfoJson,
  MempoolListJson,
  MempoolTestJson,
  NetTotalsJson,
  NetworkInfoJson,
  ReachableNetworkJson,
  RpcInfoJson,
  SendQueueJson,
  SoftForkJson,
  VotedForkJson,
} from './views/chainJsonTypes.ts';
export type {
  AddressKindJson,
  AnalyzedInputJson,
  AnalyzedPsbtJson,
  DecodedScriptJson,
  DescriptorInfoJson,
  FinalizedPsbtJson,
  FoundTransactionJson,
  InputErrorCode,
  InputErrorJson,
  InputJson,
  MultisigAddressJson,
  OutputJson,
  PrevoutJson,
  ProcessedPsbtJson,
  PsbtInputJson,
  PsbtJson,
  PsbtOutputJson,
  ScriptJson,
  ScriptPubKeyJson,
  ScriptSigJson,
  SigningResultJson,
  TransactionJson,
  ValidatedAddressJson,
  VerifiedTransactionJson,
} from './views/jsonTypes.ts';
export type {
  AddressInfoJson,
  AddressShapeJson,
  ImportedJson,
  ListedDescriptorJson,
  ListedDescriptorsJson,
  RescanJson,
  SinceBlockJson,
  TransactionEntryJson,
  UnspentJson,
  WalletInfoJson,
  WalletNameJson,
} from './views/walletJsonTypes.ts';
export type { BackupFiles } from './wallet/context.ts';
