import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The scripts that are run: others are about peers and tools. */
const PREFIXES = /^(?:wallet|rpc|mempool|mining|interface|feature)_\w+\.py$/;

/** What a script needs that the node does not have, by what its text holds. */
const NEEDS: readonly (readonly [need: string, pattern: RegExp])[] = [
  [
    'peers: it opens P2P connections of its own',
    /add_p2p_connection|add_outbound_p2p_connection|P2PInterface|P2PDataStore|P2PTxInvStore|P2PConnection/,
  ],
  ['bitcoin-wallet', /skip_if_no_wallet_tool/],
  ['bitcoin-tx', /skip_if_no_bitcoin_tx/],
  ['bitcoin-util', /skip_if_no_bitcoin_util/],
  ['bitcoin-chainstate', /skip_if_no_bitcoin_chainstate/],
  ['tracepoints', /skip_if_no_bitcoind_tracepoints|skip_if_no_python_bcc/],
  ['previous releases', /skip_if_no_previous_releases/],
  ['IPC', /skip_if_no_ipc|skip_if_no_py_capnp/],
  ['a window', /skip_if_no_gui/],
  ['an external signer', /skip_if_no_external_signer/],
  ['legacy wallets', /skip_if_no_bdb/],
];

/** What a script is about that the node does not have: it is run, and not applicable if it fails. */
const SUBJECTS: readonly (readonly [subject: string, pattern: RegExp])[] = [
  [
    'peers: it is about their addresses and connections',
    /-asmap|-whitebind|addpeeraddress|setban|Socks5Server|-torcontrol/,
  ],
];

export interface Script {
  readonly name: string;
  /** Why the node cannot run it. */
  readonly need: string | undefined;
  /** Why it does not count as failed. */
  readonly excuse: string | undefined;
}

/** Lists the scripts of a checkout, by name. */
export function scriptsOf(checkout: string): readonly Script[] {
  const folder = join(checkout, 'test/functional');
  return readdirSync(folder)
    .filter((name) => PREFIXES.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, need: needOf(text), excuse: SUBJECTS.find(([, pattern]) => pattern.test(text))?.[0] };
    });
}

/** Counts the tests of a checkout, those included that this program never runs. */
export function countScripts(checkout: string): number {
  const folder = join(checkout, 'test/functional');
  const isTest = (name: string): boolean =>
    name.endsWith('.py') && /^ {4}\w+\(.*\)\.main\(\)/m.test(readFileSync(join(folder, name), 'utf8'));
  return readdirSync(folder).filter(isTest).length;
}

/** Returns the first thing that a script needs and the node does not have. */
export const needOf = (text: string): string | undefined => NEEDS.find(([, pattern]) => pattern.test(text))?.[0];
