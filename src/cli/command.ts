import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import { runOneShot } from './commands/call.ts';
import { commands } from './commandTable.ts';
import { helpText } from './help.ts';
import { assertUseful } from './optionScope.ts';
import { parseCommandLine } from './options.ts';

/** Runs one command line. @returns the exit code */
export async function runCommand(argv: readonly string[], version: string, io: Io): Promise<number> {
  try {
    const line = parseCommandLine(argv);
    if (line.version) return await print(`countersign ${version}\n`, io);
    if (line.command === undefined && !line.help) {
      io.writeError(helpText());
      return 1;
    }
    if (line.command === 'help' || line.help) {
      return await print(helpText(line.command === 'help' ? line.args[0] : line.command), io);
    }
    assertUseful(line);
    return await (commands.get(line.command ?? '')?.run ?? runOneShot)(line, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.writeError(`error: ${error.message}\n`);
    return 1;
  }
}

async function print(text: string, io: Io): Promise<number> {
  await io.writeOut(text);
  return 0;
}
