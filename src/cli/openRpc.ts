import { resolve } from 'node:path';
import { shownPath, withoutSecrets } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';
import { type Network, type NetworkName, networks, resolveNetwork } from '../network/networks.ts';
import { createNodeRpc, type NodeRpc } from '../rpc/createNodeRpc.ts';
import { createRpc, type Rpc } from '../rpc/createRpc.ts';
import { type DialectName, dialects, type RpcOptions } from '../rpc/dialect.ts';
import { cutText, storeFaultText } from '../store/faultText.ts';
import { openStore } from '../store/openStore.ts';
import { type Io, readNamedFile } from '../terminal/io.ts';
import { nearestAdvice, UsageError } from '../terminal/usageError.ts';
import { chosenEcc } from './arithmetic.ts';
import { nodeScrypt } from './nodeScrypt.ts';
import type { CommandLine } from './options.ts';

/**
 * Creates the dispatcher for `--network` (a name, or a JSON file with a custom network) and `--dialect`.
 * @throws UsageError listing the known names
 */
export function openRpc(line: CommandLine, io: Io, more: Pick<RpcOptions, 'onProgress'> = {}): Promise<Rpc> {
  return openWith(line, io, (options) => createRpc({ ...options, ...more }));
}

/**
 * Creates the dispatcher with a chain and wallets, in `--wallet-dir` or in memory.
 * @throws UsageError listing the known names, or saying what is wrong with the directory
 */
export function openNodeRpc(line: CommandLine, io: Io, more: Pick<RpcOptions, 'onProgress'> = {}): Promise<NodeRpc> {
  return openWith(line, io, (options) => {
    const store = line.walletDir === undefined ? undefined : openStore(line.walletDir);
    try {
      if (store?.cut) io.writeError(cutText(store.cut));
      const { unixTime: clock, random } = io;
      const steadyClock = (): number => io.now() / 1000;
      return createNodeRpc({
        ...options,
        ...more,
        clock,
        steadyClock,
        scrypt: nodeScrypt,
        random,
        ...(store && { store, walletDir: resolve(line.walletDir ?? '') }),
      });
    } catch (error) {
      store?.close();
      throw error;
    }
  });
}

async function openWith<R>(line: CommandLine, io: Io, open: (options: RpcOptions) => R): Promise<R> {
  const { network, dialect, walletDir } = line;
  if (walletDir === '') throw new UsageError('--wallet-dir needs a directory, not ""');
  const chosen = network.endsWith('.json') ? await readNetwork(network, io) : (network as NetworkName);
  try {
    return open({ network: chosen, dialect: dialect as DialectName, ecc: chosenEcc(line.arithmetic) });
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    const storeFault = walletDir === undefined ? undefined : storeFaultText(error, walletDir);
    throw new UsageError(
      storeFault === undefined ? contextFault(error, { network, dialect }) : `--wallet-dir: ${storeFault}`,
    );
  }
}

function contextFault(error: BtcError, { network, dialect }: { network: string; dialect: string }): string {
  if (error.code === 'dialect/unknown') return unknownName('dialect', dialect, Object.keys(dialects));
  if (error.code === 'network/unknown') return unknownName('network', network, Object.keys(networks));
  return `${withoutSecrets(network)}: ${error.message}`;
}

function unknownName(what: string, name: string, known: readonly string[]): string {
  return `unknown ${what} "${withoutSecrets(name)}"${nearestAdvice(name, known)} (known: ${known.join(', ')})`;
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
 * Parses a custom network from JSON: the fields of `Network`, with `maxMoney` as a whole number of the smallest unit,
 * in quotes if it is above 2^53. `scriptHashAccepted` and `mweb` are optional.
 * @throws BtcError `network/invalid`; SyntaxError for invalid JSON
 */
function parseNetworkFile(text: string): Network {
  const given: unknown = JSON.parse(text);
  const members: Record<string, unknown> = typeof given === 'object' && given !== null ? { ...given } : {};
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
