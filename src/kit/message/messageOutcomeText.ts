import { scriptErrorText } from '../../core/interpreter/result.ts';
import type { MessageFormat } from './formats.ts';
import type { MessageFault, MessageOutcome } from './verifyMessage.ts';

const FORMATS: Readonly<Record<MessageFormat, string>> = {
  legacy: 'legacy, as Bitcoin Core signs',
  bip137: 'legacy, as BIP137 signs segwit',
  electrum: 'legacy, as Electrum signs segwit',
  simple: 'BIP322, simple',
  full: 'BIP322, full',
  'proof-of-funds': 'BIP322, proof of funds',
};

const REASONS: Readonly<Record<Exclude<MessageFault, 'coins'>, string>> = {
  text: 'the message has half a character, which nobody can sign',
  base64: 'the signature is not base64: copy all of it again',
  encoding: 'the base64 holds no such signature: copy all of it again',
  address: 'this kind of address has no such signatures; ask for BIP322',
  header: 'the key is right, but signed for another kind of its addresses',
  message: 'by the keys of the address, but for another message; or damaged',
  key: 'by a key or script that is not that of the address',
  signature: 'for another message, or by a key that is not that of the address',
  changed: 'for this message, but not for this transaction and its coins',
  'sighash-type': 'the hash type leaves parts open: it must be ALL or DEFAULT',
  transaction: 'what was signed is a payment, not a message',
  script: 'the script fails',
  upgradable: 'it uses features reserved for future upgrades',
};

/** Says whether a signature is valid, of which form it is, and why not. `coinsAdvice` says how to confirm the coins of a proof. */
export function messageOutcomeText(outcome: MessageOutcome, coinsAdvice: string): string {
  const { kind, format } = outcome;
  const form = format === undefined ? '' : ` (${invalidForm(outcome) ?? FORMATS[format]})`;
  if (outcome.kind !== 'valid') {
    const { failure, inputIndex = 0 } = outcome.kind === 'invalid' ? outcome : {};
    const place = inputIndex > 0 ? `coin ${inputIndex} of the proof: ` : '';
    const error = failure && outcome.reason === 'script' ? `: ${scriptErrorText(failure.error)}` : '';
    const reason = outcome.reason === 'coins' ? coinsAdvice : REASONS[outcome.reason];
    return `${kind}${form}: ${place}${reason}${error}`;
  }
  const { locktime, sequence, coins } = outcome;
  const locks = locktime > 0 || sequence > 0 ? ` from lock time ${locktime} and sequence ${sequence} on` : '';
  const proof = coins.length > 0 ? `, with ${coins.reduce((sum, { value }) => sum + value, 0n)} satoshi` : '';
  return `valid${locks}${proof}${form}`;
}

/** Which of the legacy forms it is shows only once the key is right. */
const invalidForm = ({ kind, format }: MessageOutcome): string | undefined =>
  kind === 'invalid' && format === 'legacy' ? 'legacy' : undefined;
