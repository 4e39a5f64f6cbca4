import { compactSizeLength } from '../../core/bytes/writer.ts';
import { isValidPublicKey } from '../../core/crypto/publicKey.ts';
import { classifyScript } from '../../core/script/template.ts';
import type { Undo } from './chainCodec.ts';
import type { ChainTx } from './types.ts';

/** The bytes before a block in Core's `blk` files, and around its undo data in the `rev` files. */
const BLOCK_OVERHEAD = 8;
const UNDO_OVERHEAD = 40;

/** Returns the size that a block of so many bytes has in Core's `blk` files. */
export const blockDiskSize = (size: number): number => BLOCK_OVERHEAD + size;

/**
 * Returns the size that the undo data of a block has in Core's `rev` files.
 * @see Bitcoin Core `CBlockUndo`, `TxInUndoFormatter`
 */
export function undoDiskSize(txs: readonly ChainTx[], undo: Undo): number {
  const lists = txs.slice(1).map(({ spends }) => compactSizeLength(spends.length));
  const coins = undo.map(([, { height = 0, value, scriptPubKey }]) => {
    const version = height > 0 ? 1 : 0;
    return (
      varIntLength(BigInt(height) * 2n) + version + varIntLength(compressAmount(value)) + scriptLength(scriptPubKey)
    );
  });
  return [...lists, ...coins].reduce((sum, size) => sum + size, UNDO_OVERHEAD + compactSizeLength(lists.length));
}

/** @see Bitcoin Core `CompressAmount` */
function compressAmount(value: bigint): bigint {
  if (value === 0n) return 0n;
  let digits = value;
  let exponent = 0n;
  for (; exponent < 9n && digits % 10n === 0n; exponent += 1n) digits /= 10n;
  if (exponent === 9n) return 10n + (digits - 1n) * 10n;
  return 1n + ((digits / 10n) * 9n + (digits % 10n) - 1n) * 10n + exponent;
}

/** @see Bitcoin Core `WriteVarInt` */
function varIntLength(value: bigint): number {
  let length = 1;
  for (let rest = value; rest > 0x7fn; rest = (rest >> 7n) - 1n) length += 1;
  return length;
}

/** Six numbers stand for the scripts that Core shortens. @see Bitcoin Core `ScriptCompression` */
const SHORTENED_KINDS = 6;

function scriptLength(script: Uint8Array): number {
  const template = classifyScript(script);
  if (template.type === 'pubkeyhash' || template.type === 'scripthash') return 21;
  if (template.type === 'pubkey' && (template.pubkey.length === 33 || isValidPublicKey(template.pubkey))) return 33;
  return varIntLength(BigInt(script.length + SHORTENED_KINDS)) + script.length;
}
