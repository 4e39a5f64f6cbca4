import { formatBase64 } from '../../core/bytes/base64.ts';
import { encode } from '../../core/bytes/codec.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { BtcError } from '../../core/errors.ts';
import { encodePsbt } from '../../core/psbt/format/encodePsbt.ts';
import { claimedCoin } from '../../core/psbt/format/inputCoin.ts';
import { type AnyPsbt, readPsbt } from '../../core/psbt/format/parsePsbt.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { toPsbtV0 } from '../../core/psbt/format/version.ts';
import { createPsbt } from '../../core/psbt/roles/creator.ts';
import { extractTransaction } from '../../core/psbt/roles/extractor.ts';
import type { SessionOptions } from '../../core/signing/sessionOptions.ts';
import { encodeTransaction, witnessCodec } from '../../core/tx/codec.ts';
import { messageOutpoint, messageToSpend, paysNothing, UNSPENDABLE, unsignedInput } from '../../core/tx/message.ts';
import { PREFIXES, shortestFormat } from './formats.ts';
import { assertMessage } from './signMessage.ts';

/**
 * Creates a PSBT that signs a message for an address, with the text in it: for signers who share the address, or keys elsewhere.
 * @throws `argument/invalid` for a text with half a character
 * @see BIP322 "PSBT creator"
 *
 * @example
 * ```ts
 * import { accountFromWords, reviewWith } from 'countersign';
 * import { messagePsbt } from 'countersign/message';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`);
 * const { purpose } = reviewWith(me, messagePsbt('hello', me.receive(0).scriptPubKey));
 * purpose.kind; // message
 * ```
 */
export function messagePsbt(message: string, scriptPubKey: Uint8Array): Psbt {
  assertMessage(message);
  const toSpend = messageToSpend(message, scriptPubKey);
  const inputs = [unsignedInput(messageOutpoint(toSpend))];
  const psbt = createPsbt({ version: 0, inputs, outputs: [UNSPENDABLE], locktime: 0 });
  const global = { ...psbt.global, signedMessage: encodeUtf8(message) };
  return { ...psbt, global, inputs: [{ nonWitnessUtxo: toSpend }] };
}

/**
 * Formats the signature of a message that was signed as a PSBT, in the form that `signMessage` chooses: the prefix, and base64.
 * @throws `psbt/not-final` unless all inputs are final; `message/format` for a PSBT that signs no message
 * @see BIP322 "PSBT finalizer"
 *
 * @example
 * ```ts
 * import { accountFromWords, parsePsbt, reviewWith, signWith } from 'countersign';
 * import { formatMessagePsbt, messagePsbt } from 'countersign/message';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`);
 * const psbt = messagePsbt('hello', me.receive(0).scriptPubKey);
 * reviewWith(me, psbt).purpose.kind; // message
 * formatMessagePsbt(signWith(me, psbt).psbt).slice(0, 3); // smp
 * ```
 */
export function formatMessagePsbt(given: AnyPsbt, options: SessionOptions = {}): string {
  const psbt = readPsbt(given);
  const tx = extractTransaction(psbt, options);
  const scriptPubKey = claimedCoin(psbt, 0)?.scriptPubKey;
  const [first, ...coins] = tx.inputs;
  if (!first || !scriptPubKey || !paysNothing(tx)) {
    throw new BtcError('message/format', {}, 'The PSBT signs no message: its transaction is a payment');
  }
  const { version, locktime } = tx;
  const format = shortestFormat({ scriptPubKey, version, locktime, sequence: first.sequence, coins });
  const bytes =
    format === 'proof-of-funds'
      ? encodePsbt(toPsbtV0(psbt))
      : format === 'simple'
        ? encode(witnessCodec, first.witness)
        : encodeTransaction(tx);
  return PREFIXES[format] + formatBase64(bytes);
}
