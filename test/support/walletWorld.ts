import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { blockAfter, blocksAfter, genesisOf, type MadeBlock, quickNetwork, spend, type TestNetwork } from './blocks.ts';
import { change } from './feeding.ts';
import {
  createMemoryStore,
  createNodeRpc,
  type DialectName,
  encodeTransaction,
  formatAddress,
  formatHex,
  formatTxid,
  formatWif,
  hash160,
  type NodeRpc,
  type NodeRpcOptions,
  networks,
  type Outpoint,
  parseHex,
  type RecordStore,
  RpcError,
  stringifyRpc,
  type Transaction,
  txid,
} from './library.ts';
import { quickScrypt } from './quickScrypt.ts';
import { rememberedEcc } from './rememberedEcc.ts';

/** A network and the dialect of a generation of wallets. */
export interface WalletKind {
  readonly network: TestNetwork;
  readonly dialect: DialectName;
}

export const LEGACY: WalletKind = { network: 'litecoin-regtest', dialect: 'litecoin-0.21' };
export const MODERN: WalletKind = { network: 'regtest', dialect: 'core-32' };

/** The fixed UNIX time of the clock. */
export const NOW = 1_700_500_000;

/** A node with one wallet, `w`, and a chain with some anyone-can-spend coins. */
export interface WalletWorld {
  readonly rpc: NodeRpc;
  readonly kind: WalletKind;
  /**
   * ScriptPubKeys for payments in hex: two of the wallet's keys, a watched one, a foreign one, and those that
   * {@link importLater} imports.
   */
  readonly scripts: readonly string[];
  /** The initial anyone-can-spend coins. */
  readonly coins: readonly Outpoint[];
  /** The initial tip. */
  readonly base: MadeBlock;
}

const COINS = 24;
/** The value of each. */
export const COIN = 100_000n;
const MATURITY = 101;
const ANYONE = '51';
const secretKey = (i: number): Uint8Array => new Uint8Array(32).fill(i + 1);
const publicKey = (i: number): Uint8Array => nativeSecp256k1Ecc.publicKey(secretKey(i), true);
const keyScript = (i: number): string => `0014${formatHex(hash160(publicKey(i)))}`;
const WATCHED = `0014${'77'.repeat(20)}`;
const FOREIGN = `0014${'99'.repeat(20)}`;
const LATER = 2;
const SCRIPTS: readonly string[] = [keyScript(0), keyScript(1), WATCHED, FOREIGN, keyScript(LATER)];
/** A ranged descriptor. Its import watches 1000 indexes, and a payment to one of them as many beyond it. */
const RANGED =
  'wpkh(tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK/*)';
const RANGED_INDEXES = [0, 400, 1200];

/** The private keys of the wallet, in hex and as WIF. */
export const SECRETS: readonly string[] = [0, 1].flatMap((i) => [
  formatHex(secretKey(i)),
  formatWif({ secretKey: secretKey(i), isCompressed: true }, networks.regtest),
]);

/** Opens a node on a store. */
export function openWalletRpc(
  kind: WalletKind,
  store?: RecordStore,
  clock: () => number = () => NOW,
  more: Partial<
    Pick<
      NodeRpcOptions,
      | 'scrypt'
      | 'steadyClock'
      | 'walletDir'
      | 'random'
      | 'skipsMempoolPolicy'
      | 'acceptnonstdtxn'
      | 'walletrbf'
      | 'fallbackfee'
      | 'assumevalid'
    >
  > = {},
): NodeRpc {
  let next = 1;
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(next++);
  return createNodeRpc({
    scrypt: quickScrypt,
    skipsMempoolPolicy: true,
    deprecatedrpc: ['removeprunedfunds'],
    random,
    ...kind,
    network: quickNetwork(kind.network),
    ...more,
    ecc: rememberedEcc,
    clock,
    ...(store && { store }),
  });
}

/** Makes a new world, always the same. */
export function makeWorld(
  kind: WalletKind,
  {
    store = createMemoryStore(),
    clock,
    avoidsReuse = false,
    ...policy
  }: {
    readonly store?: RecordStore;
    readonly clock?: () => number;
    readonly avoidsReuse?: boolean;
  } & Pick<NodeRpcOptions, 'skipsMempoolPolicy' | 'acceptnonstdtxn' | 'assumevalid'> = {},
): WalletWorld {
  const rpc = openWalletRpc(kind, store, clock, policy);
  rpc.call('createwallet', ['w', false, true, null, avoidsReuse]);
  importKeys(rpc, kind);
  const first = genesisOf(kind.network);
  const old = blocksAfter(first, MATURITY);
  const [mature] = old;
  const [subsidy] = mature?.txs ?? [];
  if (!subsidy) throw new Error('no block');
  const split = {
    ...spend([{ txid: txid(subsidy), vout: 0 }]),
    outputs: Array.from({ length: COINS }, () => ({ value: COIN, scriptPubKey: parseHex(ANYONE) })),
  };
  const base = blockAfter(old.at(-1) ?? first, { txs: [split] });
  for (const block of [...old, base]) rpc.call('submitblock', [block.hex]);
  return {
    rpc,
    kind,
    scripts: scriptsOf(rpc, kind),
    coins: Array.from({ length: COINS }, (_, vout) => ({ txid: txid(split), vout })),
    base,
  };
}

