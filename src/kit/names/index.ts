export type { KeyDigest } from '../../core/dnssec/zoneKey.ts';
export type {
  NamedPayment,
  NameFault,
  NameProof,
  NameRecord,
  ProveName,
  ProvenName,
} from '../../core/review/paymentName.ts';
export { ROOT_ANCHORS } from './anchors.ts';
export { type NameOptions, type NameToProve, proveName } from './proveName.ts';
