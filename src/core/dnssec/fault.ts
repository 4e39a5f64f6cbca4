/**
 * Why a DNSSEC proof does not prove what it should. `malformed`: not records in wire form; `size`, `work`: more than any honest proof
 * takes; `unsupported`: no algorithm that is accepted; `missing`: the proof lacks records; `unsigned`: no key of their zone signs
 * them; `signature`: false; `key`: nothing above vouches for the keys; `key-tag`: two keys match one signature; `wildcard`: they may
 * not come from one; `denial`: nothing shows that a wildcard applies; `alias`: names lead in a circle, on for too long, or to several.
 */
export type DnssecFault =
  | 'malformed'
  | 'size'
  | 'work'
  | 'unsupported'
  | 'missing'
  | 'unsigned'
  | 'signature'
  | 'key'
  | 'key-tag'
  | 'wildcard'
  | 'denial'
  | 'alias';

/** Ends the verification of a proof; whoever asked for it catches this. `at` names the records at fault: `TXT of example.com.` */
export class DnssecError extends Error {
  readonly fault: DnssecFault;
  readonly at: string | undefined;

  constructor(fault: DnssecFault, at: string | undefined) {
    super(fault);
    this.fault = fault;
    this.at = at;
  }
}

/** @throws DnssecError */
export function refuse(fault: DnssecFault, at?: string): never {
  throw new DnssecError(fault, at);
}
