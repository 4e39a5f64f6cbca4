import { formatBase64, parseBase64 } from '../../bytes/base64.ts';
import { BtcError, RpcError } from '../../errors.ts';
import { psbtRules } from '../../generations.ts';
import { decodePsbtBytes } from '../../psbt/format/decodePsbt.ts';
import { encodePsbt } from '../../psbt/format/encodePsbt.ts';
import { asNodeWrites } from '../../psbt/format/nodeOrder.ts';
import type { Psbt } from '../../psbt/format/types.ts';
import { hasLocktimeConflict } from '../../psbt/format/version.ts';
import type { ProcessedPsbt } from '../../psbt/roles/updater.ts';
import type { RpcContext } from '../dialect.ts';
import { RPC_DESERIALIZATION_ERROR, RPC_VERIFY_ERROR } from '../errorCodes.ts';
import { psbtRpcError } from '../views/psbtErrorTexts.ts';

/** Runs `work`, turning a BtcError into the node's RPC error. @throws RpcError with the node's text */
export function withPsbtErrors<T>({ dialect }: RpcContext, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof BtcError ? psbtRpcError(error, dialect) : error;
  }
}

/** Decodes a PSBT from base64. @throws RpcError -22 @see Bitcoin Core `DecodeBase64PSBT` */
export function parsePsbt(text: string, context: RpcContext): Psbt {
  const { dialect, network } = context;
  const options = { generation: dialect.generation, mweb: network.mweb };
  return withPsbtErrors(context, () => decodePsbtBytes(parseBase64(text), options));
}

/** Encodes a PSBT to base64, with the bytes that a node would write. */
export function formatPsbt(psbt: Psbt, { dialect }: RpcContext): string {
  const written = psbtRules[dialect.generation].dropsSighashBelow1 ? withPositiveTypes(psbt) : psbt;
  return formatBase64(encodePsbt(asNodeWrites(written)));
}

/** Refuses a PSBT whose inputs need conflicting locktimes. @throws RpcError -25 @see Bitcoin Core `ProcessPSBT` */
export function assertPossible(psbt: Psbt): void {
  if (hasLocktimeConflict(psbt)) throw new RpcError(RPC_VERIFY_ERROR, 'The transaction cannot be valid');
}

/** Refuses inputs that ask for another sighash type. @throws RpcError -22 @see Bitcoin Core `ProcessPSBT` */
export function assertSameTypes({ inputs }: ProcessedPsbt): void {
  if (inputs.some(({ status }) => status === 'sighash-mismatch')) {
    throw new RpcError(RPC_DESERIALIZATION_ERROR, 'Specified sighash value does not match value stored in PSBT');
  }
}

/** Drops sighash types below 1. */
function withPositiveTypes(psbt: Psbt): Psbt {
  const inputs = psbt.inputs.map((input) => {
    const { sighashType = 0, ...others } = input;
    return (sighashType | 0) > 0 ? input : others;
  });
  return { ...psbt, inputs };
}
