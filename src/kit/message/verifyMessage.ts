import { parseAddress } from '../../core/address/address.ts';
import { assertText } from '../../core/bytes/assertText.ts';
import { parseBase64 } from '../../core/bytes/base64.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { assertEnd, createReader } from '../../core/bytes/reader.ts';
import { hasHalfCharacter } from '../../core/bytes/utf8.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { unlessRefused } from '../../core/errors.ts';
import type { SignatureChecker } from '../../core/interpreter/checker.ts';
import type { ScriptFailure } from '../../core/interpreter/result.ts';
import { transactionChecker } from '../../core/interpreter/transactionChecker.ts';
import { verifyScript } from '../../core/interpreter/verifyScript.ts';
import { type Network, type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';
import { decodePsbtBytes } from '../../core/psbt/format/decodePsbt.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { classifyScript } from '../../core/script/template.ts';
import { sighashMidstate } from '../../core/sighash/midstate.ts';
import { SIGHASH } from '../../core/sighash/sighashType.ts';
import { checkTransaction } from '../../core/tx/check.ts';
import { decodeTransaction, witnessCodec } from '../../core/tx/codec.ts';
import { messageOutpoint, messageToSpend, paysNothing, UNSPENDABLE, unsignedInput } from '../../core/tx/message.ts';
import { outpointKey, txid } from '../../core/tx/txid.ts';
import type { Outpoint, OutpointKey, Transaction, TxOut } from '../../core/tx/types.ts';
import { type MessageFormat, PREFIXES } from './formats.ts';
import { isRecoverable, SIGNATURE_SIZE, verifyLegacyMessage, verifySegwitMessage } from './legacyMessage.ts';

/** A signed message, and the address that is said to have signed it. */
export interface VerifyMessageInput {
  readonly message: string;
  /** Base64, with or without a prefix. */
  readonly signature: string;
  readonly address: string;
  /** Default `main`. */
  readonly network?: NetworkOption;
  /** Finds an unspent output. Without it, no proof of funds is valid, as its coins may be spent or invented. */
  readonly coinOf?: (outpoint: Outpoint) => TxOut | undefined;
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc;
}

const VERIFY_INPUT: OptionNames<VerifyMessageInput> = {
  message: 'needed',
  signature: 'needed',
  address: 'needed',
  network: true,
  coinOf: true,
  ecc: true,
};

/** The reason why a signature is not valid, or inconclusive. */
export type MessageFault =
  /** Not base64 of a known format. */
  | 'encoding'
  /** The transaction does not sign this message for this address. */
  | 'transaction'
  /** A script fails, usually since message, address or key differ. */
  | 'script'
  /** Later rules may define the script or version. */
  | 'upgradable'
  /** The caller has not confirmed coins as unspent. */
  | 'coins';

/** The outcome of verifying a signed message. */
export type MessageOutcome =
  | {
      readonly kind: 'valid';
      readonly format: MessageFormat;
      /** The lock time and sequence from which the signature is valid; 0 if simple or legacy. */
      readonly locktime: number;
      readonly sequence: number;
      /** The coins of a proof of funds. */
      readonly coins: readonly (TxOut & { readonly outpoint: Outpoint })[];
    }
  | { readonly kind: 'inconclusive'; readonly reason: 'upgradable' | 'coins' }
  | {
      readonly kind: 'invalid';
      readonly reason: Exclude<MessageFault, 'upgradable' | 'coins'>;
      /** The failed script and its input. */
      readonly failure?: ScriptFailure;
      readonly inputIndex?: number;
    };

/**
 * Verifies a signed message of any format. No signature makes it throw: they come from outside.
 * @throws `address/*`, `base58/invalid`, `bech32/invalid` for a text that is not an address of the network
 * @see BIP322 "Verification", BIP137
 *
 * @example
 * ```ts
 * import { verifyMessage } from 'countersign/message';
 *
 * const address = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs';
 * verifyMessage({ message: 'hello', signature: 'smpAA==', address }).kind; // invalid
 * ```
 */
export function verifyMessage(input: VerifyMessageInput): MessageOutcome {
  assertKnownOptions(input, VERIFY_INPUT);
  for (const name of ['message', 'signature', 'address'] as const) assertText(name, input[name]);
  const network = resolveNetwork(input.network ?? 'main');
  const request = { ...input, network, scriptPubKey: parseAddress(input.address, network) };
  const { message, signature, scriptPubKey } = request;
  if (hasHalfCharacter(message)) return { kind: 'invalid', reason: 'encoding' };
  const isValid = verifyRecoverable(request);
  if (isValid !== undefined) {
    return isValid ? { ...NO_LOCKS, format: 'legacy', coins: [] } : { kind: 'invalid', reason: 'script' };
  }
  const signed = decodeSigned(signature, messageToSpend(message, scriptPubKey));
  return signed ? judge(signed, request) : { kind: 'invalid', reason: 'encoding' };
}

interface Request extends VerifyMessageInput {
  readonly network: Network;
  readonly scriptPubKey: Uint8Array;
}

/** Returns `undefined` for another kind of signature or address. */
function verifyRecoverable({ message, scriptPubKey, network, ...request }: Request): boolean | undefined {
  const signature = decodeBase64(request.signature);
  if (!signature) return undefined;
  const signed = { message, signature, network };
  const template = classifyScript(scriptPubKey);
  if (signature.length === SIGNATURE_SIZE && template.type === 'pubkeyhash') {
    return verifyLegacyMessage({ ...signed, keyHash: template.hash });
  }
  if (!isRecoverable(signature)) return undefined;
  if (template.type === 'witness_v0_keyhash') {
    return verifySegwitMessage({ ...signed, kind: 'p2wpkh', hash: template.program });
  }
  if (template.type !== 'scripthash') return undefined;
  return verifySegwitMessage({ ...signed, kind: 'p2sh-p2wpkh', hash: template.hash });
}

const NO_LOCKS = { kind: 'valid', locktime: 0, sequence: 0 } as const;
const decodeBase64 = (text: string): Uint8Array | undefined => unlessRefused(() => parseBase64(text));

interface Signed {
  readonly format: Exclude<MessageFormat, 'legacy'>;
  readonly tx: Transaction;
  readonly claimed: ReadonlyMap<OutpointKey, TxOut>;
}

const NO_CLAIMS: ReadonlyMap<OutpointKey, TxOut> = new Map();

function decodeSigned(text: string, toSpend: Transaction): Signed | undefined {
  const decoders: readonly (readonly [prefix: string, decode: (bytes: Uint8Array) => Signed])[] = [
    [PREFIXES.simple, (bytes) => ({ format: 'simple', tx: simpleSpend(bytes, toSpend), claimed: NO_CLAIMS })],
    [PREFIXES.full, (bytes) => ({ format: 'full', tx: decodeTransaction(bytes), claimed: NO_CLAIMS })],
    [PREFIXES['proof-of-funds'], (bytes) => decodeProof(bytes)],
  ];
  const chosen = decoders.find(([prefix]) => text.startsWith(prefix));
  if (chosen) {
    const [prefix, decode] = chosen;
    const bytes = decodeBase64(text.slice(prefix.length));
    const signed = bytes && unlessRefused(() => decode(bytes));
    if (signed) return signed;
  }
  // Early drafts of BIP322 had no prefixes, and a prefix is itself base64.
  const bytes = decodeBase64(text);
  if (!bytes) return undefined;
  for (const [, decode] of decoders) {
    const signed = unlessRefused(() => decode(bytes));
    if (signed) return signed;
  }
  return undefined;
}

function simpleSpend(bytes: Uint8Array, toSpend: Transaction): Transaction {
  const reader = createReader(bytes);
  const witness = witnessCodec.read(reader);
  assertEnd(reader);
  const input = { ...unsignedInput(messageOutpoint(toSpend)), witness };
  return { version: 0, inputs: [input], outputs: [UNSPENDABLE], locktime: 0 };
}

function decodeProof(bytes: Uint8Array): Signed {
  const psbt = decodePsbtBytes(bytes);
  const unsigned = psbt.global.unsignedTx;
  const inputs = (unsigned?.inputs ?? []).map((input, i) => {
    const { finalScriptSig = input.scriptSig, finalScriptWitness = [] } = psbt.inputs[i] ?? {};
    return { ...input, scriptSig: finalScriptSig, witness: finalScriptWitness };
  });
  const tx = { version: 0, outputs: [], locktime: 0, ...unsigned, inputs };
  return { format: 'proof-of-funds', tx, claimed: claimedOutputs(psbt, tx) };
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

function judge({ format, tx, claimed }: Signed, request: Request): MessageOutcome {
  const { message, scriptPubKey, network, coinOf, ecc = nobleEcc } = request;
  const expected = messageOutpoint(messageToSpend(message, scriptPubKey));
  const [first, ...others] = tx.inputs;
  if (!first || outpointKey(first.outpoint) !== outpointKey(expected)) return OTHER_TRANSACTION;
  if (!paysNothing(tx) || checkTransaction(tx, { maxMoney: network.maxMoney }) !== undefined) return OTHER_TRANSACTION;

  const unspent = others.map(({ outpoint }) => coinOf?.(outpoint));
  const coins = others.flatMap(({ outpoint }, i) => {
    const coin = unspent[i] ?? claimed.get(outpointKey(outpoint));
    return coin ? [{ ...coin, outpoint }] : [];
  });
  // Without a coin, neither its script nor any Schnorr signature can be checked.
  if (coins.length < others.length) return { kind: 'inconclusive', reason: 'coins' };
  const fault = scriptFault(tx, [{ value: 0n, scriptPubKey }, ...coins], ecc);
  if (fault) return fault;
  if (tx.version !== 0 && tx.version !== 2) return { kind: 'inconclusive', reason: 'upgradable' };
  if (unspent.includes(undefined)) return { kind: 'inconclusive', reason: 'coins' };
  return { kind: 'valid', format, locktime: tx.locktime, sequence: first.sequence, coins };
}

const OTHER_TRANSACTION: MessageOutcome = { kind: 'invalid', reason: 'transaction' };

/** BIP322 requires the relay rules. */
function scriptFault(tx: Transaction, prevouts: readonly TxOut[], ecc: Ecc): MessageOutcome | undefined {
  const midstate = sighashMidstate(tx, prevouts);
  let inconclusive: MessageOutcome | undefined;
  for (const [inputIndex, { scriptSig, witness }] of tx.inputs.entries()) {
    const { value, scriptPubKey } = prevouts[inputIndex] ?? UNSPENDABLE;
    const checker = signingAll(transactionChecker({ tx, inputIndex, value, prevouts, midstate, ecc }));
    const outcome = verifyScript({ scriptSig, witness, scriptPubKey, checker, ecc });
    if (outcome.kind === 'valid') continue;
    if (!outcome.error.startsWith('DISCOURAGE_')) {
      return { kind: 'invalid', reason: 'script', failure: outcome, inputIndex };
    }
    inconclusive = { kind: 'inconclusive', reason: 'upgradable' };
  }
  return inconclusive;
}

/** Refuses signatures that do not sign the whole transaction. */
function signingAll(checker: SignatureChecker): SignatureChecker {
  return {
    ...checker,
    checkEcdsa: (signature, ...rest) => signature.at(-1) === SIGHASH.ALL && checker.checkEcdsa(signature, ...rest),
    checkSchnorr: (signature, ...rest) =>
      signature.length === 65 && signature[64] !== SIGHASH.ALL
        ? 'SCHNORR_SIG_HASHTYPE'
        : checker.checkSchnorr(signature, ...rest),
  };
}
