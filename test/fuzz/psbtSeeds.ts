import {
  addNonce,
  addPartialSignature,
  encodePsbt,
  finalizePsbt,
  formatHex,
  type Musig2Share,
  musig2Shares,
  nobleEcc,
  type Psbt,
  type SecretNonce,
  toPsbtV0,
} from '../support/library.ts';
import { ALICE, BOB, make, PAYEE, payment, sign, WALLETS, type WalletName } from '../support/psbts.ts';
import { fullPsbt } from '../support/wire.ts';
import { recordedPsbts } from './seeds.ts';

// PSBTs in all states, as bytes: new, signed by some, final; of both versions; with every record; recorded ones.

const PATH = 'm/87h';
const people = `${ALICE.xpub(PATH)}/5,${BOB.xpub(PATH)}/5`;
const MUSIG2_WALLETS = [
  `tr(musig(${people}))`,
  `tr(musig(${ALICE.xpub(PATH)},${BOB.xpub(PATH)})/0/*)`,
  `tr(${ALICE.xpub('m/88h')}/0,pk(musig(${people})))`,
];

const isOf =
  (secretKey: Uint8Array) =>
  ({ participantPubkey }: Musig2Share): boolean =>
    formatHex(participantPubkey) === formatHex(nobleEcc.publicKey(secretKey));

/** Lets both participants add their nonces and partial signatures. @returns the PSBT after each round */
function musig2Rounds(unsigned: Psbt): readonly Psbt[] {
  const secrets = [ALICE, BOB].flatMap((person) => ['/5', '/0/0', ''].map((steps) => person.secretAt(PATH + steps)));
  const nonces = new Map<string, SecretNonce>();
  let [psbt, number] = [unsigned, 1];
  const idOf = ({ inputIndex, participantPubkey }: Musig2Share): string =>
    `${inputIndex} ${formatHex(participantPubkey)}`;
  for (const secretKey of secrets) {
    for (const share of musig2Shares(psbt).filter(isOf(secretKey))) {
      const { psbt: next, secretNonce } = addNonce(psbt, share, { secretKey, rand: new Uint8Array(32).fill(number) });
      nonces.set(idOf(share), secretNonce);
      [psbt, number] = [next, number + 1];
    }
  }
  const afterNonces = psbt;
  for (const secretKey of secrets) {
    for (const share of musig2Shares(psbt).filter(isOf(secretKey))) {
      const secretNonce = nonces.get(idOf(share));
      if (secretNonce) psbt = addPartialSignature(psbt, share, { secretKey, secretNonce });
    }
  }
  return [unsigned, afterNonces, psbt];
}

const names = (Object.keys(WALLETS) as readonly WalletName[]).filter((name) => name !== 'multiOfBob');
const plain = [...names.map((name) => payment([name])), payment(names), payment(['wpkh', 'tr'], { locktime: 9 })];
const signed = plain.map((psbt) => sign(psbt, { policy: {} }).psbt);
const final = signed.map((psbt) => finalizePsbt(psbt).psbt);
const withMusig2 = MUSIG2_WALLETS.flatMap((of) =>
  musig2Rounds(make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 990_000n }] })),
);

const own: readonly Psbt[] = [...plain, ...signed, ...final, ...withMusig2];

/** PSBTs with keys that we know, in every state. */
export const OWN_PSBTS: readonly Uint8Array[] = [...own, ...own.map(toPsbtV0)].map(encodePsbt);
export const MUSIG2_PSBTS: readonly Uint8Array[] = [...withMusig2, ...withMusig2.map(toPsbtV0)].map(encodePsbt);
const FULL = ([0, 2] as const).flatMap((version) => (['core-32', 'bips'] as const).map((of) => fullPsbt(version, of)));
export const ALL_PSBTS: readonly Uint8Array[] = [...OWN_PSBTS, ...FULL, ...recordedPsbts(300)];
