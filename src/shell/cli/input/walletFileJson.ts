import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { parseWalletFile } from '../../../kit/account/walletFiles/parseWalletFile.ts';
import { WALLET_FILE_FORMATS, type WalletFile } from '../../../kit/account/walletFiles/walletFile.ts';

interface ShownWalletFile {
  readonly format: string;
  /** Without private keys. */
  readonly json: object;
}

export function showWalletFile(content: Uint8Array, context: RpcContext): ShownWalletFile | undefined {
  const wallet = unlessRefused(() => parseWalletFile(content, { network: context.network, ecc: context.ecc }));
  return wallet && { format: WALLET_FILE_FORMATS[wallet.format], json: walletJson(wallet, context) };
}

function walletJson(
  { format, name, descriptors, fingerprints, birthHeight, gapLimit }: WalletFile,
  { network }: RpcContext,
): object {
  return {
    format,
    ...(name !== undefined && { name: withoutSecrets(name) }),
    fingerprints,
    ...(birthHeight !== undefined && { birthHeight }),
    ...(gapLimit !== undefined && { gapLimit }),
    descriptors: descriptors.map((descriptor) => formatDescriptor(descriptor, network)),
  };
}
