import { assertBytes } from '../../core/bytes/assertBytes.ts';
import { bytesKey } from '../../core/bytes/compare.ts';
import { joinBytes } from '../../core/bytes/joinBytes.ts';
import { assertKnownOptions, assertShape, isObject, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { readBytes, readU8, remaining } from '../../core/bytes/reader.ts';
import { decodeUtf8WithoutMark, encodeUtf8 } from '../../core/bytes/utf8.ts';
import { parsed, TYPE } from '../../core/dnssec/chain.ts';
import { DnssecError, type DnssecFault } from '../../core/dnssec/fault.ts';
import { type Resolved, resolveName } from '../../core/dnssec/resolve.ts';
import type { KeyDigest } from '../../core/dnssec/zoneKey.ts';
import { unlessRefused } from '../../core/errors.ts';
import { type Network, type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';
import { type NameFault, type NameProof, type NameRecord, plainName } from '../../core/review/paymentName.ts';
import { isPaymentUri, type PaymentUri, parsePaymentUri } from '../payment/paymentUri.ts';
import { ROOT_ANCHORS } from './anchors.ts';
import { parsePaymentName } from './paymentName.ts';

/** Options of `proveName`. */
export interface NameOptions {
  /** The time in Unix seconds. Without it, nothing is called proven. */
  readonly now?: number;
  /** Of the addresses. Default `main`. */
  readonly network?: NetworkOption;
  /** Trusted in the place of the root keys of the domain name system, such as for a root of tests. */
  readonly anchors?: readonly KeyDigest[];
}

/** A payment name, and the proof that a resolver has fetched. */
export interface NameToProve {
  /** Bytes as in a PSBT, or text such as `alice@example.com`, with or without ₿. */
  readonly name: Uint8Array | string;
  /** The records of an RFC 9102 `AuthenticationChain`, in any order. */
  readonly proof: Uint8Array;
}

const OPTIONS: OptionNames<NameOptions> = { now: true, network: true, anchors: true };
const RECORD: OptionNames<NameToProve> = { name: 'needed', proof: 'needed' };

/**
 * Verifies that the owner of a domain has set a payment name: follows the DNSSEC signatures of the proof from the keys of the root
 * down to the name, and reads the payment URI that it has. Nothing is asked of a network; the proof is what a resolver gave.
 * Pass it to a review, which compares the payment with the output: `(record, network) => proveName(record, { network, now })`.
 *
 * @throws `argument/invalid`, `network/unknown`; never for what the record holds
 * @see BIP353 "Resolution", "PSBT types"; RFC 9102 "DNSSEC Authentication Chain"; RFC 4035 §5
 *
 * @example
 * ```ts
 * import { proveName } from 'countersign/names';
 *
 * // This proof ends within its first record.
 * const proof = Uint8Array.of(5, 0x61, 0x6c, 0x69, 0x63, 0x65);
 * const outcome = proveName({ name: 'alice@example.com', proof }, { now: Math.floor(Date.now() / 1000) });
 * outcome.status; // unreadable
 * ```
 */
export function proveName(given: NameToProve, options: NameOptions = {}): NameProof<PaymentUri> {
  assertKnownOptions(given, RECORD, 'record.');
  const { name: text, proof } = given;
  if (typeof text !== 'string') assertBytes('record.name', text);
  assertBytes('record.proof', proof);
  assertKnownOptions(options, OPTIONS);
  const { now, anchors = ROOT_ANCHORS } = options;
  const network = resolveNetwork(options.network ?? 'main');
  assertShape('now', now === undefined || isTime(now), 'a Unix time in seconds: Math.floor(Date.now() / 1000)');
  assertShape('anchors', Array.isArray(anchors) && anchors.every(isObject), 'a list of key digests');
  const name = parsePaymentName(typeof text === 'string' ? plainName(text) : bytesKey(text));
  if (!name) return { status: 'refuted', fault: 'name' };
  const resolved = unlessFaulty(() => resolveName(proof, { name: name.domainName, type: TYPE.TXT, anchors }));
  if (resolved instanceof DnssecError) return faulty(resolved);
  const payment = unlessFaulty(() => paymentIn(resolved.records, network));
  if (payment instanceof DnssecError) return faulty(payment);
  if (typeof payment === 'string') return { status: 'refuted', fault: payment };
  const { from, until, ttl, isWildcard } = resolved;
  const { isPunycode } = name;
  const record: NameRecord = { name: encodeUtf8(name.name), proof };
  return {
    status: timeStatus(now, resolved),
    name: name.name,
    isPunycode,
    isWildcard,
    from,
    until,
    ttl,
    record,
    payment,
  };
}

/** Milliseconds would be a time at which every proof has expired. */
const isTime = (now: unknown): boolean => typeof now === 'number' && now >= 0 && now < 2 ** 32;

const timeStatus = (now: number | undefined, { from, until }: Pick<Resolved, 'from' | 'until'>) =>
  now === undefined ? 'no-clock' : now < from ? 'early' : now > until ? 'expired' : 'proven';

/** `unreadable` says that a proof cannot be read, or goes beyond what is accepted here, and not that it is false. */
const STATUS: Readonly<Record<DnssecFault, 'refuted' | 'unreadable'>> = {
  malformed: 'unreadable',
  size: 'unreadable',
  work: 'unreadable',
  unsupported: 'unreadable',
  'key-tag': 'unreadable',
  alias: 'unreadable',
  missing: 'refuted',
  unsigned: 'refuted',
  signature: 'refuted',
  key: 'refuted',
  wildcard: 'refuted',
  denial: 'refuted',
};

const faulty = ({ fault, at }: DnssecError): NameProof<never> => ({
  status: STATUS[fault],
  fault,
  ...(at !== undefined && { at }),
});

function unlessFaulty<T>(work: () => T): T | DnssecError {
  try {
    return work();
  } catch (error) {
    if (error instanceof DnssecError) return error;
    throw error;
  }
}

/** Takes the only text that is a payment URI: others may be about anything. @see BIP353 "Resolution" */
function paymentIn(records: readonly Uint8Array[], network: Network): PaymentUri | NameFault {
  const [uri, ...others] = records.map(textIn).filter((text) => isPaymentUri(bytesKey(text), network));
  if (!uri) return 'none';
  if (others.length > 0) return 'several';
  const text = decodeUtf8WithoutMark(uri);
  return text === undefined ? 'uri' : (unlessRefused(() => parsePaymentUri(text, { network })) ?? 'uri');
}

/** Joins the strings of a TXT record. @see RFC 1035 §3.3.14 */
const textIn = (record: Uint8Array): Uint8Array =>
  parsed(record, (reader) => {
    const parts: Uint8Array[] = [];
    while (remaining(reader) > 0) parts.push(readBytes(reader, readU8(reader)));
    return joinBytes(parts);
  });
