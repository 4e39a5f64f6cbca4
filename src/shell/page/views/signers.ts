import type { DocumentView, WalletView } from '../protocol.ts';
import { texts } from '../texts.ts';

interface Opened {
  readonly wallets: readonly Pick<WalletView, 'hasPrivateKeys' | 'fingerprints' | 'network'>[];
  readonly document?: Pick<DocumentView, 'kind' | 'final'> | undefined;
}

/** Tells whether a PSBT waits for signatures, and the page has no private key. */
export const wantsPrivateKeys = ({ wallets, document }: Opened): boolean =>
  document?.kind === 'psbt' && !document.final && !wallets.some(({ hasPrivateKeys }) => hasPrivateKeys);

/** Tells whether the next keys are likely those of a multisig signer. */
export const wantsCosigner = ({ wallets }: Pick<Opened, 'wallets'>): boolean =>
  wallets.some(({ fingerprints }) => fingerprints.length > 1) && !wallets.some(({ hasPrivateKeys }) => hasPrivateKeys);

/** Warns if others can spend a wallet's coins without the user. */
export function sharingText({
  isShared,
  othersLater,
}: Pick<WalletView, 'isShared' | 'othersLater'>): string | undefined {
  if (isShared) return texts.keys.shared;
  return othersLater === undefined ? undefined : texts.keys.sharedLater(othersLater);
}

type Signer = Pick<WalletView, 'id' | 'name' | 'network' | 'fingerprints' | 'hasPrivateKeys'>;

/** Lists the open multisig wallets in which a wallet's keys take part, as fingerprints show. */
export function signerPlaces(wallet: Signer, all: readonly Signer[]): readonly string[] {
  const [own, ...more] = wallet.fingerprints;
  if (!wallet.hasPrivateKeys || own === undefined || more.length > 0) return [];
  return all.flatMap(({ id, name, network, fingerprints }) => {
    const place = fingerprints.indexOf(own);
    const takesPart = id !== wallet.id && network === wallet.network && place >= 0 && fingerprints.length > 1;
    return takesPart ? texts.keys.signerPlace(place + 1, fingerprints.length, name) : [];
  });
}
