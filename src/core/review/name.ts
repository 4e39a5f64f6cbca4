import { parseAddress } from '../address/address.ts';
import { bytesKey, equalBytes } from '../bytes/compare.ts';
import { invalidOption, isObject } from '../bytes/knownOptions.ts';
import type { Network } from '../network/networks.ts';
import type { SilentPayment } from '../psbt/silentPayments/verify.ts';
import type { Observation } from './finding.ts';
import type { NamedPayment, NameProof, NameRecord, ProveName, ProvenName } from './paymentName.ts';

interface NameContext {
  readonly network: Network;
  readonly proveName: NameProver | undefined;
}

/** Returns `undefined` for one record too many. */
export type NameProver = (record: NameRecord, network: Network) => NameProof | undefined;

/** In a PSBT, of different ones: a hostile proof takes as long as dozens of signatures. */
const MOST_NAMES = 100;

/** Proves each record once, and only so many. */
export function createNameProver(proveName: ProveName | undefined): NameProver | undefined {
  if (!proveName) return undefined;
  const proofs = new Map<string, NameProof>();
  return (record, network) => {
    const key = `${record.name.length} ${bytesKey(record.name)}${bytesKey(record.proof)}`;
    const known = proofs.get(key);
    if (known || proofs.size === MOST_NAMES) return known;
    const proof = proveName(record, network);
    if (!isObject(proof) || !('fault' in proof || isObject(proof.payment)))
      throw invalidOption('proveName', 'must return what proveName of countersign/names returns, and at once');
    proofs.set(key, proof);
    return proof;
  };
}

/** An output as its review has it. */
interface PaidOutput {
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
  readonly silentPayment?: { readonly address?: string; readonly status: SilentPayment['status'] };
}

interface JudgedName {
  readonly name?: ProvenName;
  readonly observations: readonly Observation[];
}

/** Judges whether an output pays what its name asks for. A name that is not proven is not shown. */
export function judgeName(
  record: NameRecord | undefined,
  output: PaidOutput,
  { network, proveName }: NameContext,
): JudgedName {
  if (!record) return { observations: [] };
  if (!proveName) return unproven({ reason: 'not-checked' });
  const proof = proveName(record, network);
  if (!proof) return unproven({ reason: 'too-many' });
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
  { scriptPubKey, silentPayment }: PaidOutput,
  network: Network,
): boolean {
  const { address: paid, status } = silentPayment ?? {};
  const isSilent = status === 'proven' || status === 'open' || status === 'conditional';
  return (
    (isSilent && silentPayments.some((address) => address.toLowerCase() === paid)) ||
    addresses.some((address) => equalBytes(parseAddress(address, network), scriptPubKey))
  );
}
