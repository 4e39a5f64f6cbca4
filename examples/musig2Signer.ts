// One participant of MuSig2, in a process of its own: reads PSBTs in base64 from standard input, one per line, and prints them with
// its nonces, then with its partial signatures. `musig2.ts` starts two of these.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { accountFromDescriptors, formatPsbt, networks, type Psbt, parsePsbt, reviewWith } from 'countersign';
import { derivePath, parseExtendedKey } from 'countersign/keys';
import { addNonce, addPartialSignature, type Musig2Share, musig2Shares } from 'countersign/psbt';
import { assertAccepted } from 'countersign/review';
import { cosigners } from './fixtures.ts';

const [first, second] = cosigners;
const me = process.argv[2] === '2' ? second : first;
const account = accountFromDescriptors(`tr(musig(${first.xpub},${second.xpub}))`, { network: 'regtest' });

const { fingerprint = '', xprv = '' } = /^\[(?<fingerprint>\w+)[^\]]*\](?<xprv>\w+)/.exec(me.xprv)?.groups ?? {};
const key = parseExtendedKey(xprv, networks.regtest);

/** The secret nonces of the first round, by input. They live in this process only: written down, they could be used twice. */
const secretNonces = new Map<number, ReturnType<typeof addNonce>['secretNonce']>();

const isMine = ({ origin }: Musig2Share): boolean =>
  origin !== undefined && Buffer.from(origin.fingerprint).toString('hex') === fingerprint;

/** Returns the participant's private key for a share: the last two steps of its path follow the account key. */
function secretKeyOf({ origin }: Musig2Share): Uint8Array {
  const { secretKey } = derivePath(key, origin?.path.slice(-2) ?? []);
  if (!secretKey) throw new Error('not a private key');
  return secretKey;
}

/** Adds what the participant can add to one share: a nonce, or a partial signature once all nonces are there. */
function contribute(psbt: Psbt, share: Musig2Share): Psbt {
  const secretKey = secretKeyOf(share);
  const secretNonce = secretNonces.get(share.inputIndex);
  if (secretNonce) return addPartialSignature(psbt, share, { secretKey, secretNonce });
  const added = addNonce(psbt, share, { secretKey, rand: randomBytes(32) });
  secretNonces.set(share.inputIndex, added.secretNonce);
  return added.psbt;
}

for await (const line of createInterface({ input: process.stdin })) {
  const psbt = parsePsbt(line);
  assertAccepted(reviewWith(account, psbt));
  console.log(formatPsbt(musig2Shares(psbt).filter(isMine).reduce(contribute, psbt)));
}
