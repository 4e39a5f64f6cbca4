import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { createSignatureCache, withSignatureCache } from '../../crypto/signatureCache.ts';
import { extractHex } from '../../psbt/roles/extractor.ts';
import { missingRecordsAdvice, progressText, standingOf } from '../../review/progress.ts';
import type { Io } from '../../terminal/io.ts';
import { withUsageErrors } from '../../terminal/usageError.ts';
import { openDestination } from '../destination.ts';
import { readPsbt } from '../givenFiles.ts';
import { openContext } from '../openContext.ts';
import type { CommandLine } from '../options.ts';
import { completeText, finalOpenText, NOT_COMPLETE, openText } from '../psbtJob.ts';

/**
 * `countersign finalize`: verifies all signatures, and writes the transaction.
 * @returns the exit code: 2 if signatures are missing
 */
export async function runFinalize(line: CommandLine, io: Io): Promise<number> {
  const context = await openContext(line, io);
  // Finalizing and extracting verify the same signatures.
  const ecc = withSignatureCache(context.ecc ?? nobleEcc, createSignatureCache());
  const given = await readPsbt(line, context, io);
  const destination = await openDestination(line, given, { makes: 'transaction' }, io);
  const { inputs, finalized, openReason } = withUsageErrors(() => standingOf(given.psbt, { ecc }));
  if (!finalized.isComplete) {
    for (const input of inputs) io.writeError(`${progressText(input)}\n`);
    const next = missingRecordsAdvice(inputs) ?? 'sign with the missing keys, or pass the PSBT on';
    io.writeError(`not complete yet: nothing was written. Next: ${next}\n`);
    return NOT_COMPLETE;
  }
  if (openReason === 'inputs-missing' || openReason === 'overspends') {
    io.writeError(`nothing was written: ${openText(openReason, given.path)}\n`);
    return NOT_COMPLETE;
  }
  const extracted = withUsageErrors(() => extractHex(finalized.psbt, { ecc }));
  const result = { psbt: finalized.psbt, ...extracted };
  const name = await destination.write(result);
  io.writeError(`${openReason ? finalOpenText(openReason, extracted.txid) : completeText(extracted.txid, name)}\n`);
  await destination.show(result);
  return 0;
}
