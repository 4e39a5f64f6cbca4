import type { Musig2Counts } from '../../core/job/musig2Round.ts';
import { counted } from '../sync/syncProgress.ts';

/** Says what a round of MuSig2 added, and what comes next. */
export function musig2Text({ nonces, partialSignatures, waiting }: Musig2Counts): readonly string[] {
  if (nonces > 0) {
    return [
      `${counted(nonces, 'MuSig2 nonce')} added. Next: combine the PSBT with those of the other participants, then sign again here, with the same --nonce-dir`,
    ];
  }
  if (partialSignatures > 0) {
    return [
      `${counted(partialSignatures, 'MuSig2 partial signature')} added. Next: pass the PSBT on to the next participant, or combine it with theirs and finalize it`,
    ];
  }
  return [
    `nothing was signed: ${counted(waiting, 'MuSig2 key')} still ${waiting === 1 ? 'waits' : 'wait'} for the nonces of other participants. Next: combine the PSBT with theirs, then sign again here`,
  ];
}
