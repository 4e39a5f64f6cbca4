import type { DocumentView, WalletStanding, WalletView } from '../protocol.ts';
import { sentence } from '../refusals.ts';
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

function controlText({ control }: Pick<WalletView, 'control'>): string | undefined {
  return control && texts.keys.control(control.others, control.alone);
}

/** Says what makes a wallet the user's. */
export const standingText = ({ standing }: Pick<WalletView, 'standing'>): string =>
  standing.kind === 'registered' ? texts.keys.registered(standing.title) : texts.keys.standings[standing.kind];

type Judged = Pick<WalletView, 'standing' | 'contradiction' | 'control' | 'isShared'>;

/** `bad` for what may be a changed copy of a registered wallet. */
const STANDING_TONES: Readonly<Record<WalletStanding['kind'], 'bad' | 'warn' | undefined>> = {
  registered: undefined,
  keys: undefined,
  listed: undefined,
  none: 'warn',
  'other-root': 'warn',
  'shares-key': 'bad',
  forged: 'bad',
};

/** The colour of a wallet's card. */
export function walletTone({ standing: { kind }, contradiction, control, isShared }: Judged) {
  const tone = STANDING_TONES[kind];
  if (contradiction !== undefined || (control && isShared)) return 'bad';
  return tone ?? (control && 'warn');
}

/** Says what speaks against a wallet. */
export function walletDoubts(wallet: Judged): readonly string[] {
  const { contradiction, standing } = wallet;
  const control = controlText(wallet);
  return [
    ...(contradiction === undefined ? [] : [sentence(contradiction)]),
    ...(STANDING_TONES[standing.kind] === 'bad' ? [standingText(wallet)] : []),
    ...(control === undefined ? [] : [control]),
  ];
}

/** Tells whether private keys are at hand, none of which takes part in a wallet: only its file says that it is the user's. */
export const isForeignWallet = (
  { provenFingerprints, network }: Pick<WalletView, 'provenFingerprints' | 'network'>,
  all: readonly Pick<WalletView, 'hasPrivateKeys' | 'network'>[],
): boolean => provenFingerprints.length === 0 && all.some((other) => other.hasPrivateKeys && other.network === network);

/** Tells whether a wallet is open of which a key at hand is a part, so that keys without addresses lack none. */
export const isPartOpen = (all: readonly Pick<WalletView, 'hasPrivateKeys' | 'provenFingerprints'>[]): boolean =>
  all.some(({ hasPrivateKeys, provenFingerprints }) => !hasPrivateKeys && provenFingerprints.length > 0);

type Signer = Pick<WalletView, 'id' | 'name' | 'network' | 'fingerprints' | 'provenFingerprints' | 'hasPrivateKeys'>;

/** Names the open multisig wallets of a signer. A fingerprint is only a label: the text says whether the key is proven. */
export function signerPlaces(wallet: Signer, all: readonly Signer[]): readonly string[] {
  const [own, ...more] = wallet.fingerprints;
  if (!wallet.hasPrivateKeys || own === undefined || more.length > 0) return [];
  return all.flatMap(({ id, name, network, fingerprints, provenFingerprints }) => {
    const place = fingerprints.indexOf(own);
    const takesPart = id !== wallet.id && network === wallet.network && place >= 0 && fingerprints.length > 1;
    return takesPart
      ? texts.keys.signerPlace({
          place: place + 1,
          count: fingerprints.length,
          wallet: name,
          isProven: provenFingerprints.includes(own),
        })
      : [];
  });
}
