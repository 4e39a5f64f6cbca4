import { formatBase64, parseBase64 } from '../../core/bytes/base64.ts';
import { BtcError, RpcError } from '../../core/errors.ts';
import { decodePsbtBytes } from '../../core/psbt/format/decodePsbt.ts';
import { encodePsbt } from '../../core/psbt/format/encodePsbt.ts';
import { asNodeWrites } from '../../core/psbt/format/nodeOrder.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { hasLocktimeConflict } from '../../core/psbt/format/version.ts';
import type { ProcessedPsbt } from '../../core/psbt/roles/updater.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { invalidParameter, RPC_DESERIALIZATION_ERROR, RPC_VERIFY_ERROR } from '../method/errorCodes.ts';
import { array, type List, string } from '../method/parameters.ts';
import { psbtRpcError } from '../views/psbtErrorTexts.ts';
import { psbtRules } from '../views/psbtRules.ts';

export function withPsbtErrors<T>({ dialect }: RpcContext, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isOfPsbt = error instanceof BtcError && !error.code.startsWith('store/');
    throw isOfPsbt ? psbtRpcError(error, dialect) : error;
  }
}

/** @throws RpcError -22 @see Core `DecodeBase64PSBT` */
export function parsePsbt(text: string, context: RpcContext): Psbt {
  const { dialect, network } = context;
  const options = { generation: dialect.psbts, mweb: network.mweb };
  return withPsbtErrors(context, () => decodePsbtBytes(parseBase64(text), options));
}

export const PSBTS = array('txs', string('psbt', 'a PSBT in base64'), 'the PSBTs');

/**
 * Lets `accept` refuse each PSBT before the next one is read. `tooFew` is the node's text for fewer than `least`.
 * @throws RpcError -8, -22; -3, in 0.21 -1, for anything but an array of strings
 */
export function parsePsbts(
  texts: List<string>,
  context: RpcContext,
  { least, tooFew, accept }: { least: number; tooFew: string; accept?: (psbt: Psbt) => void },
): readonly Psbt[] {
  if (texts.length < least) throw invalidParameter(tooFew);
  return texts.map((text) => {
    const psbt = parsePsbt(text, context);
    accept?.(psbt);
    return psbt;
  });
}

/** Writes the bytes that a node would write. */
export function formatPsbt(psbt: Psbt, { dialect }: RpcContext): string {
  const written = psbtRules[dialect.psbts].dropsSighashBelow1 ? withPositiveTypes(psbt) : psbt;
  return formatBase64(encodePsbt(asNodeWrites(written)));
}

/** @throws RpcError -25 @see Core `ProcessPSBT` */
export function assertPossible(psbt: Psbt): void {
  if (hasLocktimeConflict(psbt)) throw new RpcError(RPC_VERIFY_ERROR, 'The transaction cannot be valid');
}

export function assertSameTypes({ inputs }: ProcessedPsbt): void {
  if (inputs.some(({ status }) => status === 'sighash-mismatch')) throw wrongSighashType();
}

export const wrongSighashType = (): RpcError =>
  new RpcError(RPC_DESERIALIZATION_ERROR, 'Specified sighash value does not match value stored in PSBT');

function withPositiveTypes(psbt: Psbt): Psbt {
  const inputs = psbt.inputs.map((input) => {
    const { sighashType = 0, ...others } = input;
    return (sighashType | 0) > 0 ? input : others;
  });
  return { ...psbt, inputs };
}
