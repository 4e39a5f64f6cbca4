import { bytesKey } from '../../core/bytes/compare.ts';
import { append } from '../../core/bytes/groups.ts';
import { sha256 } from '../../core/crypto/hash.ts';
import { BtcError } from '../../core/errors.ts';
import { isUnspendable } from '../../core/script/instructions.ts';
import { outputKey } from '../../core/tx/txid.ts';
import type { OutpointKey, TxKey, TxOut } from '../../core/tx/types.ts';
import type { BlockKey } from '../chain/blockHeader.ts';
import { activeKey, type Chain, coinAt, findActiveBlock, findBody } from '../chain/chainState.ts';
import { hasBody } from '../chain/partialChain.ts';
import type { ChainTx, PoolEntry } from '../chain/types.ts';
import type { Node } from '../state/node.ts';

declare const scriptHashBrand: unique symbol;

/** The SHA256 of a scriptPubKey as a key of a `Map`, made by `scriptHash`. */
export type ScriptHash = string & { readonly [scriptHashBrand]: true };

export const scriptHash = (scriptPubKey: Uint8Array): ScriptHash => toScriptHash(sha256(scriptPubKey));

export const toScriptHash = (hash: Uint8Array): ScriptHash => bytesKey(hash) as ScriptHash;

/** A transaction that pays a script, or spends a coin of it. */
export interface Movement {
  readonly kind: 'funding' | 'spending';
  readonly tx: TxKey;
  /** The coin. */
  readonly outpoint: OutpointKey;
  /** In satoshi. */
  readonly value: bigint;
}

interface TxPlace {
  readonly height: number;
  /** 0-based, within the block. */
  readonly position: number;
}

interface Spender {
  readonly tx: TxKey;
  readonly vin: number;
}

/** What a block added to an index, for its removal. */
interface IndexedBlock {
  readonly key: BlockKey;
  readonly txs: TxKey[];
  readonly spent: OutpointKey[];
  /** One for each movement, in the same order. */
  readonly scripts: ScriptHash[];
}

/**
 * The transactions of the active chain by script, id and spent coin, in memory. Only `followChain` changes it: it looks
 * at the chain when it is asked, so that it misses neither a change that was dropped nor one of another process.
 */
export interface ChainIndex {
  /** By height. */
  readonly blocks: IndexedBlock[];
  readonly places: Map<TxKey, TxPlace>;
  readonly spenders: Map<OutpointKey, Spender>;
  /** In the order of the chain. */
  readonly movements: Map<ScriptHash, Movement[]>;
  readonly pooled: WeakMap<PoolEntry, MovementsByScript>;
}

type MovementsByScript = ReadonlyMap<ScriptHash, readonly Movement[]>;

export const createIndex = (): ChainIndex => ({
  blocks: [],
  places: new Map(),
  spenders: new Map(),
  movements: new Map(),
  pooled: new WeakMap(),
});

/**
 * Brings an index up to the tip of the active chain, which the caller reads in the same call.
 * @throws BtcError `block/unknown` if the chain lacks the transactions of a block; `store/*`
 */
export function followChain(index: ChainIndex, node: Node): void {
  const { chain } = node;
  const { blocks } = index;
  for (let top = blocks.at(-1); top && activeKey(chain, blocks.length - 1) !== top.key; top = blocks.at(-1)) {
    removeTop(index, top);
  }
  while (blocks.length <= chain.counts.height) {
    const block = findActiveBlock(chain, blocks.length);
    if (!block || !hasBody(chain, block)) throw missingBlock(blocks.length);
    // A network of a caller's own may not state the transaction of its genesis block.
    addBlock(index, block.key, findBody(node.chain, block)?.txs ?? [], new Map(chain.undo.get(block.key)));
  }
}

function missingBlock(height: number): BtcError {
  const message = `The chain lacks the transactions of block ${height}, and an index of addresses needs them all: feed the chain from its first block on`;
  return new BtcError('block/unknown', {}, message);
}

function addBlock(
  { blocks, places, spenders, movements }: ChainIndex,
  key: BlockKey,
  txs: readonly ChainTx[],
  coins: ReadonlyMap<OutpointKey, TxOut>,
): void {
  const block: IndexedBlock = { key, txs: [], spent: [], scripts: [] };
  for (const [position, tx] of txs.entries()) {
    places.set(tx.key, { height: blocks.length, position });
    block.txs.push(tx.key);
    for (const [vin, outpoint] of tx.spends.entries()) spenders.set(outpoint, { tx: tx.key, vin });
    block.spent.push(...tx.spends);
    for (const [script, movement] of listMovements(tx, (outpoint) => coins.get(outpoint))) {
      append(movements, script, movement);
      block.scripts.push(script);
    }
  }
  blocks.push(block);
}

function removeTop({ blocks, places, spenders, movements }: ChainIndex, { txs, spent, scripts }: IndexedBlock): void {
  for (const tx of txs) places.delete(tx);
  for (const outpoint of spent) spenders.delete(outpoint);
  for (const script of scripts) {
    const known = movements.get(script);
    known?.pop();
    if (known?.length === 0) movements.delete(script);
  }
  blocks.pop();
}

/** Leaves out outputs that nobody can spend, as Esplora does. */
function* listMovements(
  { tx, key, spends }: ChainTx,
  findCoin: (outpoint: OutpointKey) => TxOut | undefined,
): Generator<readonly [ScriptHash, Movement]> {
  for (const [vout, { value, scriptPubKey }] of tx.outputs.entries()) {
    if (isUnspendable(scriptPubKey)) continue;
    yield [scriptHash(scriptPubKey), { kind: 'funding', tx: key, outpoint: outputKey(key, vout), value }];
  }
  for (const outpoint of spends) {
    const coin = findCoin(outpoint);
    if (!coin) continue;
    yield [scriptHash(coin.scriptPubKey), { kind: 'spending', tx: key, outpoint, value: coin.value }];
  }
}

/** Lists the movements of a script in the mempool, oldest first. */
export function pooledMovements({ pooled }: ChainIndex, chain: Chain, script: ScriptHash): readonly Movement[] {
  return [...chain.mempool.values()].flatMap((entry) => {
    const known = pooled.get(entry) ?? groupMovements(listMovements(entry, (outpoint) => coinAt(chain, outpoint)));
    pooled.set(entry, known);
    return known.get(script) ?? [];
  });
}

function groupMovements(movements: Iterable<readonly [ScriptHash, Movement]>): MovementsByScript {
  const groups = new Map<ScriptHash, Movement[]>();
  for (const [script, movement] of movements) append(groups, script, movement);
  return groups;
}
