import { createSignatureCache, withSignatureCache } from '../../../core/crypto/signatureCache.ts';
import { isUnacceptable } from '../../../core/job/openReason.ts';
import { progressText, psbtProgress } from '../../../core/job/progress.ts';
import { extractHex } from '../../../core/psbt/roles/extractor.ts';
import type { Io } from '../../terminal/io.ts';
import { withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { readPsbt } from '../input/givenFiles.ts';
import { messageSignature } from '../messageText.ts';
import { nextStepAdvice } from '../nextSteps.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, resultOptions } from '../options.ts';
import { openDestination } from '../output/destination.ts';
import { writeNote } from '../output/writeNote.ts';
import { completeText, finalOpenText, NOT_COMPLETE, openText } from '../psbtJob.ts';

export const finalize = declareCommand({
  synopsis: 'finalize FILE',
  about: `Verifies all signatures of a PSBT, and writes the transaction to NAME-final.txn, in hex, or to standard output if that is
not a terminal. Of a message (BIP322), shows the signature.`,
  options: resultOptions,
  exitCode: '2 if signatures are missing, or if the transaction has no inputs or pays more than it spends.',
  examples: ['countersign finalize spend-combined.psbt'],
  run: runFinalize,
});

async function runFinalize(line: CommandLine<typeof resultOptions>, io: Io): Promise<number> {
  const context = await openContext(line, io);
  // Finalizing and extracting verify the same signatures.
  const ecc = withSignatureCache(context.ecc, createSignatureCache());
  const input = await readPsbt(line, context, io);
  const destination = await openDestination(line, { input, makes: 'transaction' }, io);
  const { inputs, finalized, openReason } = withUsageErrors(() => psbtProgress(input.psbt, { ecc }));
  if (!finalized.isComplete) {
    for (const input of inputs) writeNote(progressText(input), io);
    const next = nextStepAdvice(inputs) ?? 'sign with the missing keys, or pass the PSBT on';
    writeNote(`not complete yet: nothing was written. Next: ${next}`, io);
    return NOT_COMPLETE;
  }
  const signature = messageSignature(finalized.psbt, { ecc });
  if (signature !== undefined) {
    await io.writeOut(`${signature}\n`);
    writeNote('the message is signed. Next: give this signature to whoever asked for it', io);
    return 0;
  }
  if (isUnacceptable(openReason)) {
    writeNote(`nothing was written: ${openText(openReason, input.path)}`, io);
    return NOT_COMPLETE;
  }
  const extracted = withUsageErrors(() => extractHex(finalized.psbt, { ecc }));
  const result = { psbt: finalized.psbt, ...extracted };
  const name = await destination.write(result);
  writeNote(openReason ? finalOpenText(openReason, extracted.txid) : completeText(extracted.txid, name), io);
  await destination.show(result);
  return 0;
}
