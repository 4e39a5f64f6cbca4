import { BtcError, type ErrorData } from '../../errors.ts';

type Reason = ErrorData['psbt/silent-payment']['reason'];

/** The reason why an output does not provably pay its address. */
export interface SilentPaymentFault {
  readonly reason: Exclude<Reason, 'no-script'>;
  /** `undefined` if the fault concerns the global share, or all inputs. */
  readonly inputIndex?: number;
}

/** Faults that further records mend. All others refute. */
const LACKING: ReadonlySet<Reason> = /* @__PURE__ */ new Set<Reason>([
  'coin',
  'key',
  'internal-key',
  'share',
  'no-proof',
  'receivers',
]);

export const isLacking = ({ reason }: SilentPaymentFault): boolean => LACKING.has(reason);

/** Says what is wrong, and what to do. */
export function faultText({ reason, inputIndex }: SilentPaymentFault): string {
  const input = inputIndex === undefined ? 'all inputs' : `input ${inputIndex}`;
  switch (reason) {
    case 'coin':
      return `the coin of ${input} is unknown: add its previous transaction`;
    case 'key':
      return `the public key of ${input} is unknown: add its BIP32 derivation, and its redeem script if it has one`;
    case 'internal-key':
      return `the internal key of ${input} is not shown: add it, or a share of that input instead of one for all`;
    case 'share':
      return `${input} has no share yet: signing with its key adds one`;
    case 'no-proof':
      return `the share of ${input} has no proof: its owner must add one`;
    case 'proof':
      return `the proof for the share of ${input} is false: its owner must compute both again`;
    case 'script':
      return 'its script, or that of another output with its scan key, does not follow from the shares, so that its receiver would not find it: do not sign';
    case 'receivers':
      return "another output has its scan key: name both as addresses of the same receiver if that receiver gave you both, as a stranger's would hide it";
    case 'input':
      return `${input} spends a witness version above 1, which no silent payment may: remove the input`;
    case 'no-key':
      return 'no input has a key that counts, or they cancel each other out: add a P2WPKH or taproot input';
    case 'sighash':
      return `${input} asks for signatures that leave something open: only SIGHASH_ALL is allowed`;
    case 'modifiable':
      return 'inputs or outputs may still be added, which would change its script: clear the modifiable flags';
  }
}

export function silentPaymentError(outputIndex: number, fault: SilentPaymentFault): BtcError {
  const message = `Output ${outputIndex} does not provably pay its silent payment address: ${faultText(fault)}`;
  return new BtcError('psbt/silent-payment', { outputIndex, ...fault }, message);
}
