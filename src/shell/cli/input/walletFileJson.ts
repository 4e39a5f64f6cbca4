import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { silentPaymentsFromKeys } from '../../../kit/account/silentPaymentAccount.ts';
import type { WalletFile } from '../../../kit/account/walletFiles/walletFile.ts';

/** Lists what a wallet file says, without private keys. */
export function walletJson(
  { format, name, descriptors, silent, signers, fingerprints, birthHeight, gapLimit }: WalletFile,
  { network, ecc }: RpcContext,
): object {
  return {
    format,
    ...(name !== undefined && { name: withoutSecrets(name) }),
    fingerprints,
    ...(birthHeight !== undefined && { birthHeight }),
    ...(gapLimit !== undefined && { gapLimit }),
    ...(descriptors.length > 0 && {
      descriptors: descriptors.map((descriptor) => formatDescriptor(descriptor, network)),
    }),
    // The descriptor of such a wallet holds a key with which others see all its payments.
    ...(silent.length > 0 && {
      silentPayments: silent.map((keys) => silentPaymentsFromKeys(keys, { network, ...(ecc && { ecc }) }).address()),
    }),
    ...(signers.length > 0 && { signers }),
  };
}
