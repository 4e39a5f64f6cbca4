import { parseAddress } from '../address/address.ts';
import { equalBytes } from '../bytes/compare.ts';
import type { DnssecFault } from '../dnssec/fault.ts';
import type { Network } from '../network/networks.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import type { Observation } from './finding.ts';
import type { OutputReview } from './outputs.ts';

/** Stands before a payment name where people see it, and not in records. @see BIP353 "Display" */
export const BITCOIN_SIGN = '₿';

/** Returns a payment name as reviews have it, whether it is written with ₿ or not. */
export const plainName = (text: string): string =>
  (text.startsWith(BITCOIN_SIGN) ? text.slice(BITCOIN_SIGN.length) : text).toLowerCase();

/** Record 0x35 of an output: the payment name, without ₿, and its proof. @see BIP353 "PSBT types" */
export type NameRecord = NonNullable<PsbtOutput['dnssecProof']>;

/**
 * Why a record does not prove its name. Beside the faults of a proof: `name`: it is not a payment name; `none`, `several`: not
 * exactly one text of the name is a payment URI; `uri`: that is not valid, or not for the network.
 */
export type NameFault = DnssecFault | 'name' | 'none' | 'several' | 'uri';

/** What a payment name asks to be paid: any one of its addresses. */
export interface NamedPayment {
  readonly addresses: readonly string[];
  /** Addresses of silent payments. */
  readonly silentPayments: readonly string[];
  /** In satoshi. */
  readonly amount?: bigint;
}

/** A payment name, as a proof has it. */
export interface ProvenName {
  /** Without ₿, in lower case. */
  readonly name: string;
  /** True if the name has letters beyond ASCII, which are shown as they are written: `xn--...`. */
  readonly isPunycode: boolean;
  /** True if the owner of the domain has not set this name, but a wildcard. */
  readonly isWildcard: boolean;
  /** The first and the last Unix second at which all signatures of the proof are valid. */
  readonly from: number;
  readonly until: number;
}

/** What a proof without faults says of a name. */
interface ReadName<Payment extends NamedPayment> extends ProvenName {
  readonly record: NameRecord;
  readonly payment: Payment;
  /** In seconds: how long what the name asks for may be kept, counted from when the proof was fetched. */
  readonly ttl: number;
}

/** A proof without faults whose signatures are not valid at the time, or the time was not given. */
type UndatedName<Payment extends NamedPayment> = ReadName<Payment> & {
  readonly status: 'early' | 'expired' | 'no-clock';
};

/** What a record says of its name. */
export type NameProof<Payment extends NamedPayment = NamedPayment> =
  | (ReadName<Payment> & { readonly status: 'proven' })
  | UndatedName<Payment>
  /** `unreadable`: it may be true, but cannot be read here. `at` names the DNS records at fault, such as `TXT of example.com.` */
  | { readonly status: 'refuted' | 'unreadable'; readonly fault: NameFault; readonly at?: string };

/** Judges the record of an output. `proveName` of `countersign/names`, called with the network and the time, is one. */
export type ProveName = (record: NameRecord, network: Network) => NameProof;

interface NameContext {
  readonly network: Network;
  readonly proveName: ProveName | undefined;
}

interface JudgedName {
  readonly name?: ProvenName;
  readonly observations: readonly Observation[];
}

/** Judges whether an output pays what its name asks for. A name that is not proven is not shown. */
export function judgeName(
  record: NameRecord | undefined,
  output: Pick<OutputReview, 'value' | 'scriptPubKey' | 'silentPayment'>,
  { network, proveName }: NameContext,
): JudgedName {
  if (!record) return { observations: [] };
  if (!proveName) return unproven({ reason: 'not-checked' });
  const proof = proveName(record, network);
  if ('fault' in proof) {
    const { status, fault } = proof;
    return status === 'refuted' ? refuted({ reason: 'proof', fault }) : unproven({ reason: 'unreadable', fault });
  }
  const { status, payment, record: _, ttl: __, ...name } = proof;
  if (payment.addresses.length + payment.silentPayments.length === 0) return unproven({ reason: 'no-address' });
  if (!isPaid(payment, output, network)) return refuted({ reason: 'address' });
  const { amount } = payment;
  if (amount !== undefined && amount !== output.value)
    return refuted({ reason: 'amount', asked: amount, paid: output.value });
  if (status !== 'proven') return unproven({ reason: status, from: name.from, until: name.until });
  return { name, observations: [] };
}

type Found<Check extends 'name-unproven' | 'name-refuted'> = Extract<Observation, { readonly check: Check }>['data'];

const unproven = (data: Found<'name-unproven'>): JudgedName => ({ observations: [{ check: 'name-unproven', data }] });
const refuted = (data: Found<'name-refuted'>): JudgedName => ({ observations: [{ check: 'name-refuted', data }] });

/** A silent payment counts before its script is computed, and not if it is only claimed. */
function isPaid(
  { addresses, silentPayments }: NamedPayment,
  { scriptPubKey, silentPayment }: Pick<OutputReview, 'scriptPubKey' | 'silentPayment'>,
  network: Network,
): boolean {
  const { address: paid, status } = silentPayment ?? {};
  const isSilent = status === 'proven' || status === 'open' || status === 'conditional';
  return (
    (isSilent && silentPayments.some((address) => address.toLowerCase() === paid)) ||
    addresses.some((address) => equalBytes(parseAddress(address, network), scriptPubKey))
  );
}
