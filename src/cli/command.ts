import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import { commands } from './commandTable.ts';
import { assertUseful, findCommand } from './optionScope.ts';
import { type CommandLine, parseCommandLine } from './options.ts';

/** Runs one command line. @returns the exit code */
export async function runCommand(argv: readonly string[], version: string, io: Io): Promise<number> {
  try {
    const line = await parseCommandLine(argv, io.environment, findCommand);
    if (line.version) return await print(await versionText(line, version), io);
    if (line.command === undefined && !line.help) {
      io.writeError(await help());
      return 1;
    }
    if (line.command === 'help' || line.help) {
      return await print(await help(line.command === 'help' ? line.args[0] : line.command), io);
    }
    return await run(line, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.writeError(`error: ${error.message}\n`);
    return 1;
  }
}

async function run(line: CommandLine, io: Io): Promise<number> {
  await assertUseful(line);
  if (line.arithmetic !== undefined) (await import('./arithmetic.ts')).chosenEcc(line.arithmetic);
  const command = commands.get(line.command ?? '');
  if (command) return command.run(line, io);
  if (line.bip322) return (await import('./commands/message.ts')).runMessage(line, io);
  const { runOneShot } = await import('./commands/call.ts');
  return runOneShot(line, io);
}

/** The first line is for programs. */
async function versionText({ arithmetic }: CommandLine, version: string): Promise<string> {
  const { arithmeticText } = await import('./arithmetic.ts');
  return `countersign ${version}\narithmetic: ${arithmeticText(arithmetic)}\n`;
}

async function help(command?: string): Promise<string> {
  const { helpText } = await import('./help.ts');
  return helpText(command);
}

async function print(text: string, io: Io): Promise<number> {
  await io.writeOut(text);
  return 0;
}
