import type { DnssecFault } from '../dnssec/fault.ts';
import type { Network } from '../network/networks.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';

/** Stands before a payment name where people see it, and not in records. @see BIP353 "Display" */
export const BITCOIN_SIGN = '₿';

/** Returns a payment name as reviews have it, whether it is written with ₿ or not. Lowers letters of ASCII alone: others may become such. */
export const plainName = (text: string): string =>
  (text.startsWith(BITCOIN_SIGN) ? text.slice(BITCOIN_SIGN.length) : text).replace(/[A-Z]+/g, (letters) =>
    letters.toLowerCase(),
  );

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
