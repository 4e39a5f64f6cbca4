import { unlessRefused } from '../../../core/errors.ts';
import { networks } from '../../../core/network/networks.ts';
import { encodeWalletUr } from '../../../kit/qr/encodeWalletUr.ts';
import { encodeUr, type UrFrames } from '../../../kit/qr/ur.ts';
import type { Exported } from '../exports.ts';
import type { ExportKind, WalletView } from '../protocol.ts';

/** Encodes a PSBT as `crypto-psbt`: few devices read the newer name `psbt`. */
export function encodeExportUr(kind: ExportKind, { payload, wallet }: Exported, fragmentSize: number): UrFrames {
  const walletFrames = wallet && walletUr(wallet, fragmentSize);
  return walletFrames ?? encodeUr(payload, { type: kind === 'psbt' ? 'crypto-psbt' : 'bytes', fragmentSize });
}

function walletUr({ name, network, descriptors, publicKeys }: WalletView, fragmentSize: number): UrFrames | undefined {
  const options = { coin: networks[network].ticker === 'LTC' ? 'litecoin' : 'bitcoin', fragmentSize, name } as const;
  const [nested = '', native] = publicKeys;
  const keys = native === undefined ? [] : [`sh(wsh(cosigner(${nested})))`, `wsh(cosigner(${native}))`];
  return unlessRefused(() => encodeWalletUr([...descriptors, ...keys], options));
}
