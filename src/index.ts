export {
  type Account,
  type AccountAddress,
  accountFromDescriptors,
  accountFromKey,
  accountFromWalletFile,
  accountFromWords,
  buildPsbt,
  parseWalletFile,
  type SignedByAccount,
  type WalletFile,
} from './account/index.ts';
export { formatAddress, parseAddress } from './address/index.ts';
export { formatBase64, formatHex, parseBase64, parseHex } from './bytes/index.ts';
export {
  createSignatureCache,
  type Ecc,
  nobleEcc,
  type SignatureCache,
  withSignatureCache,
} from './crypto/index.ts';
export {
  createDeriver,
  type Descriptor,
  formatDescriptor,
  inferDescriptor,
  parseDescriptor,
} from './descriptors/index.ts';
export {
  BtcError,
  type ErrorCode,
  type ErrorData,
  isBtcError,
  RpcError,
} from './errors.ts';
export {
  MANDATORY_FLAGS,
  parseScriptFlags,
  type ScriptError,
  type ScriptFailure,
  type ScriptFlag,
  type ScriptFlags,
  type ScriptOutcome,
  STANDARD_FLAGS,
  scriptErrorText,
  type TransactionOutcome,
  verifyInput,
  verifyTransaction,
} from './interpreter/index.ts';
export { formatPath, parsePath, wordsFromEntropy } from './keys/index.ts';
export {
  type MessageOutcome,
  signLegacyMessage,
  signMessage,
  verifyLegacyMessage,
  verifyMessage,
} from './message/index.ts';
export { type Network, type NetworkAlias, type NetworkName, networks } from './network/index.ts';
export {
  addInput,
  addOutput,
  analyzePsbt,
  applySignature,
  combinePsbts,
  createPsbt,
  decodePsbtBytes,
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  formatPsbt,
  joinPsbts,
  keySigner,
  type Psbt,
  type PsbtInput,
  type PsbtOutput,
  parsePsbt,
  psbtSighash,
  type SignatureRequest,
  type Signer,
  signingRequests,
  toPsbtV0,
  toPsbtV2,
  updatePsbt,
} from './psbt/index.ts';
export {
  deriveForPsbt,
  type Finding,
  formatReview,
  type Policy,
  type PolicyCheck,
  type PsbtReview,
  type ReviewJson,
  type ReviewOptions,
  reviewPsbt,
  reviewToJson,
  signPsbt,
} from './review/index.ts';
export type { Prevtx, SighashName } from './rpc/argumentTypes.ts';
export {
  decodePsbt,
  decodeRawTransaction,
  decodeScript,
  signRawTransactionWithKey,
  verifyRawTransaction,
} from './rpc/client.ts';
export { createRpc } from './rpc/createRpc.ts';
export type { RpcOptions } from './rpc/dialect.ts';
export type { DialectName } from './rpc/dialectNames.ts';
export { stringifyRpc } from './rpc/json/stringify.ts';
export { createMultisig, createRawTransaction, validateAddress } from './rpc/utilityClient.ts';
export {
  type InputSighash,
  SIGHASH,
  type SighashMidstate,
  type SighashRequest,
  sighashForInput,
  sighashMidstate,
} from './sighash/index.ts';
export {
  combineTransactions,
  createDescriptorProvider,
  createSigningProvider,
  type Missing,
  type SignedTransaction,
  type SigningKey,
  type SigningOutcome,
  type SigningProvider,
  type SignTransactionInput,
  signTransaction,
} from './signing/index.ts';
export {
  checkTransaction,
  decodeTransaction,
  encodeTransaction,
  formatTxid,
  parseTxid,
  type Transaction,
  type TxOut,
  transactionSize,
  txid,
  wtxid,
} from './tx/index.ts';
