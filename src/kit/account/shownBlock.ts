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

/** Reads the transactions of a block but its coinbase. @throws `argument/invalid`, and as `decodeTransaction` */
export function readShownBlock(block: string | ShownBlock): ReadBlock {
  if (typeof block !== 'object' || !Array.isArray(block.tx)) throw refuse('one has no transactions');
  const { height } = block;
  const transactions = block.tx.flatMap((shown: ShownBlock['tx'][number]) => {
    const { hex, vin = [] } = typeof shown === 'string' ? {} : shown;
    if (hex === undefined) throw refuse(`that of height ${Number(height)} has ids of transactions only`);
    if (vin.some(({ coinbase }) => coinbase !== undefined)) return [];
    const spent = vin.flatMap(({ prevout }) => (prevout ? { scriptPubKey: parseHex(prevout.scriptPubKey.hex) } : []));
    if (spent.length < vin.length) {
      throw refuse(`that of height ${Number(height)} lacks coins that it spends, which its node may not know`);
    }
    return [{ tx: decodeTransaction(parseHex(hex)), spent }];
  });
  return { height, transactions };
}

const refuse = (fault: string): BtcError =>
  invalidOption('blocks', `must hold answers of getblock with verbosity 3: ${fault}`);
