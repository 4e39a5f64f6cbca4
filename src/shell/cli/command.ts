import { withoutSecrets } from '../../core/encoding/redaction.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import { commands, programs } from './commandTable.ts';
import { readConfig } from './config.ts';
import type { Command } from './declareCommand.ts';
import { generalOptions } from './options.ts';
import { completeLine, loadCommand, type ReadLine, readLine } from './readLine.ts';

/** Returns the exit code. */
export async function runCommand(argv: readonly string[], version: string, io: Io): Promise<number> {
  try {
    const [name = '', ...rest] = argv;
    const program = await programs.get(name)?.();
    if (program) return await program.run(rest, version, io);
    const line = await readLine(argv);
    const { command, args, values } = line;
    if (values['version']) return await print(await versionText(values, version), io);
    if (command === 'help') return await print(await help(args[0]), io);
    if (values['help']) return await print(await help(command), io);
    if (command === 'completion')
      return await print(await (await import('./completion.ts')).completionScript(args), io);
    if (command === 'man') return await print(await (await import('./manPage.ts')).manPage(args), io);
    if (command !== undefined) return await run(line, await loadCommand(command), io);
    io.writeError(await help());
    return 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.writeError(`error: ${error.message}\n`);
    return 1;
  }
}

async function run(rawLine: ReadLine, command: Command, io: Io): Promise<number> {
  const config = await readConfig(textOf(rawLine.values['config']), io);
  const line = await completeLine(rawLine, command, { environment: io.environment, config });
  try {
    assertUseful(rawLine, command, command.refused?.(line) ?? []);
    if (line.arithmetic !== undefined) (await import('./arithmetic.ts')).chosenEcc(line.arithmetic);
    return await command.run(line, io);
  } finally {
    line.store?.close();
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Rejects options that do not apply: an ignored port, password, wallet or policy might be thought to be in force. */
function assertUseful({ command = '', optionNames }: ReadLine, { options }: Command, refused: readonly string[]): void {
  for (const name of optionNames) {
    const option = { ...generalOptions, ...options }[name];
    if (option === undefined || refused.includes(name)) {
      throw new UsageError(
        `--${name} does not apply to ${commands.has(command) ? command : withoutSecrets(command, 'name')}`,
      );
    }
  }
  for (const [name, { needs = [] }] of Object.entries(options)) {
    const missing = optionNames.has(name) ? needs.find((other) => !optionNames.has(other)) : undefined;
    if (missing !== undefined) throw new UsageError(`--${name} needs --${missing}`);
  }
}

/** Returns a text whose first line is for programs. */
async function versionText({ arithmetic }: ReadLine['values'], version: string): Promise<string> {
  const { arithmeticText } = await import('./arithmetic.ts');
  return `countersign ${version}\narithmetic: ${arithmeticText(typeof arithmetic === 'string' ? arithmetic : undefined)}\n`;
}

async function help(command?: string): Promise<string> {
  const { helpText } = await import('./help.ts');
  return helpText(command);
}

async function print(text: string, io: Io): Promise<number> {
  await io.writeOut(text);
  return 0;
}
