import { BITCOIND_OPTIONS, type NodeOption, type OptionKind, optionHelp } from '../../node/bitcoindOptions.ts';
import type { Option, SomeValues, scriptOptions } from './options.ts';

/** How a command takes an option of a node: a flag may have the value 0 or 1. */
const KINDS = {
  flag: 'choice',
  count: 'text',
  sats: 'text',
  satsOrNone: 'text',
  outputKind: 'text',
  text: 'text',
  texts: 'list',
} as const satisfies Readonly<Record<OptionKind, Option['kind']>>;

type Table = typeof BITCOIND_OPTIONS;

/** Options of a node in a program: a policy that no bitcoind has, and a file that its commands do not write. */
const UNLISTED = ['skipsMempoolPolicy', 'debuglogfile'] as const;

type NodeOptions = {
  readonly [N in Exclude<keyof Table, (typeof UNLISTED)[number]>]: Option<(typeof KINDS)[Table[N]['kind']]>;
};

const HEADING = 'Options of bitcoind, with its names and values; --name=0 switches one off that has no value:';

/** The options of bitcoind that a node has wherever it is opened, with bitcoind's help. */
export const nodeOptions = declareOptions();

function declareOptions(): NodeOptions {
  const listed = Object.entries<NodeOption>(BITCOIND_OPTIONS).filter(
    ([name]) => !UNLISTED.some((each) => each === name),
  );
  const declared = listed.map(([name, option]) => {
    const { kind, placeholder } = option;
    const shown = kind !== 'flag' && placeholder !== undefined && { placeholder };
    return [name, { kind: KINDS[kind], about: optionHelp(option), ...shown }] as const;
  });
  const headed = declared.map(([name, option], i) => [name, i === 0 ? { ...option, heading: HEADING } : option]);
  return Object.fromEntries(headed) as NodeOptions;
}

/** What a command line says of a node. */
export interface NodeValues extends SomeValues<typeof nodeOptions & typeof scriptOptions> {
  readonly walletDir?: string | undefined;
  readonly walletStore?: string | undefined;
}
