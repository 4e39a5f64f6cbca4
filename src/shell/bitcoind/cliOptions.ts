import type { FindOption, OptionRow } from './optionTable.ts';

const option = (about: string, details: Omit<OptionRow, 'use' | 'about'> = {}): OptionRow => ({
  use: 'served',
  about,
  ...details,
});

const FLAG = option('');
const PEERS: OptionRow = { use: 'refused', about: 'there are no peers' };

/** The options of bitcoin-cli. */
export const CLI_OPTIONS: Readonly<Record<string, OptionRow>> = {
  help: option('print this text (also -h, -?)'),
  h: FLAG,
  '?': FLAG,
  version: option('print the version'),
  conf: option('the configuration file, in the data directory unless absolute', { placeholder: 'FILE' }),
  datadir: option('the data directory', { placeholder: 'DIR', isNeverNegated: true }),
  chain: option('main, test, testnet4, signet or regtest', { placeholder: 'NAME' }),
  regtest: option('the same as -chain=regtest'),
  signet: option('the same as -chain=signet'),
  testnet: option('the same as -chain=test'),
  testnet4: option('the same as -chain=testnet4'),
  signetchallenge: option('', { isNeverNegated: true }),
  signetseednode: option('', { isNeverNegated: true }),
  rpcconnect: option('the address of the node (default: 127.0.0.1)', { placeholder: 'ADDRESS[:PORT]' }),
  rpcport: option('its port', { placeholder: 'PORT', isSectioned: true }),
  rpcuser: option('the name of a user', { placeholder: 'NAME', isSecret: true }),
  rpcpassword: option('the password in place of the cookie', { placeholder: 'PASSWORD', isSecret: true }),
  rpccookiefile: option('the file with the cookie', { placeholder: 'FILE' }),
  rpcwallet: option('the wallet that a call is for', { placeholder: 'NAME' }),
  rpcclienttimeout: option('how long to wait for an answer (default: 900; 0: for ever)', { placeholder: 'SECONDS' }),
  rpcwait: option('wait until the node answers'),
  rpcwaittimeout: option('but only so long', { placeholder: 'SECONDS', isNeverNegated: true }),
  named: option('take parameters as name=value'),
  stdin: option('take more arguments from standard input, one per line'),
  stdinrpcpass: option('take the password from its first line'),
  stdinwalletpassphrase: option('take the passphrase of walletpassphrase from its next line'),
  generate: option('mine blocks for a new address: [count [tries]]'),
  color: option('', { isNeverNegated: true }),
  getinfo: { use: 'refused', about: 'call getblockchaininfo, getnetworkinfo and getwalletinfo' },
  netinfo: PEERS,
  addrinfo: PEERS,
};

export const findCliOption: FindOption = (name) => (Object.hasOwn(CLI_OPTIONS, name) ? CLI_OPTIONS[name] : undefined);