function importKeys(rpc: NodeRpc, kind: WalletKind): void {
  for (const i of [0, 1]) {
    const wif = formatWif({ secretKey: secretKey(i), isCompressed: true }, networks[kind.network]);
    if (kind === LEGACY) rpc.call('importprivkey', [wif, `key ${i}`, false]);
    else importDescriptor(rpc, `wpkh(${wif})`, `key ${i}`);
  }
  // A descriptor wallet with private keys cannot be watch-only.
  if (kind === LEGACY) rpc.call('importaddress', [WATCHED, 'watched', false]);
}

function importDescriptor(rpc: NodeRpc, text: string, label: string): void {
  rpc.call('importdescriptors', [[{ desc: withChecksum(rpc, text), timestamp: 'now', label }]]);
}

function withChecksum(rpc: NodeRpc, text: string): string {
  const { checksum } = rpc.call('getdescriptorinfo', [text]) as { readonly checksum: string };
  return `${text}#${checksum}`;
}

function scriptsOf(rpc: NodeRpc, kind: WalletKind): readonly string[] {
  if (kind !== MODERN) return SCRIPTS;
  const desc = withChecksum(rpc, RANGED);
  const ranged = RANGED_INDEXES.map((i) => {
    const [address] = rpc.call('deriveaddresses', [desc, [i, i]]) as [string];
    return (rpc.call('getaddressinfo', [address], 'w') as { readonly scriptPubKey: string }).scriptPubKey;
  });
  return [...SCRIPTS, ...ranged];
}

/** Imports a key or, into a descriptor wallet, a ranged descriptor as well, and rescans the chain. */
export function importLater({ rpc, kind }: WalletWorld, which: number): unknown {
  const wif = formatWif({ secretKey: secretKey(LATER), isCompressed: true }, networks[kind.network]);
  if (kind === LEGACY) return ask(rpc, 'importprivkey', [wif, 'later', true]);
  const isRanged = which % 2 === 1;
  const desc = withChecksum(rpc, isRanged ? RANGED : `wpkh(${wif})`);
  return ask(rpc, 'importdescriptors', [[{ desc, timestamp: 0, ...(isRanged && { range: [0, 0], active: true }) }]]);
}

export const hexOf = (tx: Transaction): string => formatHex(encodeTransaction(tx));

/** Makes a transaction that pays a coin to two scripts. */
export function payment(coin: Outpoint, scripts: readonly [string, string], value = 90_000n): Transaction {
  const outputs = scripts.map((script, i) => ({ value: value / 2n - BigInt(i), scriptPubKey: parseHex(script) }));
  return { ...spend([coin]), outputs };
}

/** Adds a transaction to the mempool without verifying it. */
export function put(rpc: NodeRpc, tx: Transaction): void {
  change(rpc, { type: 'transaction', tx });
}

/** Calls a method of wallet `w`; returns an RPC error as an answer. */
export function ask(rpc: NodeRpc, method: string, params: readonly unknown[] = [], wallet = 'w'): unknown {
  try {
    return JSON.parse(stringifyRpc(rpc.call(method, params, wallet)));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** Collects the answers that show the whole state of a wallet. */
export function allAnswers({ rpc, kind, base, scripts }: WalletWorld, wallet = 'w'): Readonly<Record<string, unknown>> {
  const addresses = addressesOf(kind, scripts);
  const of = (method: string, params: readonly unknown[] = []): unknown => ask(rpc, method, params, wallet);
  return {
    tip: of('getbestblockhash'),
    unspent: of('listunspent', [0]),
    unspentSafe: of('listunspent', [1, 100, [], false]),
    since: of('listsinceblock', ['', 1, true]),
    sinceBase: of('listsinceblock', [base.hash, 2, true]),
    addresses: addresses.map((address) => of('getaddressinfo', [address])),
    locked: of('listlockunspent'),
    info: of('getwalletinfo'),
  };
}

/** The addresses of the world's scripts. */
function addressesOf({ network }: WalletKind, scripts: readonly string[]): readonly string[] {
  return scripts.flatMap((script) => formatAddress(parseHex(script), networks[network]) ?? []);
}

/** Lists the transactions of the mempool, parents first. */
export const mempoolOf = ({ rpc }: WalletWorld): readonly Transaction[] =>
  [...rpc.node.chain.mempool.values()].map(({ tx }) => tx);

export const idOf = (tx: Transaction): string => formatTxid(txid(tx));
