import { shownName } from '../rpc/registry.ts';
import { givenServeOption } from '../server/serveOptions.ts';
import { givenSyncOption } from '../sync/syncOptions.ts';
import { UsageError } from '../terminal/usageError.ts';
import { commands } from './commandTable.ts';
import type { CommandLine } from './options.ts';

/** Lists the given options that only some commands take. */
function givenOptions(line: CommandLine): readonly string[] {
  const isGiven: Readonly<Record<string, boolean>> = {
    policy: line.policy.length > 0,
    'keys-file': line.keysFile !== undefined,
    'keys-stdin': line.keysStdin,
    'keys-prompt': line.keysPrompt,
    'prevtxs-file': line.prevtxsFile !== undefined,
    'descriptors-file': line.descriptorsFile !== undefined,
    review: line.review,
    yes: line.yes,
    rpcwallet: line.rpcwallet !== undefined,
    'wallet-dir': line.walletDir !== undefined,
    named: line.named,
    pretty: line.pretty,
  };
  return Object.keys(isGiven).filter((name) => isGiven[name]);
}

/**
 * Rejects options that do not apply to the command: a port, password, wallet or policy that is silently ignored might be
 * believed to be in force. Options of RPC methods are checked when their arguments are read, except `--policy`, which
 * applies to `--review` only.
 * @throws UsageError
 */
export function assertUseful(line: CommandLine): void {
  const { command = '', serve, sync } = line;
  const ofServe = command === 'serve' ? undefined : givenServeOption(serve);
  const ofSync = command === 'sync' ? undefined : givenSyncOption(sync);
  const takes = commands.get(command)?.takes;
  const general = givenOptions(line).find((name) =>
    takes ? !takes.includes(name) : name === 'policy' && !line.review,
  );
  const option = ofServe ?? ofSync ?? general;
  if (option !== undefined) throw new UsageError(`--${option} does not apply to ${shownName(command)}`);
}
