import { formatBase64 } from '../../core/bytes/base64.ts';
import { encode } from '../../core/bytes/codec.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { BtcError } from '../../core/errors.ts';
import { encodePsbt } from '../../core/psbt/format/encodePsbt.ts';
import type { PsbtInput } from '../../core/psbt/format/types.ts';
import { createPsbt } from '../../core/psbt/roles/creator.ts';
import { parseWitnessProgram } from '../../core/script/template.ts';
import type { SigningProvider } from '../../core/signing/signingProvider.ts';
import { signTransactionWith } from '../../core/signing/signTransaction.ts';
import { encodeTransaction, witnessCodec } from '../../core/tx/codec.ts';
import { txid } from '../../core/tx/txid.ts';
import type { Outpoint, Transaction, TxIn, TxOut } from '../../core/tx/types.ts';
import { messageOutpoint, messageToSpend, PREFIXES, UNSPENDABLE, unsignedInput } from './bip322.ts';

/** A coin that a proof of funds shows. */
export interface ProvenCoin extends TxOut {
  readonly outpoint: Outpoint;
  /** The transaction that created the coin; verifiers may need it unless the coin is segwit. */
  readonly transaction?: Transaction;
}

/** A message to sign, and the keys that sign it. */
export interface SignMessageInput {
  readonly message: string;
  /** The script of the signing address. */
  readonly scriptPubKey: Uint8Array;
  /** Finds the keys and scripts, also of the coins. */
  readonly provider: SigningProvider;
  /** Default `simple` for segwit without any option below; else `full`. */
  readonly format?: 'simple' | 'full';
  /** Version, lock time and sequence of the signing transaction, for scripts with locks. Default 0. */
  readonly version?: 0 | 2;
  readonly locktime?: number;
  readonly sequence?: number;
  /** Coins to prove control of. With any, the result is a proof of funds. */
  readonly coins?: readonly ProvenCoin[];
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc;
}

const SIGN_INPUT: OptionNames<SignMessageInput> = {
  message: true,
  scriptPubKey: true,
  provider: true,
  format: true,
  version: true,
  locktime: true,
  sequence: true,
  coins: true,
  ecc: true,
};

/**
 * Signs a message for any address. Returns the prefix of the format, and base64.
 * @throws `message/incomplete` if keys or scripts are missing; `message/format` for a simple signature of a non-segwit
 * address, or with locks or coins
 * @see BIP322 "Signing"
 *
 * @example
 * ```ts
 * import { createDescriptorProvider, createDeriver, networks, parseDescriptor, signMessage } from 'countersign';
 *
 * // Worthless: never write real keys into a program.
 * const descriptor = parseDescriptor('wpkh(cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA)', networks.regtest);
 * const derived = createDeriver(descriptor)(0);
 * const [scriptPubKey = new Uint8Array()] = derived.scriptPubKeys;
 * signMessage({ message: 'hello', scriptPubKey, provider: createDescriptorProvider([derived]) }).slice(0, 3); // smp
 * ```
 */
export function signMessage(request: SignMessageInput): string {
  assertKnownOptions(request, SIGN_INPUT);
  const { message, scriptPubKey, provider, version = 0, locktime = 0, sequence = 0, coins = [], ecc } = request;
  const format = chooseFormat(request);
  const toSpend = messageToSpend(message, scriptPubKey);
  const outpoint = messageOutpoint(toSpend);
  const unsigned: Transaction = {
    version,
    inputs: [unsignedInput(outpoint, sequence), ...coins.map((coin) => unsignedInput(coin.outpoint))],
    outputs: [UNSPENDABLE],
    locktime,
  };
  const prevouts = [{ value: 0n, scriptPubKey, outpoint, transaction: toSpend }, ...coins];
  const { tx, inputs } = signTransactionWith(() => provider, { tx: unsigned, prevouts, ...(ecc && { ecc }) });
  const inputIndex = inputs.findIndex(({ kind }) => kind !== 'complete');
  if (inputIndex >= 0) {
    const what = inputIndex === 0 ? 'the address' : `coin ${inputIndex} of ${coins.length}`;
    throw new BtcError(
      'message/incomplete',
      { inputIndex },
      `Cannot sign for ${what}: pass every key and script it needs, and the lock times its script checks`,
    );
  }
  return PREFIXES[format] + formatBase64(encodeSigned(tx, format, prevouts));
}

function chooseFormat({
  scriptPubKey,
  format,
  version = 0,
  locktime = 0,
  sequence = 0,
  coins = [],
}: SignMessageInput): keyof typeof PREFIXES {
  const fitsSimple =
    version === 0 &&
    locktime === 0 &&
    sequence === 0 &&
    coins.length === 0 &&
    parseWitnessProgram(scriptPubKey) !== undefined;
  if (format === 'simple' && !fitsSimple) {
    const message = 'A simple signature is for a segwit address only, without locks and coins: choose the full format';
    throw new BtcError('message/format', {}, message);
  }
  if (coins.length > 0) return 'proof-of-funds';
  return format ?? (fitsSimple ? 'simple' : 'full');
}

function encodeSigned(tx: Transaction, format: keyof typeof PREFIXES, prevouts: readonly ProvenCoin[]): Uint8Array {
  if (format === 'full') return encodeTransaction(tx);
  if (format === 'simple') return encode(witnessCodec, tx.inputs[0]?.witness ?? []);
  const psbt = createPsbt({ ...tx, inputs: tx.inputs.map(withoutSpend) });
  const inputs = tx.inputs.flatMap((input, i) => {
    const coin = prevouts[i];
    return coin ? [finalInput(input, coin)] : [];
  });
  return encodePsbt({ ...psbt, inputs });
}

const withoutSpend = ({ outpoint, sequence }: TxIn): TxIn => unsignedInput(outpoint, sequence);

function finalInput(
  { scriptSig, witness }: TxIn,
  { value, scriptPubKey, outpoint, transaction }: ProvenCoin,
): PsbtInput {
  const creates = transaction && txid(transaction).every((byte, i) => byte === outpoint.txid[i]);
  return {
    ...(witness.length > 0 ? { witnessUtxo: { value, scriptPubKey } } : creates && { nonWitnessUtxo: transaction }),
    ...(scriptSig.length > 0 && { finalScriptSig: scriptSig }),
    ...(witness.length > 0 && { finalScriptWitness: witness }),
  };
}
