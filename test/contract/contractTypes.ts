/** What a signer does with a PSBT, if its user says nothing but yes. */
export type Verdict = 'sign' | 'warn' | 'refuse';

/** A PSBT, the wallet that is given it, and what must come of it. */
export interface ContractCase {
  readonly id: string;
  /** The number of its class; 0 for a PSBT that must be signed. */
  readonly class: number;
  readonly expected: Verdict;
  /** countersign's name of the finding or error. */
  readonly reason?: string;
  readonly about: string;
  /** The numbers of the BIPs that say so. */
  readonly bips: readonly number[];
  /** In base64. */
  readonly psbt: string;
  /** The signer's wallets, with private keys. */
  readonly descriptors: readonly string[];
  /** The private key for each input, in hex, for signers without descriptors. */
  readonly secretKeys: readonly string[];
}

export interface Contract {
  readonly version: 1;
  readonly network: 'regtest';
  readonly classes: readonly { readonly class: number; readonly title: string }[];
  readonly cases: readonly ContractCase[];
}
