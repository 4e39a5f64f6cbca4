import { BITCOIND_OPTIONS, type OptionKind } from '../../node/bitcoindOptions.ts';
import { OPTIONS } from '../bitcoind/optionTable.ts';
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
type Unlisted = 'skipsMempoolPolicy' | 'debuglogfile';

type NodeOptions = { readonly [N in Exclude<keyof Table, Unlisted>]: Option<(typeof KINDS)[Table[N]]> };

const HEADING = 'Options of bitcoind, with its names and values; --name=0 switches one off that has no value:';

/** Of Litecoin's node; Bitcoin's has no such option. */
const OTHERS: Readonly<Record<string, Pick<Option, 'about' | 'placeholder'>>> = {
  mempoolreplacement: {
    about: 'let transactions replace others also in litecoin-0.21, whose node does not by default',
  },
};

/** The options of bitcoind that a node has wherever it is opened, with bitcoind's help. */
export const nodeOptions = declareOptions();

function declareOptions(): NodeOptions {
  const declared = Object.entries(BITCOIND_OPTIONS).flatMap(([name, kind]) => {
    const row = kind === 'text' ? undefined : (OPTIONS.get(name) ?? OTHERS[name]);
    if (!row) return [];
    const { about = '', placeholder } = row;
    return [[name, { kind: KINDS[kind], about, ...(kind !== 'flag' && placeholder && { placeholder }) }] as const];
  });
  const headed = declared.map(([name, option], i) => [name, i === 0 ? { ...option, heading: HEADING } : option]);
  return Object.fromEntries(headed) as NodeOptions;
}

/** What a command line says of a node. */
export interface NodeValues extends SomeValues<typeof nodeOptions & typeof scriptOptions> {
  readonly walletDir?: string | undefined;
  readonly walletStore?: string | undefined;
}
