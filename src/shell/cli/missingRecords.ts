import type { InputProgress } from '../../core/job/progress.ts';
import { isFull, isHiddenLeaf, isLockedOut } from '../../core/review/quorums.ts';
import { isRecordMissing } from '../../core/review/text/quorumText.ts';

/** Advises on what no key helps with, such as missing records. */
export function missingRecordsAdvice(inputs: readonly InputProgress[]): string | undefined {
  const open = inputs.filter(({ isComplete }) => !isComplete);
  if (open.some(({ unverified, quorums }) => unverified.some(isRecordMissing) || quorums.some(isHiddenLeaf))) {
    return 'combine it with the PSBT that was sent (countersign combine)';
  }
  if (open.some(({ status }) => status === 'final')) {
    return 'go back to the PSBT from before it was finalized, or create it again';
  }
  if (open.some(({ status }) => status === 'no-coin')) {
    return 'export the PSBT again with the UTXO records of its coins, or add their previous transactions (utxoupdatepsbt)';
  }
  if (open.some(isLockedOut)) return 'create the PSBT again with the locktime or sequence that its coins need';
  if (open.some(({ missingScript }) => missingScript)) {
    return 'add the scripts of its coins: sign with the descriptors of the wallet (--descriptors-file)';
  }
  if (open.some(({ quorums, unknownKeys }) => unknownKeys.length > 0 && quorums.every(isFull))) {
    return 'add the keys that its scripts name by hash only: sign again with the descriptors of the wallet (--descriptors-file)';
  }
  return open.length > 0 &&
    open.every(({ isUnread, quorums }) => isUnread && quorums.every(({ wanted }) => wanted.length === 0))
    ? 'pass it on to the wallet that knows its script, which has to finalize it'
    : undefined;
}
