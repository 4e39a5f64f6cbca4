import type { Io } from '../terminal/io.ts';
import type { CommandLine, Options } from './options.ts';

/** A command of our own, which is not an RPC method: everything that its help and its options come from. */
interface Declaration<O extends Options, L = CommandLine<O>> {
  /** Its name and arguments, as the help shows them. */
  readonly synopsis: string;
  readonly about: string;
  readonly options: O;
  /** The meaning of its exit codes besides success. */
  readonly exitCode?: string;
  /** Lines for a shell. */
  readonly examples: readonly string[];
  /** Lists its options that do not apply together with the others that were given. */
  readonly refused?: (line: L) => readonly string[];
  /** Runs it. @returns the exit code */
  readonly run: (line: L, io: Io) => Promise<number>;
}

/** A declared command, whatever its options. */
export type Command = Declaration<Options, CommandLine>;

/** Declares a command: `run` gets a value for each of its options. */
export const declareCommand = <const O extends Options>(declaration: Declaration<O>): Command =>
  // The reader of command lines makes the values from the same options.
  declaration as unknown as Command;
