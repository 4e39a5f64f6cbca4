export type { RpcOptions } from '../../answers/dialect/dialect.ts';
export type { Answer } from '../../answers/method/results.ts';
export { isBtcError, RpcError } from '../../core/errors.ts';
export {
  type AmountUnit,
  type ClientOptions,
  createAnswers,
  createClient,
  type NodeClient,
  type NodeIdentity,
} from './createClient.ts';
export type { Login } from './login.ts';
export type { LocalMethods, NodeVersion, RemoteMethods } from './methodTypes.ts';
