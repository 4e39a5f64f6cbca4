import type { DocumentView, WalletView } from '../protocol.ts';
import { texts } from '../texts.ts';

interface Opened {
  readonly wallets: readonly Pick<WalletView, 'hasPrivateKeys' | 'fingerprints' | 'network'>[];
  readonly document?: Pick<DocumentView, 'kind' | 'final'> | undefined;
}

export const wantsPrivateKeys = ({ wallets, document }: Opened): boolean =>
  document?.kind === 'psbt' && !document.final && !wallets.some(({ hasPrivateKeys }) => hasPrivateKeys);

/** Guesses that the next keys are those of a multisig signer. */
export const wantsCosigner = ({ wallets }: Pick<Opened, 'wallets'>): boolean =>
  wallets.some(({ fingerprints }) => fingerprints.length > 1) && !wallets.some(({ hasPrivateKeys }) => hasPrivateKeys);

export function sharingText({
  isShared,
  othersLater,
}: Pick<WalletView, 'isShared' | 'othersLater'>): string | undefined {
  if (isShared) return texts.keys.shared;
  return othersLater === undefined ? undefined : texts.keys.sharedLater(othersLater);
}

type Signer = Pick<WalletView, 'id' | 'name' | 'network' | 'fingerprints' | 'hasPrivateKeys'>;

/** Names the open multisig wallets of a signer, found by fingerprint. */
export function signerPlaces(wallet: Signer, all: readonly Signer[]): readonly string[] {
  const [own, ...more] = wallet.fingerprints;
  if (!wallet.hasPrivateKeys || own === undefined || more.length > 0) return [];
  return all.flatMap(({ id, name, network, fingerprints }) => {
    const place = fingerprints.indexOf(own);
    const takesPart = id !== wallet.id && network === wallet.network && place >= 0 && fingerprints.length > 1;
    return takesPart ? texts.keys.signerPlace(place + 1, fingerprints.length, name) : [];
  });
}
