import type { DocumentView, WalletView } from '../protocol.ts';
import { texts } from '../texts.ts';

/** The wallets and the document that are open. */
interface Opened {
  readonly wallets: readonly Pick<WalletView, 'hasPrivateKeys' | 'fingerprints' | 'network'>[];
  readonly document?: Pick<DocumentView, 'kind' | 'final'> | undefined;
}

/** Tells whether a PSBT waits for signatures, and the page has no private key yet. */
export const wantsPrivateKeys = ({ wallets, document }: Opened): boolean =>
  document?.kind === 'psbt' && !document.final && !wallets.some(({ hasPrivateKeys }) => hasPrivateKeys);

/** Tells whether a wallet of several signers is open, but no private key: the next keys are likely those of one. */
export const wantsCosigner = ({ wallets }: Pick<Opened, 'wallets'>): boolean =>
  wallets.some(({ fingerprints }) => fingerprints.length > 1) && !wallets.some(({ hasPrivateKeys }) => hasPrivateKeys);

/** Says of a wallet that others can spend its coins without the user, at once or later. */
export function sharingText({
  isShared,
  othersLater,
}: Pick<WalletView, 'isShared' | 'othersLater'>): string | undefined {
  if (isShared) return texts.keys.shared;
  return othersLater === undefined ? undefined : texts.keys.sharedLater(othersLater);
}

type Signer = Pick<WalletView, 'id' | 'name' | 'network' | 'fingerprints' | 'hasPrivateKeys'>;

/** Says in which open wallets of several signers the keys of a wallet take part, as far as fingerprints show. */
export function signerPlaces(wallet: Signer, all: readonly Signer[]): readonly string[] {
  const [own, ...more] = wallet.fingerprints;
  if (!wallet.hasPrivateKeys || own === undefined || more.length > 0) return [];
  return all.flatMap(({ id, name, network, fingerprints }) => {
    const place = fingerprints.indexOf(own);
    const takesPart = id !== wallet.id && network === wallet.network && place >= 0 && fingerprints.length > 1;
    return takesPart ? texts.keys.signerPlace(place + 1, fingerprints.length, name) : [];
  });
}
