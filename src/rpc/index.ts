export {
  decodePsbt,
  decodeRawTransaction,
  decodeScript,
  type Prevtx,
  type SighashName,
  signRawTransactionWithKey,
  verifyRawTransaction,
} from './client.ts';
export { createNodeRpc, type NodeRpc, type NodeRpcOptions } from './createNodeRpc.ts';
export { createRpc, type Rpc } from './createRpc.ts';
export { type DialectName, dialects, type RpcOptions } from './dialect.ts';
export { answerText } from './envelope.ts';
export { type StringifyOptions, stringifyRpc } from './json/stringify.ts';
export type { RpcAnswer } from './method.ts';
export { statelessMethods as methods } from './registry.ts';
export type {
  DecodedScriptJson,
  InputErrorCode,
  InputErrorJson,
  InputJson,
  OutputJson,
  PsbtInputJson,
  PsbtJson,
  PsbtOutputJson,
  ScriptJson,
  ScriptPubKeyJson,
  ScriptSigJson,
  SigningResultJson,
  TransactionJson,
  VerifiedTransactionJson,
} from './views/jsonTypes.ts';
