// Signs with keys that stay in a device, such as an HSM, an MPC service or a KMS: it gets digests, and returns 64 bytes for each.
import {
  accountFromKey,
  applySignature,
  buildPsbt,
  extractHex,
  finalizePsbt,
  formatHex,
  networks,
  nobleEcc,
  reviewWith,
  type SignatureRequest,
  signingRequests,
} from 'countersign';
import { derivePath, parseExtendedKey } from 'countersign/keys';
import { assertAccepted } from 'countersign/review';
import { coinTxid, destination, masterXprv } from './fixtures.ts';

/** A device that never shows its keys. */
interface Device {
  /** Signs a digest of 32 bytes with the key at a path. @returns r and s, 32 bytes each */
  readonly sign: (path: readonly number[], digest: Uint8Array) => Promise<Uint8Array>;
}

/** Stands for your device's client: replace it with the calls of its SDK. */
function openDevice(): Device {
  const master = parseExtendedKey(masterXprv, networks.regtest);
  return {
    sign: async (path, digest) => {
      const { secretKey } = derivePath(master, path);
      if (!secretKey) throw new Error('no such key');
      return nobleEcc.signEcdsa(digest, secretKey);
    },
  };
}

const device = openDevice();
// Only its public keys are needed here; the device exports them once, as an extended public key or a descriptor.
const account = accountFromKey(masterXprv, { network: 'regtest', at: 'account' });
const coin = { txid: coinTxid, vout: 0, value: 100_000n, from: account.receive(3) };
const psbt = buildPsbt({
  inputs: [coin],
  outputs: { [destination]: 60_000n },
  change: account.change(0),
  feeRate: 2,
});

// A device signs whatever it gets, so look first: this throws if a finding is `refuse`.
assertAccepted(reviewWith(account, psbt));

/** Lists the digests to sign. The generator takes signatures, too; without one it goes on. */
const requests: readonly SignatureRequest[] = [...signingRequests(psbt)];

let signed = psbt;
for (const request of requests) {
  // The device may take a minute, or a day. An invalid signature is refused here.
  const signature = await device.sign(request.origin?.path ?? [], request.digest);
  signed = applySignature(signed, request, signature);
}
const { psbt: final } = finalizePsbt(signed);
export const { hex } = extractHex(final);
export const digests = requests.map(({ digest }) => formatHex(digest));
