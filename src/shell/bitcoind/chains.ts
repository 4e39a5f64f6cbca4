import type { Network } from '../../core/network/networks.ts';
import { networks } from '../../core/network/networks.ts';
import { InitError } from './initError.ts';
import { findSetting, isOn, type Settings, settingText } from './settings.ts';

export interface Chain {
  /** In `-chain`, and of its section in configuration files. */
  readonly name: string;
  /** Below the data directory. */
  readonly directory: string;
  readonly network: Network;
}

const CHAINS: readonly Chain[] = [
  { name: 'main', directory: '', network: networks.main },
  { name: 'test', directory: 'testnet3', network: networks.testnet3 },
  { name: 'testnet4', directory: 'testnet4', network: networks.testnet4 },
  { name: 'signet', directory: 'signet', network: networks.signet },
  { name: 'regtest', directory: 'regtest', network: networks.regtest },
];

export const CHAIN_NAMES: readonly string[] = CHAINS.map(({ name }) => name);

const FLAGS = ['regtest', 'signet', 'testnet', 'testnet4'] as const;

/**
 * Reads the name of the chain, which may be unknown.
 * @throws InitError
 * @see Bitcoin Core `ArgsManager::GetChainArg`
 */
export function chainName(settings: Settings): string {
  const text = (name: string, choosesChain: boolean): string | undefined => {
    const value = findSetting(settings, name, { section: '', choosesChain });
    return value && settingText(value);
  };
  const set = FLAGS.filter((flag) => {
    const value = text(flag, true);
    return value !== undefined && isOn(value);
  });
  const named = text('chain', false);
  if (set.length + (named === undefined ? 0 : 1) > 1) {
    throw new InitError(
      'Invalid combination of -regtest, -signet, -testnet, -testnet4 and -chain. Can use at most one.',
    );
  }
  const [flag] = set;
  return named ?? (flag === 'testnet' ? 'test' : (flag ?? 'main'));
}

/** @throws InitError */
export function findChain(name: string): Chain {
  const chain = CHAINS.find((known) => known.name === name);
  if (!chain) throw new InitError(`Unknown chain ${name}.`);
  return chain;
}
