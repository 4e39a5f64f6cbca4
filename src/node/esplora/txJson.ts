import { formatAddress } from '../../core/address/address.ts';
import { formatHex, formatReversedHex } from '../../core/bytes/hex.ts';
import type { Network } from '../../core/network/networks.ts';
import { instructions, isDataPush, pushedData } from '../../core/script/instructions.ts';
import { OP_RETURN } from '../../core/script/opcodes.ts';
import { classifyScript, type ScriptTemplate } from '../../core/script/template.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { TxIn, TxOut } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import type { ChainBlock } from '../chain/types.ts';
import { esploraAsm } from './asm.ts';
import type { FoundTx } from './foundTx.ts';

/** @see Blockstream electrs `TransactionStatus` */
export const statusJson = (block: ChainBlock | undefined): object =>
  block
    ? { confirmed: true, block_height: block.height, block_hash: formatReversedHex(block.hash), block_time: block.time }
    : { confirmed: false };

/** @see Blockstream electrs `TransactionValue` */
export function transactionJson({ entry, block, findCoin }: FoundTx, network: Network): object {
  const { tx, id, isCoinbase, spends } = entry;
  const { size, weight } = transactionSize(tx);
  const coins = spends.map(findCoin);
  return {
    txid: formatTxid(id),
    version: tx.version,
    locktime: tx.locktime,
    vin: tx.inputs.map((input, i) => inputJson(input, { coin: coins[i], isCoinbase, network })),
    vout: tx.outputs.map((output) => outputJson(output, network)),
    size,
    weight,
    fee: isCoinbase ? 0n : totalValue(coins) - totalValue(tx.outputs),
    status: statusJson(block),
  };
}

export const totalValue = (outputs: readonly (TxOut | undefined)[]): bigint =>
  outputs.reduce((sum, output) => sum + (output?.value ?? 0n), 0n);

interface InputFacts {
  readonly coin: TxOut | undefined;
  readonly isCoinbase: boolean;
  readonly network: Network;
}

function inputJson(input: TxIn, { coin, isCoinbase, network }: InputFacts): object {
  const { outpoint, scriptSig, witness, sequence } = input;
  const inner = coin && innerScripts(input, coin);
  return {
    txid: formatTxid(outpoint.txid),
    vout: outpoint.vout,
    prevout: coin ? outputJson(coin, network) : null,
    scriptsig: formatHex(scriptSig),
    scriptsig_asm: esploraAsm(scriptSig),
    witness: witness.length > 0 ? witness.map(formatHex) : undefined,
    is_coinbase: isCoinbase,
    sequence,
    inner_redeemscript_asm: inner?.redeemScript && esploraAsm(inner.redeemScript),
    inner_witnessscript_asm: inner?.witnessScript && esploraAsm(inner.witnessScript),
  };
}

/** Takes the scripts that an input shows, whether or not the coin commits to them. */
function innerScripts({ scriptSig, witness }: TxIn, { scriptPubKey }: TxOut) {
  const outer = classifyScript(scriptPubKey);
  const redeemScript = outer.type === 'scripthash' ? lastPush(scriptSig) : undefined;
  const inner = redeemScript ? classifyScript(redeemScript) : outer;
  return { redeemScript, witnessScript: inner.type === 'witness_v0_scripthash' ? witness.at(-1) : undefined };
}

function lastPush(script: Uint8Array): Uint8Array | undefined {
  const last = [...instructions(script)].at(-1);
  return last && isDataPush(last) ? pushedData(script, last) : undefined;
}

const TYPES: Partial<Record<ScriptTemplate['type'], string>> = {
  pubkey: 'p2pk',
  pubkeyhash: 'p2pkh',
  scripthash: 'p2sh',
  witness_v0_keyhash: 'v0_p2wpkh',
  witness_v0_scripthash: 'v0_p2wsh',
  witness_v1_taproot: 'v1_p2tr',
};

function typeOf(scriptPubKey: Uint8Array): string {
  if (scriptPubKey.length === 0) return 'empty';
  if (scriptPubKey[0] === OP_RETURN) return 'op_return';
  return TYPES[classifyScript(scriptPubKey).type] ?? 'unknown';
}

/** @see Blockstream electrs `TxOutValue` */
function outputJson({ value, scriptPubKey }: TxOut, network: Network): object {
  return {
    scriptpubkey: formatHex(scriptPubKey),
    scriptpubkey_asm: esploraAsm(scriptPubKey),
    scriptpubkey_type: typeOf(scriptPubKey),
    scriptpubkey_address: formatAddress(scriptPubKey, network),
    value,
  };
}
