import { assertKnownOptions, assertList, assertShape } from '../bytes/knownOptions.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { createSignatureCache } from '../crypto/signatureCache.ts';
import { type Derived, singlePaths } from '../descriptors/derive.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { searchDescriptors } from '../holder/search.ts';
import { type AnyPsbt, readPsbt } from '../psbt/format/parsePsbt.ts';
import { lacksScripts } from '../psbt/format/version.ts';
import { requestsInSession, type SignedPsbt, type SigningRequests } from '../psbt/roles/signer.ts';
import { beginSession } from '../psbt/session.ts';
import { assertAccepted } from '../report/assertAccepted.ts';
import { openReview, REVIEW_OPTIONS, type ReviewOptions } from '../review/reviewPsbt.ts';
import type { Signer } from '../signing/keySigner.ts';
import { SESSION_OPTIONS, type SessionOptions } from '../signing/sessionOptions.ts';

/**
 * Reviews a PSBT and, if the policy refuses nothing, signs it with a signer that answers at once, such as `keySigner`.
 * For others, drive `signingRequests` after `reviewPsbt` and `assertAccepted`.
 * @throws `policy/refused` with the names of the checks; `signature/invalid`, `ecc/fault`, `psbt/locktime-conflict`,
 * `psbt/field-required`
 *
 * @example
 * ```ts
 * import {
 *   accountFromDescriptors,
 *   buildPsbt,
 *   createDescriptorProvider,
 *   createHolder,
 *   deriveForPsbt,
 *   finalizePsbt,
 *   keySigner,
 *   networks,
 *   signPsbt,
 * } from 'countersign';
 * import { formatXprv, masterKey } from 'countersign/keys';
 *
 * const xprv = formatXprv(masterKey(new Uint8Array(32).fill(7)), networks.regtest);
 * const me = accountFromDescriptors(`wpkh(${xprv}/<0;1>/*)`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const signer = keySigner(createDescriptorProvider(deriveForPsbt(psbt, me.descriptors)));
 * const signed = signPsbt(psbt, signer, { holder: createHolder(me.holds) });
 * finalizePsbt(signed.psbt).isComplete; // true
 * ```
 */
export function signPsbt(given: AnyPsbt, signer: Signer, options: ReviewOptions = {}): SignedPsbt {
  const psbt = readPsbt(given);
  assertShape('signer', typeof signer === 'function', 'a function that takes a request, such as keySigner makes');
  assertKnownOptions(options, REVIEW_OPTIONS);
  const cache = options.cache ?? createSignatureCache();
  const reviewOptions = { ...(signer.publicKey && { publicKey: signer.publicKey }), ...options, cache };
  const { review, session } = openReview(psbt, reviewOptions);
  assertAccepted(review);
  // The session has placeholders for scripts that are not computed, which are not signed.
  const whole = lacksScripts(psbt) ? beginSession(psbt, { ...options, cache }) : session;
  return answerRequests(requestsInSession(whole, psbt, reviewOptions), signer);
}

export function answerRequests(requests: SigningRequests, signer: Signer): SignedPsbt {
  let step = requests.next();
  while (!step.done) step = requests.next(givenAtOnce(signer(step.value)));
  return step.value;
}

/** Refuses the promise of a signature. @throws `argument/invalid` */
function givenAtOnce(signature: Uint8Array | undefined): Uint8Array | undefined {
  const isPromise = typeof signature === 'object' && 'then' in signature;
  assertShape('signer', !isPromise, 'a function that signs at once: for one that answers later, drive signingRequests');
  return signature;
}

/**
 * Derives descriptors at the indexes that a PSBT's keys claim, and at the first hundred if any input claims none:
 * enough for their owner to sign it. The number of inputs and outputs bounds the work.
 * @throws `descriptor/underivable` for a hardened step without its private key
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, deriveForPsbt } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * deriveForPsbt(psbt, me.descriptors).some(({ scriptPubKeys }) => scriptPubKeys.length > 0); // true
 * ```
 */
export function deriveForPsbt(
  given: AnyPsbt,
  descriptors: readonly Descriptor[],
  options: SessionOptions = {},
): readonly Derived[] {
  assertList('descriptors', descriptors);
  const psbt = readPsbt(given);
  assertKnownOptions(options, SESSION_OPTIONS);
  const { ecc = nobleEcc } = options;
  return searchDescriptors(psbt, descriptors.flatMap(singlePaths), { ecc }).places.map(({ derived }) => derived);
}
