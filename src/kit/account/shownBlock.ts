import { parseHex } from '../../core/bytes/hex.ts';
import { invalidOption } from '../../core/bytes/knownOptions.ts';
import type { BtcError } from '../../core/errors.ts';
import { decodeTransaction } from '../../core/tx/codec.ts';
import type { Transaction, TxOut } from '../../core/tx/types.ts';

/** A block with the coins that it spends, as nodes show it. @see RPC `getblock` with verbosity 3 */
export interface ShownBlock {
  readonly height: number;
  readonly tx: readonly (string | ShownTransaction)[];
}

interface ShownTransaction {
  readonly hex?: string | undefined;
  readonly vin: readonly ShownInput[];
}

interface ShownInput {
  readonly coinbase?: string | undefined;
  readonly prevout?: { readonly scriptPubKey: { readonly hex: string } } | undefined;
}

/** A transaction with the outputs that it spends, in the order of its inputs. */
interface SpendingTransaction {
  readonly tx: Transaction;
  readonly spent: readonly Pick<TxOut, 'scriptPubKey'>[];
}

interface ReadBlock {
  readonly height: number;
  readonly transactions: readonly SpendingTransaction[];
}

/**
 * Reads the transactions of blocks but their coinbases.
 * @throws `argument/invalid` unless the blocks are answers of that call, of rising heights; as `decodeTransaction`
 */
export function* readShownBlocks(blocks: Iterable<string | ShownBlock>): Generator<ReadBlock> {
  if (!(Symbol.iterator in Object(blocks))) throw refuse('pass a list');
  let last = -1;
  for (const block of blocks) {
    const { height, tx } = typeof block === 'object' && block !== null ? block : ({} as Partial<ShownBlock>);
    if (!Array.isArray(tx)) throw refuse('one has no transactions');
    if (!Number.isSafeInteger(height) || Number(height) <= last)
      throw refuse('the heights do not rise from block to block');
    last = Number(height);
    yield { height: last, transactions: tx.flatMap((shown) => readTransaction(shown, last)) };
  }
}

function readTransaction(shown: string | ShownTransaction, height: number): readonly SpendingTransaction[] {
  const { hex, vin } = typeof shown === 'object' && shown !== null ? shown : ({} as Partial<ShownTransaction>);
  if (typeof hex !== 'string' || !Array.isArray(vin))
    throw refuse(`that of height ${height} has ids of transactions only`);
  const inputs = vin.map((input: ShownInput | null) => input ?? {});
  if (inputs.some(({ coinbase }) => coinbase !== undefined)) return [];
  const spent = inputs.flatMap(({ prevout }) => {
    const script = prevout?.scriptPubKey?.hex;
    return typeof script === 'string' ? { scriptPubKey: parseHex(script) } : [];
  });
  if (spent.length < vin.length) {
    throw refuse(`that of height ${height} lacks coins that it spends, which its node may not know`);
  }
  return [{ tx: decodeTransaction(parseHex(hex)), spent }];
}

const refuse = (fault: string): BtcError =>
  invalidOption('blocks', `must hold answers of getblock with verbosity 3: ${fault}`);
