export {
  createRpc,
  decodePsbt,
  decodeRawTransaction,
  decodeScript,
  methods,
  type Rpc,
} from './createRpc.ts';
export { type DialectName, dialects, type RpcOptions } from './dialect.ts';
export { answerText } from './envelope.ts';
export type { DecodedScriptJson } from './methods/decodescript.ts';
export type { PsbtInputJson, PsbtJson, PsbtOutputJson } from './psbtAnswer.ts';
export type {
  ScriptJson,
  ScriptPubKeyJson,
  ScriptSigJson,
} from './scriptJson.ts';
export { type StringifyOptions, stringifyRpc } from './stringify.ts';
export type {
  InputJson,
  OutputJson,
  TransactionJson,
} from './transactionJson.ts';
