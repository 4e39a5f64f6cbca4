import { formatHex } from '../../core/bytes/hex.ts';
import type { Missing } from '../../core/signing/signatureData.ts';

/** Returns a sentence for people that says what to supply. */
export function missingHint(missing: readonly Missing[]): string | undefined {
  const [first] = missing;
  if (!first) return undefined;
  const same = missing.filter(({ kind }) => kind === first.kind);
  const names = [...new Set(same.map(formatMissing))];
  return `${SENTENCES[first.kind]}${names.length === 1 && names[0] === '' ? '' : ` ${names.join(', ')}`}.`;
}

const SENTENCES: Readonly<Record<Missing['kind'], string>> = {
  coin: 'Supply the output that this input spends in prevtxs',
  amount: 'Supply the amount of this output in prevtxs',
  'other-coins':
    'Taproot signatures cover all coins: supply the outputs that the other inputs spend, with their amounts, in prevtxs',
  'private-key': 'Supply the private key of',
  key: 'Supply the private key whose public key has the hash',
  'compressed-key': 'Segwit does not allow uncompressed public keys such as',
  'output-key': 'Supply the private key of the taproot output key',
  'leaf-key': 'Supply the private key of the x-only public key',
  'redeem-script': 'Supply the redeemScript whose hash is',
  'witness-script': 'Supply the witnessScript whose SHA256 is',
  preimage: 'Supply the preimage of',
  lock: 'Not spendable yet: the script requires',
};

function formatMissing(missing: Missing): string {
  switch (missing.kind) {
    case 'private-key':
    case 'compressed-key':
    case 'leaf-key':
      return formatHex(missing.publicKey);
    case 'output-key':
      return formatHex(missing.outputKey);
    case 'key':
    case 'redeem-script':
      return formatHex(missing.hash);
    case 'witness-script':
      return formatHex(missing.program);
    case 'preimage':
      return `${missing.name}(${formatHex(missing.hash)})`;
    case 'lock':
      return `${missing.of}(${missing.lock})`;
    default:
      return '';
  }
}
