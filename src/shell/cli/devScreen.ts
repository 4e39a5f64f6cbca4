import { formatMoney } from '../../core/encoding/amount.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import type { RegtestAccount } from '../regtest/accounts.ts';
import type { Mining } from './devMining.ts';

interface Screen {
  readonly dialect: string;
  readonly height: number;
  readonly accounts: readonly RegtestAccount[];
  readonly rpcUrl: string;
  /** The path of the file with another name and password. */
  readonly cookie: string | undefined;
  readonly esploraUrl: string;
  readonly zmqAddress: string;
  readonly mining: Mining;
  readonly statePath: string | undefined;
}

/** In characters: an address of regtest is as long. */
const ADDRESS_WIDTH = 44;
const NAME_WIDTH = 8;
const AMOUNT_WIDTH = 18;

/** Writes what a developer needs of a regtest that has started: on a terminal, all of it is in sight. */
export function devScreen({ dialect, height, accounts, rpcUrl, cookie, esploraUrl, ...rest }: Screen): string {
  const { zmqAddress, mining, statePath } = rest;
  const { username, password, port } = new URL(rpcUrl);
  const login = `-rpcport=${port} -rpcuser=${username} -rpcpassword=${password}`;
  const lines = [
    `a regtest as ${dialect}, at block ${height}`,
    '',
    `RPC      ${rpcUrl}`,
    ...(cookie === undefined ? [] : [`cookie   ${shownPath(cookie)}`]),
    `bitcoin-cli -regtest ${login}`,
    `Esplora  ${esploraUrl}`,
    `ZMQ      ${zmqAddress}`,
    '',
    row('wallet', 'address', 'coins'),
    ...accounts.map(({ wallet, address }) => row(wallet.name, address, formatMoney(wallet.balance()))),
    '',
    'words, descriptors and keys, which everybody knows: countersign dev --accounts',
    '',
    `${miningText(mining)}; Ctrl-C ends it${statePath === undefined ? '' : `, and saves ${shownPath(statePath)}`}`,
  ];
  return `${lines.join('\n')}\n`;
}

const row = (name: string, address: string, amount: string): string =>
  `${name.padEnd(NAME_WIDTH)} ${address.padEnd(ADDRESS_WIDTH)} ${amount.padStart(AMOUNT_WIDTH)}`;

function miningText(mining: Mining): string {
  if (mining === 'never') return 'mines when it is told to';
  return mining === 'on-transaction' ? 'mines on each transaction' : `mines every ${mining.seconds} s`;
}

/** Writes the keys of accounts as JSON, for other programs. */
export function accountsJson(accounts: readonly RegtestAccount[]): string {
  const shown = accounts.map(({ wallet, ...keys }) => ({ wallet: wallet.name, ...keys }));
  return `${JSON.stringify(shown, null, 2)}\n`;
}
