export type { Prevtx } from './answers/arguments/prevtxs.ts';
export type { SighashName } from './answers/arguments/signingArguments.ts';
export {
  decodePsbt,
  decodeRawTransaction,
  decodeScript,
  signRawTransactionWithKey,
  verifyRawTransaction,
} from './answers/client.ts';
export { createRpc } from './answers/createRpc.ts';
export type { RpcOptions } from './answers/dialect/dialect.ts';
export type { DialectAlias, DialectName } from './answers/dialect/dialectNames.ts';
export { stringifyRpc } from './answers/json/stringify.ts';
export { createMultisig, createRawTransaction, validateAddress } from './answers/utilityClient.ts';
export { formatAddress, parseAddress } from './core/address/index.ts';
export { formatBase64, formatHex, parseBase64, parseHex } from './core/bytes/index.ts';
export {
  createSignatureCache,
  type Ecc,
  nobleEcc,
  type SignatureCache,
  withSignatureCache,
} from './core/crypto/index.ts';
export {
  createDeriver,
  type Descriptor,
  formatDescriptor,
  inferDescriptor,
  parseDescriptor,
} from './core/descriptors/index.ts';
export {
  BtcError,
  type ErrorCode,
  type ErrorData,
  isBtcError,
  RpcError,
} from './core/errors.ts';
export { createHolder, type Holder, type Owner, type Role } from './core/holder/index.ts';
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
} from './core/interpreter/index.ts';
export { deriveForPsbt, type SignedByAccount, signPsbt } from './core/job/index.ts';
export { formatPath, parsePath, wordsFromEntropy } from './core/keys/index.ts';
export { type Network, type NetworkAlias, type NetworkName, networks } from './core/network/index.ts';
export {
  addInput,
  addOutput,
  addSilentPaymentShares,
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
  type ShareSigner,
  type SignatureRequest,
  type Signer,
  type SilentPayment,
  shareSigner,
  signingRequests,
  toPsbtV0,
  toPsbtV2,
  updatePsbt,
  verifySilentPayments,
} from './core/psbt/index.ts';
export {
  type Finding,
  formatReview,
  type Policy,
  type PolicyCheck,
  type PsbtReview,
  type ReviewJson,
  type ReviewOptions,
  reviewPsbt,
  reviewToJson,
} from './core/review/index.ts';
export {
  type InputSighash,
  SIGHASH,
  type SighashMidstate,
  type SighashRequest,
  sighashForInput,
  sighashMidstate,
} from './core/sighash/index.ts';
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
} from './core/signing/index.ts';
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
} from './core/tx/index.ts';
export {
  type Account,
  type AccountAddress,
  accountFromDescriptors,
  accountFromKey,
  accountFromWalletFile,
  accountFromWords,
  buildPsbt,
  parseWalletFile,
  reviewWith,
  type SilentPaymentAccount,
  type SilentPaymentCoin,
  signWith,
  silentPaymentsFromDescriptor,
  silentPaymentsFromWords,
  taprootOutput,
  updateWith,
  type WalletFile,
} from './kit/account/index.ts';
export {
  type MessageOutcome,
  signLegacyMessage,
  signMessage,
  verifyLegacyMessage,
  verifyMessage,
} from './kit/message/index.ts';
export { type Recognized, recognize } from './kit/recognize/recognize.ts';
