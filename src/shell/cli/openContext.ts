import { dialects, type RpcContext, resolveContext } from '../../answers/dialect/dialect.ts';
import type { DialectName } from '../../answers/dialect/dialectNames.ts';
import { shownPath, withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { type Network, type NetworkName, networks, resolveNetwork } from '../../core/network/networks.ts';
import { type Io, readNamedFile } from '../terminal/io.ts';
import { UsageError, unknownName } from '../terminal/usageError.ts';
import { chosenEcc } from './arithmetic.ts';
import type { NodeValues } from './nodeOptions.ts';
import type { CommandLine } from './options.ts';

export type CommandContext = RpcContext & Required<Pick<RpcContext, 'ecc'>>;

export async function openContext(line: CommandLine & NodeValues, io: Io): Promise<CommandContext> {
  const { network, dialect, walletDir, arithmetic } = line;
  if (walletDir === '') throw new UsageError('--wallet-dir needs a directory, not ""');
  const chosen = network.endsWith('.json') ? await readNetwork(network, io) : (network as NetworkName);
  try {
    const ecc = chosenEcc(arithmetic);
    return { ...resolveContext({ network: chosen, dialect: dialect as DialectName, ecc }), ecc };
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    throw new UsageError(contextFault(error, { network, dialect }));
  }
}

function contextFault(error: BtcError, { network, dialect }: { network: string; dialect: string }): string {
  if (error.code === 'dialect/unknown') return unknownName('dialect', dialect, Object.keys(dialects));
  if (error.code === 'network/unknown') return unknownName('network', network, Object.keys(networks));
  return `${withoutSecrets(network)}: ${error.message}`;
}

async function readNetwork(path: string, io: Io): Promise<Network> {
  const bytes = await readNamedFile('--network', path, io);
  try {
    return parseNetworkFile(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof BtcError || error instanceof SyntaxError)) throw error;
    const reason = error instanceof BtcError ? error.message : 'not valid JSON';
    throw new UsageError(`--network: ${shownPath(path)}: ${reason}`);
  }
}

/**
 * Parses `Network` with `maxMoney` in the smallest unit, in quotes if above 2^53. `scriptHashAccepted` and `mweb` are
 * optional. @throws BtcError `network/invalid`; SyntaxError
 */
function parseNetworkFile(text: string): Network {
  const json: unknown = JSON.parse(text);
  const members: Record<string, unknown> = typeof json === 'object' && json !== null ? { ...json } : {};
  const { maxMoney } = members;
  const isWhole = typeof maxMoney === 'string' ? /^[0-9]+$/.test(maxMoney) : Number.isSafeInteger(maxMoney);
  const network = {
    scriptHashAccepted: [],
    mweb: false,
    ...members,
    maxMoney: isWhole ? BigInt(String(maxMoney)) : maxMoney,
  };
  return resolveNetwork(network as unknown as Network);
}
