import { assertText } from '../../core/bytes/assertText.ts';
import { formatBase64 } from '../../core/bytes/base64.ts';
import { encode } from '../../core/bytes/codec.ts';
import { assertKnownOptions, invalidOption, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { hasHalfCharacter } from '../../core/bytes/utf8.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import type { Derived } from '../../core/descriptors/derive.ts';
import { BtcError } from '../../core/errors.ts';
import { type Network, type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';
import { encodePsbt } from '../../core/psbt/format/encodePsbt.ts';
import type { PsbtInput } from '../../core/psbt/format/types.ts';
import { createPsbt } from '../../core/psbt/roles/creator.ts';
import { classifyScript } from '../../core/script/template.ts';
import { createDescriptorProvider, type SigningProvider } from '../../core/signing/signingProvider.ts';
import { signTransactionWith } from '../../core/signing/signTransaction.ts';
import { encodeTransaction, witnessCodec } from '../../core/tx/codec.ts';
import { messageOutpoint, messageToSpend, UNSPENDABLE, unsignedInput } from '../../core/tx/message.ts';
import { txid } from '../../core/tx/txid.ts';
import type { Outpoint, Transaction, TxIn, TxOut } from '../../core/tx/types.ts';
import { isPlain, PREFIXES, shortestFormat } from './formats.ts';
import { signBip137, signLegacyMessage } from './legacyMessage.ts';

/** A coin that a proof of funds shows. */
export interface ProvenCoin extends TxOut {
  readonly outpoint: Outpoint;
  /** The transaction that created the coin; verifiers may need it unless the coin is segwit. */
  readonly transaction?: Transaction;
}

/** An address of an account, or a script with what finds its keys and scripts, and those of coins. */
export type MessageAddress =
  | { readonly scriptPubKey: Uint8Array; readonly derived: Derived; readonly network?: Network }
  | { readonly scriptPubKey: Uint8Array; readonly provider: SigningProvider };

/** A message to sign, and the keys that sign it. */
export interface SignMessageInput {
  readonly message: string;
  /** The signing address, which an account of private keys derives; or its script, and what finds keys and scripts. */
  readonly from: MessageAddress;
  /** Default `simple` for segwit without any option below; else `full`. `legacy` is for the address of one key only. */
  readonly format?: 'simple' | 'full' | 'legacy';
  /** False for verifiers of the drafts of BIP322, such as bip322-js, which refuse its letters. Default true. */
  readonly prefix?: boolean;
  /** Of `legacy`, whose digest depends on it. Default: that of the account's address, else `main`. */
  readonly network?: NetworkOption;
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
  message: 'needed',
  from: 'needed',
  format: true,
  prefix: true,
  network: true,
  version: true,
  locktime: true,
  sequence: true,
  coins: true,
  ecc: true,
};

/**
 * Signs a message for any address. Returns base64, after the prefix of a BIP322 format: `smp`, `ful` or `pof`.
 * @throws `message/incomplete` if keys or scripts are missing; `message/format` for an address or options that the format
 * does not have
 * @see BIP322 "Signing", BIP137
 *
 * @example
 * ```ts
 * import { accountFromWords } from 'countersign';
 * import { signMessage } from 'countersign/message';
 *
 * // Worthless: the whole world knows these words.
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`);
 * signMessage({ message: 'hello', from: me.receive(0) }).slice(0, 3); // smp
 * ```
 */
export function signMessage(request: SignMessageInput): string {
  assertKnownOptions(request, SIGN_INPUT);
  assertRequest(request);
  const { message, from, version = 0, locktime = 0, sequence = 0, coins = [], prefix = true, ecc } = request;
  const { scriptPubKey } = from;
  const provider = 'provider' in from ? from.provider : createDescriptorProvider([from.derived]);
  const format = chooseFormat(request);
  if (format === 'legacy') return signForKey(request, provider);
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
    throw incomplete(inputIndex, what);
  }
  return (prefix ? PREFIXES[format] : '') + formatBase64(encodeSigned(tx, format, prevouts));
}

const FORMATS: readonly unknown[] = ['simple', 'full', 'legacy', undefined];

export function assertMessage(message: string): void {
  assertText('message', message);
  if (hasHalfCharacter(message)) throw invalidOption('message', 'has half a character (a lone surrogate)');
}

function assertRequest({ message, from, format }: SignMessageInput): void {
  assertMessage(message);
  const isAddress = typeof from === 'object' && from !== null && ('derived' in from || 'provider' in from);
  if (!isAddress) throw invalidOption('from', 'must be an address of an account, or a script with its provider');
  if (FORMATS.includes(format)) return;
  throw new BtcError('message/format', {}, 'There is no such format of signed messages: choose simple, full or legacy');
}

/** @throws `message/incomplete`, `message/format` */
function signForKey({ message, from, network, ecc = nobleEcc }: SignMessageInput, provider: SigningProvider): string {
  const ofAddress = 'network' in from ? from.network : undefined;
  const signing = { network: resolveNetwork(network ?? ofAddress ?? 'main'), ecc };
  const template = classifyScript(from.scriptPubKey);
  const nested = template.type === 'scripthash' ? provider.script(template.hash) : undefined;
  const inner = nested ? classifyScript(nested) : template;
  const hash =
    inner.type === 'witness_v0_keyhash' ? inner.program : template.type === 'pubkeyhash' ? template.hash : undefined;
  if (template.type === 'scripthash' && !nested) throw incomplete(0, 'the address');
  if (!hash) {
    const message = 'A legacy signature is for P2PKH, P2WPKH and P2SH-P2WPKH addresses: choose a format of BIP322';
    throw new BtcError('message/format', {}, message);
  }
  const key = provider.key(hash);
  if (!key) throw incomplete(0, 'the address');
  const kind = nested ? 'sh(wpkh)' : template.type === 'pubkeyhash' ? 'pkh' : 'wpkh';
  const isCompressed = key.publicKey.length === 33;
  return kind === 'pkh'
    ? signLegacyMessage(message, { secretKey: key.secretKey, isCompressed }, signing.network, { ecc })
    : formatBase64(signBip137(message, key.secretKey, { ...signing, kind }));
}

const incomplete = (inputIndex: number, what: string): BtcError =>
  new BtcError(
    'message/incomplete',
    { inputIndex },
    `Cannot sign for ${what}: pass every key and script it needs, and the lock times its script checks`,
  );

type Format = Exclude<SignMessageInput['format'], undefined> | 'proof-of-funds';

function chooseFormat({
  from: { scriptPubKey },
  format,
  version = 0,
  locktime = 0,
  sequence = 0,
  coins = [],
}: SignMessageInput): Format {
  const form = { scriptPubKey, version, locktime, sequence, coins };
  const shortest = shortestFormat(form);
  if (format === 'legacy' && !isPlain(form)) {
    const message = 'A legacy signature has neither locks nor coins: choose a format of BIP322';
    throw new BtcError('message/format', {}, message);
  }
  if (format === 'simple' && shortest !== 'simple') {
    const message = 'A simple signature is for a segwit address only, without locks and coins: choose the full format';
    throw new BtcError('message/format', {}, message);
  }
  return shortest === 'proof-of-funds' ? shortest : (format ?? shortest);
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
