import { parseBase64 } from '../../core/bytes/base64.ts';
import { equalBytes } from '../../core/bytes/compare.ts';
import { assertEnd, createReader } from '../../core/bytes/reader.ts';
import { hash160 } from '../../core/crypto/hash.ts';
import { unlessRefused } from '../../core/errors.ts';
import { decodePsbtBytes } from '../../core/psbt/format/decodePsbt.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { encodePush, payToWitness, wrapInWitness } from '../../core/script/build.ts';
import { classifyScript } from '../../core/script/template.ts';
import { decodeTransaction, witnessCodec } from '../../core/tx/codec.ts';
import { messageOutpoint, UNSPENDABLE, unsignedInput } from '../../core/tx/message.ts';
import { outpointKey, txid } from '../../core/tx/txid.ts';
import type { OutpointKey, Transaction, TxOut } from '../../core/tx/types.ts';
import { type Bip322Format, PREFIXES } from './formats.ts';

/** A signature of BIP322 as the transaction that it stands for. */
export interface Signed {
  readonly format: Bip322Format;
  readonly tx: Transaction;
  readonly claimed: ReadonlyMap<OutpointKey, TxOut>;
}

/** Why a text is not a signature of BIP322. */
export interface DecodeFault {
  readonly reason: 'base64' | 'encoding';
  /** If the text begins with its prefix. */
  readonly format?: Bip322Format;
}

const NO_CLAIMS: ReadonlyMap<OutpointKey, TxOut> = new Map();

export const decodeBase64 = (text: string): Uint8Array | undefined => unlessRefused(() => parseBase64(text));

type Decoder = (bytes: Uint8Array, toSpend: Transaction) => Omit<Signed, 'format'>;

const DECODERS: Readonly<Record<Bip322Format, Decoder>> = {
  simple: (bytes, toSpend) => ({ tx: simpleSpend(bytes, toSpend), claimed: NO_CLAIMS }),
  full: (bytes) => ({ tx: decodeTransaction(bytes), claimed: NO_CLAIMS }),
  'proof-of-funds': (bytes) => decodeProof(bytes),
};
const FORMATS = Object.keys(DECODERS) as readonly Bip322Format[];

/** `toSpend` must have the script of the address in its output. */
export function decodeSigned(text: string, toSpend: Transaction): Signed | DecodeFault {
  const decode = (bytes: Uint8Array | undefined, formats: readonly Bip322Format[]): Signed | undefined => {
    for (const format of bytes ? formats : []) {
      const signed = unlessRefused(() => ({ format, ...DECODERS[format](bytes ?? EMPTY, toSpend) }));
      if (signed) return signed;
    }
    return undefined;
  };
  const stated = FORMATS.find((format) => text.startsWith(PREFIXES[format]));
  const own = stated && decodeBase64(text.slice(PREFIXES[stated].length));
  // Early drafts of BIP322 had no prefixes, and a prefix is itself base64.
  const whole = decodeBase64(text);
  const signed = (stated && decode(own, [stated])) ?? decode(whole, FORMATS);
  return signed ?? { reason: own || whole ? 'encoding' : 'base64', ...(stated && { format: stated }) };
}

const EMPTY = new Uint8Array(0);

function simpleSpend(bytes: Uint8Array, toSpend: Transaction): Transaction {
  const reader = createReader(bytes);
  const witness = witnessCodec.read(reader);
  assertEnd(reader);
  const scriptSig = nestedScriptSig(toSpend.outputs[0]?.scriptPubKey ?? EMPTY, witness);
  const input = { ...unsignedInput(messageOutpoint(toSpend)), scriptSig, witness };
  return { version: 0, inputs: [input], outputs: [UNSPENDABLE], locktime: 0 };
}

/**
 * Returns the scriptSig of nested segwit, whose redeem script follows from the key or script at the end of the witness; else
 * nothing. BIP322 has the simple form for native segwit alone, but Xverse, Leather and bip322-js use it here, too.
 */
function nestedScriptSig(scriptPubKey: Uint8Array, witness: readonly Uint8Array[]): Uint8Array {
  const template = classifyScript(scriptPubKey);
  const last = witness.at(-1);
  if (template.type !== 'scripthash' || !last) return EMPTY;
  const candidates = [payToWitness(0, hash160(last)), wrapInWitness(last)];
  const redeemScript = candidates.find((script) => equalBytes(hash160(script), template.hash));
  return redeemScript ? encodePush(redeemScript) : EMPTY;
}

function decodeProof(bytes: Uint8Array): Omit<Signed, 'format'> {
  const psbt = decodePsbtBytes(bytes);
  const unsigned = psbt.global.unsignedTx;
  const inputs = (unsigned?.inputs ?? []).map((input, i) => {
    const { finalScriptSig = input.scriptSig, finalScriptWitness = [] } = psbt.inputs[i] ?? {};
    return { ...input, scriptSig: finalScriptSig, witness: finalScriptWitness };
  });
  const tx = { version: 0, outputs: [], locktime: 0, ...unsigned, inputs };
  return { tx, claimed: claimedOutputs(psbt, tx) };
}

/** Several inputs may spend one transaction, which a PSBT may then show only once. */
function claimedOutputs({ inputs }: Psbt, tx: Transaction): ReadonlyMap<OutpointKey, TxOut> {
  const claimed = new Map<OutpointKey, TxOut>();
  inputs.forEach(({ witnessUtxo, nonWitnessUtxo }, i) => {
    const outpoint = tx.inputs[i]?.outpoint;
    if (witnessUtxo && outpoint) claimed.set(outpointKey(outpoint), witnessUtxo);
    if (!nonWitnessUtxo) return;
    const id = txid(nonWitnessUtxo);
    nonWitnessUtxo.outputs.forEach((output, vout) => {
      claimed.set(outpointKey({ txid: id, vout }), output);
    });
  });
  return claimed;
}
