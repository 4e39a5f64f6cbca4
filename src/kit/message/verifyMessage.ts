import { parseAddress } from '../../core/address/address.ts';
import { assertText } from '../../core/bytes/assertText.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { hasHalfCharacter } from '../../core/bytes/utf8.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import type { ScriptFailure } from '../../core/interpreter/result.ts';
import { type Network, type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';
import { classifyScript, isPayToScriptHash, parseWitnessProgram } from '../../core/script/template.ts';
import { checkTransaction } from '../../core/tx/check.ts';
import { messageOutpoint, messageToSpend, paysNothing } from '../../core/tx/message.ts';
import { outpointKey } from '../../core/tx/txid.ts';
import type { Outpoint, TxOut } from '../../core/tx/types.ts';
import { decodeBase64, decodeSigned, type Signed } from './decodeSigned.ts';
import type { Bip322Format, MessageFormat } from './formats.ts';
import {
  isOtherKeyForm,
  isRecoverable,
  judgeSegwitMessage,
  SIGNATURE_SIZE,
  verifyLegacyMessage,
} from './legacyMessage.ts';
import { otherMessage, scriptFault } from './messageFault.ts';

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
  /** The message has half a character (a lone surrogate), which nobody can sign. */
  | 'text'
  /** Not base64: damaged, or cut off. */
  | 'base64'
  /** Base64 of no known format, or not of the one that its prefix states. */
  | 'encoding'
  /** The format is not for this kind of address. */
  | 'address'
  /** By the key of the address, but the header names another kind of address. */
  | 'header'
  /** By the keys or script of the address, for another message; or damaged. */
  | 'message'
  /** By the key or script of another address. */
  | 'key'
  /** For another message, or by another key: the signature does not tell which. */
  | 'signature'
  /** For this message, but the transaction or its coins are not what was signed; or damaged. */
  | 'changed'
  /** It leaves parts of its transaction open: the hash type is neither ALL nor DEFAULT. */
  | 'sighash-type'
  /** The transaction signs no message, but pays something. */
  | 'transaction'
  /** The script of the address or of a coin fails, whatever was signed, such as for a lock. */
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
      /** The lock time and sequence from which the signature is valid; 0 but for `full` and `proof-of-funds`. */
      readonly locktime: number;
      readonly sequence: number;
      /** The coins of a proof of funds. */
      readonly coins: readonly (TxOut & { readonly outpoint: Outpoint })[];
    }
  | { readonly kind: 'inconclusive'; readonly format: MessageFormat; readonly reason: 'upgradable' | 'coins' }
  | {
      readonly kind: 'invalid';
      readonly reason: Exclude<MessageFault, 'upgradable' | 'coins'>;
      /** The format, as far as the signature shows one; `legacy` for any from which a key is recovered. */
      readonly format?: MessageFormat;
      /** The failed script and its input, which is 0 for the address. */
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
  if (hasHalfCharacter(message)) return { kind: 'invalid', reason: 'text' };
  const recoverable = judgeRecoverable(request);
  if (recoverable === undefined) {
    const signed = decodeSigned(signature, messageToSpend(message, scriptPubKey));
    return 'tx' in signed ? judge(signed, request) : { kind: 'invalid', ...signed };
  }
  return 'format' in recoverable
    ? { kind: 'valid', ...recoverable, locktime: 0, sequence: 0, coins: [] }
    : { kind: 'invalid', format: 'legacy', ...recoverable };
}

interface Request extends VerifyMessageInput {
  readonly network: Network;
  readonly scriptPubKey: Uint8Array;
}

type Recoverable =
  | { readonly format: Exclude<MessageFormat, Bip322Format> }
  | { readonly reason: 'address' | 'header' | 'signature' };

/** Returns `undefined` for another kind of signature. */
function judgeRecoverable({ message, scriptPubKey, network, ...request }: Request): Recoverable | undefined {
  const signature = decodeBase64(request.signature);
  if (!signature) return undefined;
  const signed = { message, signature, network };
  const template = classifyScript(scriptPubKey);
  if (signature.length === SIGNATURE_SIZE && template.type === 'pubkeyhash') {
    const ofKey = { ...signed, keyHash: template.hash };
    if (verifyLegacyMessage(ofKey)) return { format: 'legacy' };
    return { reason: isOtherKeyForm(ofKey) ? 'header' : 'signature' };
  }
  if (!isRecoverable(signature)) return undefined;
  if (template.type !== 'witness_v0_keyhash' && template.type !== 'scripthash') return { reason: 'address' };
  const verdict =
    template.type === 'scripthash'
      ? judgeSegwitMessage({ ...signed, kind: 'p2sh-p2wpkh', hash: template.hash })
      : judgeSegwitMessage({ ...signed, kind: 'p2wpkh', hash: template.program });
  return verdict === 'bip137' || verdict === 'electrum' ? { format: verdict } : { reason: verdict ?? 'signature' };
}

function judge({ format, tx, claimed }: Signed, request: Request): MessageOutcome {
  const { message, scriptPubKey, network, coinOf, ecc = nobleEcc } = request;
  const invalid = (reason: InvalidReason): MessageOutcome => ({ kind: 'invalid', reason, format });
  const [first, ...others] = tx.inputs;
  if (format === 'simple' && !hasWitness(scriptPubKey)) return invalid('address');
  if (!first || !paysNothing(tx) || checkTransaction(tx, { maxMoney: network.maxMoney }) !== undefined) {
    return invalid('transaction');
  }
  const expected = messageOutpoint(messageToSpend(message, scriptPubKey));
  if (outpointKey(first.outpoint) !== outpointKey(expected)) return invalid(otherMessage(first, scriptPubKey));

  const unspent = others.map(({ outpoint }) => coinOf?.(outpoint));
  const coins = others.flatMap(({ outpoint }, i) => {
    const coin = unspent[i] ?? claimed.get(outpointKey(outpoint));
    return coin ? [{ ...coin, outpoint }] : [];
  });
  // Without a coin, neither its script nor any Schnorr signature can be checked.
  if (coins.length < others.length) return { kind: 'inconclusive', format, reason: 'coins' };
  const fault = scriptFault(tx, [{ value: 0n, scriptPubKey }, ...coins], ecc);
  if (fault) {
    const { reason, ...where } = fault;
    if (reason === 'upgradable') return { kind: 'inconclusive', format, reason };
    // The simple form does not state which message it is for.
    const isForOther = reason === 'changed' && format === 'simple';
    return { kind: 'invalid', reason: isForOther ? otherMessage(first, scriptPubKey) : reason, format, ...where };
  }
  if (tx.version !== 0 && tx.version !== 2) return { kind: 'inconclusive', format, reason: 'upgradable' };
  if (unspent.includes(undefined)) return { kind: 'inconclusive', format, reason: 'coins' };
  return { kind: 'valid', format, locktime: tx.locktime, sequence: first.sequence, coins };
}

type InvalidReason = Extract<MessageOutcome, { kind: 'invalid' }>['reason'];

const hasWitness = (scriptPubKey: Uint8Array): boolean =>
  isPayToScriptHash(scriptPubKey) || parseWitnessProgram(scriptPubKey) !== undefined;
