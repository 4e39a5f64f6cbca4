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
} from './answers/arguments/argumentTypes.ts';
export {
  decodePsbt,
  decodeRawTransaction,
  decodeScript,
  signRawTransactionWithKey,
  verifyRawTransaction,
} from './answers/client.ts';
export { createRpc, methods, type Rpc, type StatelessMethods } from './answers/createRpc.ts';
export { dialects, type RpcOptions } from './answers/dialect/dialect.ts';
export type { DialectName } from './answers/dialect/dialectNames.ts';
export { answerText } from './answers/envelope.ts';
export { type StringifyOptions, stringifyRpc } from './answers/json/stringify.ts';
export type { CallAnswer, CallArguments, CallableName, Methods, RpcCall } from './answers/method/call.ts';
export type { RpcAnswer } from './answers/method/method.ts';
export type { ReviewedPsbtJson } from './answers/psbt/reviewpsbt.ts';
export {
  createMultisig,
  createRawTransaction,
  type NewTransactionArguments,
  validateAddress,
} from './answers/utilityClient.ts';
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
} from './answers/views/jsonTypes.ts';
export { createNodeRpc, type NodeRpc, type NodeRpcOptions } from './node/createNodeRpc.ts';
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
} from './node/methods/chainJsonTypes.ts';
export type { BackupFiles } from './node/methods/context.ts';
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
} from './node/methods/walletJsonTypes.ts';
export type { RpcMethods } from './node/registry.ts';
