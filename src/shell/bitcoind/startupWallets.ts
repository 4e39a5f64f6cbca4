import type { JsonValue } from '../../answers/json/jsonValue.ts';
import { readParams } from '../../answers/method/readParams.ts';
import { RpcError } from '../../core/errors.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import { missingWallet } from '../../node/methods/wallet/wallets.ts';
import { findMethod } from '../../node/registry.ts';
import type { Notes } from './configFiles.ts';
import { InitError } from './initError.ts';
import type { Options } from './options.ts';
import { listSettings, type Setting } from './settings.ts';

const NOT_A_NAME =
  "Invalid value detected for '-wallet' or '-nowallet'. '-wallet' requires a string value, while '-nowallet' accepts only '1' to disable all wallets";

/**
 * Returns the wallets to load at the start.
 * @throws InitError
 * @see Bitcoin Core `VerifyWallets`
 */
export function startupWallets({ settings, section, isSet }: Options): readonly string[] {
  if (!isSet('wallet')) return [''];
  const values = listSettings(settings, 'wallet', { section, isSectioned: section !== 'main' });
  return values.map((value) => {
    if (value.type === 'string') return value.value;
    throw new InitError(NOT_A_NAME);
  });
}

/**
 * Loads the wallets of the start, and no others: what a node keeps in memory only is gone.
 * @throws InitError
 */
export function loadWallets(rpc: NodeRpc, names: readonly string[], { warn, print }: Notes): void {
  const { node } = rpc;
  const warnAbout = (text: string): void => {
    warn(text);
    print(`Warning: ${text}\n`);
  };
  node.inCall(() => node.change(...[...node.loaded].map((name) => ({ type: 'unload', name }) as const)));
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) warnAbout(`Ignoring duplicate -wallet ${name}.`);
    else if (node.wallets.has(name)) {
      const warning = load(rpc, name);
      if (warning !== '') warnAbout(warning);
    }
    // Core looks for a wallet without a name, which newer releases no longer make.
    else if (name !== '') warnAbout(skippedWallet(rpc, name));
    seen.add(name);
  }
}

/** @see Bitcoin Core `VerifyWallets` */
const skippedWallet = ({ inContext }: NodeRpc, name: string): string =>
  `Skipping -wallet path that doesn't exist. ${inContext((context) => missingWallet(name, context))}`;

/** Returns the warnings, one in each line. */
function load(rpc: NodeRpc, name: string): string {
  try {
    const { warnings = [], warning = warnings.join('\n') } = rpc.call('loadwallet', [name]);
    return warning;
  } catch (error) {
    throw error instanceof RpcError ? new InitError(error.message) : error;
  }
}

/** Adds a wallet to those of the start, or takes it out. */
export type KeepWallet = (name: string, isLoaded: boolean) => void;

type NameOf = (args: Readonly<Record<string, unknown>>, endpoint: string | undefined) => unknown;

/** The methods with `load_on_startup`, and the name of the wallet. */
const KEEPERS: Readonly<Record<string, NameOf>> = {
  createwallet: ({ wallet_name: name }) => name,
  restorewallet: ({ wallet_name: name }) => name,
  loadwallet: ({ filename }) => filename,
  unloadwallet: ({ wallet_name: name }, endpoint) => {
    const given = name as JsonValue | undefined;
    return given?.type === 'string' ? given.value : endpoint;
  },
};

/** Keeps which wallets are loaded at the start, as `load_on_startup` of a call says that has not failed. */
export function withStartupWallets(rpc: NodeRpc, keep: KeepWallet): NodeRpc {
  const callJson: NodeRpc['callJson'] = (name, params, walletName, form) => {
    const answer = rpc.callJson(name, params, walletName, form);
    const nameOf = Object.hasOwn(KEEPERS, name) ? KEEPERS[name] : undefined;
    const method = nameOf && findMethod(name);
    if (!method) return answer;
    const args: Readonly<Record<string, unknown>> = readParams(method, params, rpc.context) as never;
    const { load_on_startup: isLoaded } = args;
    const wallet = nameOf?.(args, walletName);
    if (typeof isLoaded === 'boolean' && typeof wallet === 'string') keep(wallet, isLoaded);
    return answer;
  };
  return { ...rpc, callJson };
}

/** @see Bitcoin Core `AddWalletSetting`, `RemoveWalletSetting` */
export function keepWallet(saved: Map<string, Setting>, name: string, isLoaded: boolean): boolean {
  const value = saved.get('wallet');
  const items = value?.type === 'array' ? value.items : [];
  const others = items.filter((item) => item.type !== 'string' || item.value !== name);
  const isKept = others.length < items.length;
  if (isKept === isLoaded) return false;
  saved.set('wallet', { type: 'array', items: isLoaded ? [...items, { type: 'string', value: name }] : others });
  return true;
}
