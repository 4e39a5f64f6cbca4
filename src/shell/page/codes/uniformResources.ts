import { unlessRefused } from '../../../core/errors.ts';
import { type NetworkName, networks } from '../../../core/network/networks.ts';
import { encodeWalletUr } from '../../../kit/qr/encodeWalletUr.ts';
import type { ScannedContent } from '../../../kit/qr/frameReader.ts';
import { encodeUr, type UrFrames } from '../../../kit/qr/ur.ts';
import { decodeWalletUr } from '../../../kit/qr/walletUr.ts';
import type { Exported } from '../exports.ts';
import type { ExportKind, WalletView } from '../protocol.ts';
import { refuse } from '../refusals.ts';

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

const PLAIN: ReadonlySet<string> = new Set(['bytes', 'crypto-psbt', 'psbt']);

export interface CodeContent {
  readonly content: Uint8Array | string;
  readonly name?: string;
  readonly networks?: readonly NetworkName[];
}

export function toFileContent({ format, type, content }: ScannedContent): CodeContent {
  if (format !== 'ur' || PLAIN.has(type)) return { content };
  const wallet = decodeWalletUr(type, content);
  if (!wallet)
    return refuse(`This code holds a “${type}”, which the page cannot use: show a PSBT, a transaction or a wallet`);
  const { descriptors, keys, name } = wallet;
  const named = { networks: wallet.networks, ...(name !== undefined && { name }) };
  if (descriptors.length > 0) return { content: descriptors.join('\n'), ...named };
  const [key = ''] = keys;
  if (wallet.isPrivate && keys.length === 1) return { content: key, ...named };
  return refuse(
    'This code holds the keys of one signer, which have no addresses of their own: show the code of the whole multisig wallet',
  );
}
