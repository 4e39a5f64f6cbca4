import type { Dialect } from '../../answers/dialect/dialect.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { isWithin } from '../../core/generations.ts';
import {
  BITCOIND_OPTIONS,
  type BitcoindOptions,
  type NodeOption,
  type OptionKind,
} from '../../node/bitcoindOptions.ts';
import { OPTION_KINDS } from '../../node/nodeOptions.ts';
import { OUTPUT_KINDS } from '../../node/wallet/records/newAddresses.ts';
import { InitError } from '../bitcoind/initError.ts';
import { readNodeSettings } from '../bitcoind/nodeSettings.ts';
import { readOptions } from '../bitcoind/options.ts';
import { OPTIONS, optionsOf } from '../bitcoind/optionTable.ts';
import { UsageError } from '../terminal/usageError.ts';
import type { NodeValues } from './nodeOptions.ts';

const COINS = /^(?=.*[0-9])[0-9]{0,10}(?:\.[0-9]{0,8})?$/;
const AMOUNT = 'a number of coins, such as 0.0002';

/** What may be read. Bitcoind takes text for 0, and repeats in its errors what may be a secret. */
const READABLE: { readonly [K in OptionKind]?: readonly [isReadable: (value: string) => boolean, words: string] } = {
  flag: [(value) => /^[01]?$/.test(value), 'no value, 0 or 1'],
  count: [(value) => /^[0-9]+$/.test(value), OPTION_KINDS.count.words],
  sats: [(value) => COINS.test(value), AMOUNT],
  satsOrNone: [(value) => value === '-1' || COINS.test(value), `${AMOUNT}, or -1`],
  outputKind: [(value) => OUTPUT_KINDS.some((kind) => kind === value), OPTION_KINDS.outputKind.words],
};

/** Reads the options of a node as bitcoind does. @throws UsageError */
export function readNodeOptions(line: NodeValues, dialect: Dialect): BitcoindOptions {
  const given = Object.entries<NodeOption>(BITCOIND_OPTIONS).flatMap(([name, { kind }]) => {
    const values = [(line as Readonly<Record<string, string | readonly string[] | undefined>>)[name] ?? []].flat();
    for (const value of values) assertReadable(name, kind, value);
    return values.length === 0 ? [] : [[name, values] as const];
  });
  for (const [name] of given) assertKnown(name, dialect);
  const commandLine = new Map(
    given.map(([name, values]) => [name, values.map((value) => ({ type: 'string', value }) as const)]),
  );
  const settings = { forced: new Map(), commandLine, saved: new Map(), configured: new Map() };
  try {
    return readNodeSettings(readOptions(settings, '', optionsOf(dialect.generation)), dialect);
  } catch (error) {
    throw error instanceof InitError ? new UsageError(error.message) : error;
  }
}

function assertReadable(name: string, kind: OptionKind, value: string): void {
  const [isReadable, words] = READABLE[kind] ?? [];
  if (isReadable && !isReadable(value))
    throw new UsageError(`--${name} needs ${words}, not "${withoutSecrets(value)}"`);
}

function assertKnown(name: string, { name: dialect, generation }: Dialect): void {
  const row = OPTIONS.get(name);
  if (row && !isWithin(generation, row)) throw new UsageError(`--${name} is not an option of ${dialect}`);
}
