export { formatAddress, parseAddress } from './address/index.ts';
export {
  BtcError,
  type ErrorCode,
  type ErrorData,
  RpcError,
} from './errors.ts';
export { type Network, type NetworkName, networks } from './network/index.ts';
export {
  decodePsbtBytes,
  encodePsbt,
  type Psbt,
  type PsbtInput,
  type PsbtOutput,
  toPsbtV0,
  toPsbtV2,
} from './psbt/index.ts';
export {
  createRpc,
  type DialectName,
  decodePsbt,
  decodeRawTransaction,
  decodeScript,
  type RpcOptions,
  stringifyRpc,
} from './rpc/index.ts';
export {
  decodeTransaction,
  encodeTransaction,
  formatTxid,
  type Transaction,
  transactionSize,
  txid,
  wtxid,
} from './tx/index.ts';
