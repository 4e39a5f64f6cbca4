import { isBtcError } from '../../../core/errors.ts';
import { progressText, psbtProgress } from '../../../core/job/progress.ts';
import { combinePsbts } from '../../../core/psbt/roles/combiner.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { type GivenPsbt, readPsbts } from '../input/givenFiles.ts';
import { nextStepAdvice } from '../nextSteps.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, resultOptions } from '../options.ts';
import { openDestination } from '../output/destination.ts';
import { writeNote } from '../output/writeNote.ts';
import { presentText } from '../psbtJob.ts';

export const combine = declareCommand({
  synopsis: 'combine FILE FILE...',
  about: `Merges what several signers added to the same PSBT, and says which signatures are still missing.

The result goes to NAME-combined.psbt, after the name of the first file, or to standard output if that is not a terminal.`,
  options: resultOptions,
  examples: ['countersign combine alice-signed.psbt bob-signed.psbt'],
  run: runCombine,
});

async function runCombine(line: CommandLine<typeof resultOptions>, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const files = await readPsbts(line, context, io);
  const [first] = files;
  if (!first) return 1;
  const destination = await openDestination(line, { input: first, suffix: 'combined', makes: 'psbt' }, io);
  const { psbt, conflicts } = withUsageErrors(() => combineFiles(files));
  for (const { psbt: index, map, index: position, field } of conflicts) {
    const place = map === 'global' ? '' : ` of ${map} ${position}`;
    io.writeError(
      `warning: ${files[index]?.name} has a different ${field}${place} from ${first.name}, whose value is kept\n`,
    );
  }
  const { inputs, finalized, openReason } = withUsageErrors(() => psbtProgress(psbt, { ecc: context.ecc }));
  const name = await destination.write({ psbt });
  for (const input of inputs) writeNote(progressText(input), io);
  const next = finalized.isComplete
    ? presentText(openReason, name)
    : `not complete yet. Next: ${nextStepAdvice(inputs) ?? `pass ${name ?? 'the PSBT'} on to the next signer`}`;
  writeNote(next, io);
  await destination.show({ psbt });
  return 0;
}

function combineFiles(files: readonly GivenPsbt[]): ReturnType<typeof combinePsbts> {
  try {
    return combinePsbts(files.map(({ psbt }) => psbt));
  } catch (error) {
    if (!isBtcError(error, 'psbt/different')) throw error;
    throw new UsageError(`${files[error.data.psbt]?.name} is for a different transaction from ${files[0]?.name}`);
  }
}
