import type { SignatureCause } from '../psbt/signatureVerifier.ts';
import { hashTypeName } from '../review/hashTypes.ts';
import { SIGHASH } from '../sighash/sighashType.ts';

/** Says why a signature cannot count. */
export function causeText(cause: SignatureCause): string {
  switch (cause.kind) {
    case 'high-s':
      return 'its s is in the upper half of the order (high S), and no node relays that';
    case 'encoding':
      return 'it is not strict DER, which every node refuses';
    case 'type-missing':
      return `it is valid for the hash type ${hashTypeName(cause.sighashType)}, but lacks the byte that says so`;
    case 'type-other':
      return cause.sighashType === SIGHASH.DEFAULT
        ? 'it is valid for the hash type DEFAULT, which has no byte, but ends with one'
        : `it is valid for the hash type ${hashTypeName(cause.sighashType)}, but its last byte names another`;
    case 'legacy-digest':
      return 'it signs the legacy digest, but the coin is segwit: its signer took the coin for legacy';
    case 'segwit-digest':
      return 'it signs the segwit digest, but the coin is legacy: its signer took the coin for segwit';
    case 'untweaked':
      return 'it is by the internal key without the tweak of taproot';
    default:
      return cause satisfies never;
  }
}
