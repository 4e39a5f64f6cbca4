import { SERVE_OPTIONS } from '../server/serveOptions.ts';
import { SYNC_OPTIONS } from '../sync/syncOptions.ts';
import { UsageError } from '../terminal/usageError.ts';
import { commands } from './commandTable.ts';
import type { NamedCommand } from './optionFault.ts';
import type { CommandLine } from './options.ts';

/** The options that every command and method takes. */
const GENERAL: readonly string[] = ['network', 'dialect', 'arithmetic', 'file', 'help', 'version'];

/** The options of RPC methods; whether one applies to a method is checked when its arguments are read. */
const OF_METHODS: readonly string[] = [
  'keys-file',
  'keys-stdin',
  'keys-prompt',
  'prevtxs-file',
  'descriptors-file',
  'review',
  'yes',
  'rpcwallet',
  'wallet-dir',
  'wallet-store',
  'acceptnonstdtxn',
  'mempoolreplacement',
  'named',
  'pretty',
];

/** Lists the options of methods that sign or verify messages with `--bip322`, beside those of all methods. */
function takenByMessages(command: string): readonly string[] {
  if (command === 'verifymessage') return ['bip322'];
  return command === 'signmessage' ? ['bip322', 'seed-file', 'passphrase-file', 'passphrase-prompt'] : [];
}

/** Finds the command that a line names, and lists its options, as long as no other option adds to them. */
export function findCommand(argv: readonly string[]): NamedCommand | undefined {
  const name = argv.find((arg) => commands.has(arg));
  return name === undefined ? undefined : { name, takes: optionsOf(name) };
}

/** Lists the options of a command, or of methods if there is no such command. */
function optionsOf(command: string): readonly string[] {
  const own = commands.get(command)?.takes ?? OF_METHODS;
  const alone = command === 'serve' ? SERVE_OPTIONS : command === 'sync' ? SYNC_OPTIONS : {};
  return [...GENERAL, ...own, ...Object.keys(alone)];
}

/**
 * Rejects options that do not apply to the command: a port, password, wallet or policy that is silently ignored might be
 * believed to be in force.
 * @throws UsageError
 */
export async function assertUseful({ command = '', given, review, bip322 }: CommandLine): Promise<void> {
  const takes = new Set(optionsOf(command));
  if (!commands.has(command) && review) takes.add('policy');
  if (bip322) for (const name of takenByMessages(command)) takes.add(name);
  const option = [...given].find((name) => !takes.has(name));
  if (option === undefined) return;
  const { shownName } = await import('../rpc/registry.ts');
  throw new UsageError(`--${option} does not apply to ${shownName(command)}`);
}
