import { createSignatureCache, withSignatureCache } from '../../../core/crypto/signatureCache.ts';
import { extractHex } from '../../../core/psbt/roles/extractor.ts';
import { isUnacceptable } from '../../../core/review/openReason.ts';
import { missingRecordsAdvice, progressText, psbtProgress } from '../../../core/review/progress.ts';
import type { Io } from '../../terminal/io.ts';
import { withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { readPsbt } from '../input/givenFiles.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, resultOptions } from '../options.ts';
import { openDestination } from '../output/destination.ts';
import { completeText, finalOpenText, NOT_COMPLETE, openText } from '../psbtJob.ts';

export const finalize = declareCommand({
  synopsis: 'finalize FILE',
  about: `Verifies all signatures of a PSBT, and writes the transaction to NAME-final.txn, in hex, or to standard output if that is
not a terminal.`,
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
    for (const input of inputs) io.writeError(`${progressText(input)}\n`);
    const next = missingRecordsAdvice(inputs) ?? 'sign with the missing keys, or pass the PSBT on';
    io.writeError(`not complete yet: nothing was written. Next: ${next}\n`);
    return NOT_COMPLETE;
  }
  if (isUnacceptable(openReason)) {
    io.writeError(`nothing was written: ${openText(openReason, input.path)}\n`);
    return NOT_COMPLETE;
  }
  const extracted = withUsageErrors(() => extractHex(finalized.psbt, { ecc }));
  const result = { psbt: finalized.psbt, ...extracted };
  const name = await destination.write(result);
  io.writeError(`${openReason ? finalOpenText(openReason, extracted.txid) : completeText(extracted.txid, name)}\n`);
  await destination.show(result);
  return 0;
}
