import { psbtVersion } from '../../../core/psbt/format/fields.ts';
import { toPsbtV0, toPsbtV2 } from '../../../core/psbt/format/version.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { readPsbt } from '../input/givenFiles.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, resultOptions, text } from '../options.ts';
import { openDestination } from '../output/destination.ts';
import { writeNote } from '../output/writeNote.ts';

const options = {
  'psbt-version': text(
    '0|2',
    'the version of the result: 0, which every signer reads, or 2 (BIP370), which silent payments need (default: that of FILE)',
  ),
  ...resultOptions,
};
type Line = CommandLine<typeof options>;

export const convert = declareCommand({
  synopsis: 'convert FILE',
  about: `Converts a PSBT to version 0 or 2, or with --format to another encoding.

The result goes to NAME-v0.psbt or NAME-v2.psbt, or to standard output if that is not a terminal.`,
  options,
  examples: ['countersign convert spend.psbt --psbt-version 0', 'countersign convert spend.psbt --format hex'],
  run: runConvert,
});

const CONVERTERS = { '0': toPsbtV0, '2': toPsbtV2 } as const;

async function runConvert(line: Line, io: Io): Promise<number> {
  const context = await openContext(line, io);
  if (line.psbtVersion === undefined && line.format === undefined && !line.json && line.qr === undefined)
    throw new UsageError('convert needs --psbt-version or --format');
  const input = await readPsbt(line, context, io);
  const version = versionOf(line) ?? (psbtVersion(input.psbt) === 0 ? '0' : '2');
  const destination = await openDestination(line, { input, suffix: `v${version}`, makes: 'psbt' }, io);
  const psbt = withUsageErrors(
    () => CONVERTERS[version](input.psbt),
    (reason) => `${input.name}: ${reason}`,
  );
  const name = await destination.write({ psbt });
  const isSilent = version === '0' && input.psbt.outputs.some(({ spV0Info }) => spV0Info);
  if (isSilent) {
    writeNote(
      'warning: version 0 has no place for silent payments: signers will not see whom these outputs pay, nor whether that is proven',
      io,
    );
  }
  writeNote(`${name ?? 'the result'} is of version ${version}`, io);
  await destination.show({ psbt });
  return 0;
}

function versionOf({ psbtVersion: given }: Line): keyof typeof CONVERTERS | undefined {
  if (given === undefined || given === '0' || given === '2') return given;
  throw new UsageError('--psbt-version must be 0 or 2');
}
