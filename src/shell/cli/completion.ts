import { SILENT_PURPOSE } from '../../core/holder/silentWallets.ts';
import { ADDRESS_PURPOSES } from '../../kit/account/accountKeys.ts';
import { allMethods } from '../../node/registry.ts';
import { UsageError, unknownName } from '../terminal/usageError.ts';
import { type Declared, loadDeclared, optionsOf, optionTitle, PRINTED, programNames } from './declarations.ts';
import { generalOptions, isRepeatable, type Option } from './options.ts';
import { OPTION_VALUES } from './optionValues.ts';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Returns a script with which a shell completes commands, methods, options and their values. @throws UsageError */
export async function completionScript([shell, ...more]: readonly string[]): Promise<string> {
  if (shell === undefined || more.length > 0) throw new UsageError('completion takes one shell: bash, zsh or fish');
  if (!Object.hasOwn(SHELLS, shell)) throw new UsageError(unknownName('shell', shell, Object.keys(SHELLS)));
  const { methods } = await import('./commands/call.ts');
  return SHELLS[shell as keyof typeof SHELLS](await loadDeclared(), methods);
}

/** The values of options that have few, by the name of the option. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ...OPTION_VALUES,
  purpose: [...ADDRESS_PURPOSES, SILENT_PURPOSE].map(String),
};

const valuesOf = (name: string, { values }: Option): readonly string[] => values ?? VALUES[name] ?? [];
const takesValue = ({ kind }: Option): boolean => kind !== 'flag';
const longNames = (command: Pick<Declared, 'options'>): readonly string[] =>
  optionsOf(command).map(([name]) => `--${name}`);
/** The first words of a line that are not declared commands. */
const otherWords = (): readonly string[] => [
  ...programNames(),
  'help',
  ...Object.keys(PRINTED),
  ...allMethods().map(({ name }) => name),
];
const firstWords = (declared: readonly Declared[]): readonly string[] => [
  ...declared.map(({ name }) => name),
  ...otherWords(),
];

/** Options of the same name are of the same kind everywhere. */
const allOptions = (declared: readonly Pick<Declared, 'options'>[]): ReadonlyMap<string, Option> =>
  new Map(declared.flatMap((command) => optionsOf(command)));

function bashScript(declared: readonly Declared[], methods: Pick<Declared, 'options'>): string {
  const options = [...allOptions([...declared, methods])];
  const withValues = options.filter(([name, option]) => valuesOf(name, option).length > 0);
  const withFiles = options.filter(([name, option]) => takesValue(option) && valuesOf(name, option).length === 0);
  return `# bash completion for countersign
_countersign() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word skip= words
  # Bash makes words of --network=signet at the equals sign.
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word == = ]]; then skip=1; continue; fi
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      ${options
        .filter(([, option]) => takesValue(option) && option.kind !== 'choice')
        .map(([name]) => `--${name}`)
        .join('|')}) skip=1 ;;
      -*) ;;
      *) command=$word; break ;;
    esac
  done
  COMPREPLY=()
  case $previous in
${withValues.map(([name, option]) => `    --${name}) words="${valuesOf(name, option).join(' ')}" ;;`).join('\n')}
    ${withFiles.map(([name]) => `--${name}`).join('|')}) compopt -o default; return ;;
  esac
  if [[ -z $words && $current == -* ]]; then
    case $command in
${declared.map((command) => `      ${command.name}) words="${longNames(command).join(' ')}" ;;`).join('\n')}
      '') words="${longNames({ options: {} }).join(' ')}" ;;
      *) words="${longNames(methods).join(' ')}" ;;
    esac
  elif [[ -z $words && $command == completion ]]; then
    words="${Object.keys(SHELLS).join(' ')}"
  elif [[ -z $words && $command == help ]]; then
    words="${firstWords(declared).join(' ')} methods policy"
  elif [[ -z $words && -z $command ]]; then
    words="${firstWords(declared).join(' ')}"
  elif [[ -z $words ]]; then
    compopt -o default
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _countersign countersign
`;
}

/** Quotes for zsh and fish. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`'\''`)}'`;

function zshScript(declared: readonly Declared[], methods: Pick<Declared, 'options'>): string {
  const escaped = (text: string): string => text.replace(/[[\]:]/g, String.raw`\$&`);
  const argument = ([name, option]: readonly [string, Option]): string => {
    const values = valuesOf(name, option);
    const value = values.length > 0 ? `:value:(${values.join(' ')})` : takesValue(option) ? ':value:_files' : '';
    const repeats = isRepeatable(option) ? '*' : '';
    return `        ${quoted(`${repeats}--${name}[${escaped(optionTitle(option))}]${value}`)} \\`;
  };
  const cases = [...declared, { name: '*', options: methods.options }].map(
    (command) =>
      `    ${command.name})\n      _arguments \\\n${optionsOf(command).map(argument).join('\n')}\n        '*:file:_files' ;;`,
  );
  return `#compdef countersign
_countersign() {
  local -a first
  first=(
${declared.map(({ name, title }) => `    ${quoted(`${name}:${escaped(title)}`)}`).join('\n')}
${otherWords()
  .map((name) => `    ${name}`)
  .join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
    _describe 'command or method' first
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
}
_countersign "$@"
`;
}

function fishScript(declared: readonly Declared[]): string {
  const option = (condition: string, [name, each]: readonly [string, Option]): string => {
    const values = valuesOf(name, each);
    const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue(each) ? ' -r' : '';
    return `complete -c countersign${condition} -l ${name}${value} -d ${quoted(optionTitle(each))}`;
  };
  const lines = [
    ...declared.map(
      ({ name, title }) => `complete -c countersign -n __fish_use_subcommand -f -a ${name} -d ${quoted(title)}`,
    ),
    `complete -c countersign -n __fish_use_subcommand -f -a ${quoted(otherWords().join(' '))}`,
    ...Object.entries<Option>(generalOptions).map((each) => option('', each)),
    ...declared.flatMap(({ name, options }) =>
      Object.entries(options).map((each) => option(` -n '__fish_seen_subcommand_from ${name}'`, each)),
    ),
  ];
  return `# fish completion for countersign\n${lines.join('\n')}\n`;
}
