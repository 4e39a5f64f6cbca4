import { commands, programs } from './commandTable.ts';
import type { Command } from './declareCommand.ts';
import { generalOptions, type Option } from './options.ts';
import { loadCommand } from './readLine.ts';

/** A command as its declaration says, for completion and the man page. */
export interface Declared extends Command {
  readonly name: string;
  /** The first sentence of what it does. */
  readonly title: string;
}

const titleOf = ({ about }: Command): string =>
  /^.*?[.:](?=\s|$)/s.exec(about)?.[0].replace(/\s+/g, ' ').slice(0, -1) ?? about;

/** Loads the declarations of all commands, in the order of the help. */
export const loadDeclared = (): Promise<readonly Declared[]> =>
  Promise.all(
    [...commands.keys()].map(async (name) => {
      const command = await loadCommand(name);
      return { ...command, name, title: titleOf(command) };
    }),
  );

/** Commands that print a text about the others. */
export const PRINTED = {
  completion: {
    synopsis: 'completion bash|zsh|fish',
    about: 'Prints a script by which the shell completes commands, methods, options and their values.',
  },
  man: { synopsis: 'man', about: 'Prints the man page of all commands, which an installation by npm brings along.' },
} as const;

export const programNames = (): readonly string[] => [...programs.keys()];

/** Lists the options that a command takes, with those of every command. */
export const optionsOf = (command: Pick<Command, 'options'>): readonly (readonly [name: string, option: Option])[] =>
  Object.entries<Option>({ ...command.options, ...generalOptions });

/** Says of an option what it is for, in one line. */
export function optionTitle({ about }: Option): string {
  const text = typeof about === 'string' ? about : Object.values(about ?? {}).join('; ');
  return text.split('\n')[0] ?? '';
}
