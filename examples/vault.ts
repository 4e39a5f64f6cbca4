// A vault in miniscript: the owner spends at any time, and an heir may once a coin has been left alone for 4320 blocks (30 days).
import {
  accountFromDescriptors,
  buildPsbt,
  decodeTransaction,
  parseHex,
  signWith,
  verifyTransaction,
} from 'countersign';
import { coinTxid, cosigners, destination } from './fixtures.ts';

const BLOCKS = 4320;
const [owner, heir] = cosigners;
const vault = (ownerKey: string, heirKey: string): string =>
  `wsh(or_d(pk(${ownerKey}),and_v(v:pkh(${heirKey}),older(${BLOCKS}))))`;

const options = { network: 'regtest' } as const;
const ofOwner = accountFromDescriptors(vault(owner.xprv, heir.xpub), options);
const ofHeir = accountFromDescriptors(vault(owner.xpub, heir.xprv), options);
const from = ofOwner.receive(0);
const prevout = { value: 100_000n, scriptPubKey: from.scriptPubKey };

const coin = { txid: coinTxid, vout: 0, value: prevout.value, from };

/** The owner needs no delay, and leaves change in the vault. */
export const byOwner = signWith(
  ofOwner,
  buildPsbt({ inputs: [coin], outputs: { [destination]: 60_000n }, change: ofOwner.change(0), feeRate: 2 }),
);

/**
 * The heir takes all: the review refuses change in a vault that the owner could empty at once. The sequence of the input says
 * for how many blocks the coin must have been there.
 */
const takeAll = (sequence?: number) =>
  buildPsbt({
    inputs: [{ ...coin, ...(sequence !== undefined && { sequence }) }],
    outputs: { [destination]: 99_600n },
    fee: 400n,
  });

/** The heir waits: a relative lock in the sequence satisfies older(). */
export const byHeir = signWith(ofHeir, takeAll(BLOCKS));

/** Without the delay, the heir's signature completes nothing. */
export const tooEarly = signWith(ofHeir, takeAll());

/** Runs the scripts of the heir's transaction. Only a chain knows how old the coin is: a node refuses it before that. */
export const outcome = verifyTransaction(decodeTransaction(parseHex(byHeir.hex ?? '')), [prevout]);
