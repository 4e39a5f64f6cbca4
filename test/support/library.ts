export * from '../../src/core/address/index.ts';
export { compareBytes } from '../../src/core/bytes/compare.ts';
export { formatReversedHex, isHex } from '../../src/core/bytes/hex.ts';
export * from '../../src/core/bytes/index.ts';
export { hash160, sha256, sha256d } from '../../src/core/crypto/hash.ts';
export * from '../../src/core/crypto/index.ts';
export * from '../../src/core/descriptors/index.ts';
export { parseBase58 } from '../../src/core/encoding/base58check.ts';
export { BtcError, RpcError } from '../../src/core/errors.ts';
export * from '../../src/core/holder/index.ts';
export { completeFlags, SCRIPT_FLAGS } from '../../src/core/interpreter/flags.ts';
export * from '../../src/core/interpreter/index.ts';
export { scriptErrorBefore31 } from '../../src/core/interpreter/result.ts';
export * from '../../src/core/job/index.ts';
export * from '../../src/core/keys/index.ts';
export { isHardened } from '../../src/core/keys/path.ts';
export * from '../../src/core/network/index.ts';
export { decodePsbtBytes } from '../../src/core/psbt/format/decodePsbt.ts';
export { psbtVersion } from '../../src/core/psbt/format/fields.ts';
export { asNodeWrites, inNodeOrder } from '../../src/core/psbt/format/nodeOrder.ts';
export * from '../../src/core/psbt/index.ts';
export * from '../../src/core/report/index.ts';
export * from '../../src/core/script/index.ts';
export {
  hasValidOps,
  instructionAt,
  isPushOnly,
  isUnspendable,
} from '../../src/core/script/instructions.ts';
export { opcodeName } from '../../src/core/script/opcodeNames.ts';
export { isOpSuccess } from '../../src/core/script/opcodeRules.ts';
export {
  isStrictDer,
  isStrictSignature,
  sighashName,
} from '../../src/core/script/signatureEncoding.ts';
export {
  CURRENT_TEMPLATES,
  hasPubkeyShape,
  isPayToScriptHash,
  parseWitnessProgram,
} from '../../src/core/script/template.ts';
export * from '../../src/core/sighash/index.ts';
export { legacySigMsg } from '../../src/core/sighash/legacy.ts';
export { segwitV0SigMsg } from '../../src/core/sighash/segwitV0.ts';
export { taprootSigMsg } from '../../src/core/sighash/taproot.ts';
export * from '../../src/core/signing/index.ts';
export { signLowR } from '../../src/core/signing/keySigner.ts';
export { CURRENT_RULES } from '../../src/core/signing/signingRules.ts';
export * from '../../src/core/silentPayments/index.ts';
export { checkInputValues } from '../../src/core/tx/check.ts';
export { hasWitness } from '../../src/core/tx/codec.ts';
export * from '../../src/core/tx/index.ts';
export * from '../../src/kit/message/index.ts';
export { signLegacyMessage, verifyLegacyMessage } from '../../src/kit/message/legacyMessage.ts';
export * from '../../src/kit/qr/index.ts';
export * from '../../src/node/state/index.ts';
export * from '../../src/rpc.ts';
