import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import type { CommandLine, Options } from './options.ts';

/** A command that is not an RPC method. */
interface Declaration<O extends Options, L = CommandLine<O>> {
  readonly synopsis: string;
  readonly about: string;
  readonly options: O;
  /** The meaning of exit codes other than 0. */
  readonly exitCode?: string;
  readonly examples: readonly string[];
  /** Names options that do not apply together with the others of the line. */
  readonly refused?: (line: L) => readonly string[];
  /** Returns the exit code. */
  readonly run: (line: L, io: Io) => Promise<number>;
}

export type Command = Declaration<Options, CommandLine>;

/** A command that reads its own arguments, as the program does whose place it takes. */
export interface Program {
  readonly help: () => string;
  /** Returns the exit code. `version`: that of countersign. */
  readonly run: (argv: readonly string[], version: string, io: Io) => Promise<number>;
}

/** Declares a command, whose `run` gets a value for each option. */
export const declareCommand = <const O extends Options>(declaration: Declaration<O>): Command =>
  // `completeLine` makes the values from the same options.
  declaration as unknown as Command;

export function assertNoArguments({ args, file }: CommandLine, advice: string): void {
  if (args.length > 0 || file !== undefined) throw new UsageError(advice);
}
