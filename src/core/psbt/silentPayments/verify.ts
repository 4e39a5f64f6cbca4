import { compareBytes, equalBytes } from '../../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import { verifyProduct } from '../../crypto/dleq.ts';
import type { Ecc } from '../../crypto/ecc.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { pointsOf } from '../../crypto/noblePoints.ts';
import { createSignatureCache, type SignatureCache } from '../../crypto/signatureCache.ts';
import { BtcError } from '../../errors.ts';
import { SIGHASH } from '../../sighash/sighashType.ts';
import type { SilentPaymentAddress } from '../../silentPayments/address.ts';
import { byScanKey, haveOneReceiver, namedAddresses } from '../../silentPayments/oneReceiver.ts';
import { scriptsOfSecrets } from '../../silentPayments/outputs.ts';
import { inputHash } from '../../silentPayments/sharedSecret.ts';
import { inputCoin, inputOutpoint } from '../format/inputCoin.ts';
import { type AnyPsbt, readPsbt } from '../format/parsePsbt.ts';
import type { Psbt, PsbtGlobal } from '../format/types.ts';
import type { PsbtSession } from '../session.ts';
import { isInputVerified } from '../solveInput.ts';
import { isLacking, type SilentPaymentFault, silentPaymentError } from './faults.ts';
import { type CountedKey, readInputPart } from './inputs.ts';

/** An output that pays an address of silent payments. */
export interface SilentPayment {
  readonly outputIndex: number;
  readonly address: SilentPaymentAddress;
  /**
   * - `proven`: its script follows from shares with valid proofs, and its receiver finds it
   * - `conditional`: its script follows, too, but its receiver finds it only under a condition, which `fault` names
   * - `open`: it, or another with its scan key, has no script yet
   * - `claimed`: it has a script, and what would prove it lacks
   * - `refuted`: what the PSBT says of it is false or forbidden
   */
  readonly status: 'proven' | 'conditional' | 'open' | 'claimed' | 'refuted';
  readonly script?: Uint8Array;
  /** What follows from the shares, if all are there. */
  readonly expectedScript?: Uint8Array;
  readonly fault?: SilentPaymentFault;
}

/** A value, or why it cannot be computed. */
type Outcome<T> = { readonly value: T; readonly fault?: undefined } | { readonly fault: SilentPaymentFault };

const failed = (reason: SilentPaymentFault['reason'], inputIndex?: number) => ({
  fault: { reason, ...(inputIndex !== undefined && { inputIndex }) },
});

/** What all shared secrets of a transaction have in common. */
export interface SilentSender {
  /** The keys of eligible inputs, by the index of the input. */
  readonly keys: ReadonlyMap<number, CountedKey>;
  readonly keySum: Uint8Array;
  readonly inputHash: Uint8Array;
}

/** Where verification takes its facts from. */
export interface SilentPaymentOptions {
  readonly ecc?: Ecc;
  /** The PSBT's own, to verify final inputs, whose keys otherwise count as unknown. */
  readonly session?: PsbtSession;
  /** Remembers proofs. Default: that of the session, or else a new one. */
  readonly cache?: SignatureCache;
  /**
   * Addresses that the payer has from the receiver, such as those with different labels. Outputs with one scan key and
   * several spend keys count as those of one receiver only if all their addresses are named here, or the signer's own.
   */
  readonly sameReceiver?: readonly SilentPaymentAddress[];
  /** Tells whether an address is the payer's own. Default: none. */
  readonly isOwnAddress?: (address: SilentPaymentAddress) => boolean;
}

export const SILENT_PAYMENT_OPTIONS: OptionNames<SilentPaymentOptions> = {
  ecc: true,
  session: true,
  cache: true,
  sameReceiver: true,
  isOwnAddress: true,
};

/**
 * Verifies the outputs that pay addresses of silent payments: shares by their proofs, and scripts by the shares.
 * @throws `silent-payment/count`
 * @see BIP375 "Signer", "Transaction Extractor"
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, signWith, verifySilentPayments } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payee =
 *   'sprt1qqd3vpgzxmtxwsmwaqdpud578c7wzyz96pkwfeuj2d5zx6gwjr7g0wqlsq6sc64jncnkl2wgl7gaxrupllq7jxl5gpmnprpl6nume5q5wpgrdw9gy';
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [payee]: 60_000n }, change: me.change(0), feeRate: 2 });
 * verifySilentPayments(psbt)[0]?.fault?.reason; // share
 * verifySilentPayments(signWith(me, psbt, { finalize: false }).psbt)[0]?.status; // proven
 * ```
 */
export function verifySilentPayments(given: AnyPsbt, options: SilentPaymentOptions = {}): readonly SilentPayment[] {
  const psbt = readPsbt(given);
  assertKnownOptions(options, SILENT_PAYMENT_OPTIONS);
  return paysSilently(psbt) ? paymentsFrom(psbt, readSender(psbt, options), options) : [];
}

export const paysSilently = ({ outputs }: Psbt): boolean => outputs.some(({ spV0Info }) => spV0Info);

/** Like `verifySilentPayments`, with keys that the caller uses again. */
export function paymentsFrom(
  psbt: Psbt,
  sender: Outcome<SilentSender>,
  { ecc = nobleEcc, session, cache = session?.cache ?? createSignatureCache(), ...payer }: SilentPaymentOptions,
): readonly SilentPayment[] {
  const groups = byScanKey(silentOutputs(psbt), ({ address }) => address);
  if (!sender.fault) assertFewProofs(groups, psbt, sender.value);
  const knows = payerKnows(payer);
  const payments = groups.flatMap((group) =>
    verifyGroup(group, psbt, { scanKey: group[0].address.scanKey, sender, ecc, cache, knows }),
  );
  return payments.sort((a, b) => a.outputIndex - b.outputIndex);
}

/**
 * The most products of a scan key and keys of inputs that a call makes or verifies: each takes several multiplications, and
 * those of a PSBT of a few kilobytes could take any time.
 */
export const MOST_PRODUCTS = 100;

export function tooManyProducts(): BtcError {
  const message = `More than ${MOST_PRODUCTS} shares would be needed, one for each receiver, or for each receiver and input if these have several owners: pay fewer receivers or spend fewer coins at once`;
  return new BtcError('silent-payment/count', { most: MOST_PRODUCTS }, message);
}

/** Counts the proofs before it verifies any. */
function assertFewProofs(
  groups: readonly (readonly [SilentOutput, ...SilentOutput[]])[],
  psbt: Psbt,
  { keys }: SilentSender,
): void {
  const counts = groups.map(
    ([
      {
        address: { scanKey },
      },
    ]) => {
      if (hasShare(psbt.global, scanKey)) return 1;
      return firstWithout(psbt, keys, scanKey) === undefined ? keys.size : 0;
    },
  );
  if (counts.reduce((sum, count) => sum + count, 0) > MOST_PRODUCTS) throw tooManyProducts();
}

/** Tells which addresses the payer knows: those it names, and its own ones. */
function payerKnows({
  sameReceiver = [],
  isOwnAddress,
}: Pick<SilentPaymentOptions, 'sameReceiver' | 'isOwnAddress'>): (output: SilentOutput) => boolean {
  const isNamed = namedAddresses(sameReceiver);
  return ({ address }) => isNamed(address) || isOwnAddress?.(address) === true;
}

type SilentOutput = Pick<SilentPayment, 'outputIndex' | 'address' | 'script'>;

/** Takes scripts from where the signatures do: the transaction of version 0, which parsed PSBTs do not have here. */
const silentOutputs = ({ global: { unsignedTx }, outputs }: Psbt): readonly SilentOutput[] =>
  outputs.flatMap(({ spV0Info: address, script: written }, outputIndex) => {
    const script = unsignedTx ? unsignedTx.outputs[outputIndex]?.scriptPubKey : written;
    return address ? [{ outputIndex, address, ...(script && { script }) }] : [];
  });

interface GroupTerms extends ScanTerms {
  readonly sender: Outcome<SilentSender>;
  readonly knows: (output: SilentOutput) => boolean;
}

/** Verifies the payments to one scan key. Its receiver stops at the first that it does not find, so that one may hide others. */
function verifyGroup(
  group: readonly SilentOutput[],
  psbt: Psbt,
  { sender, knows, ...terms }: GroupTerms,
): readonly SilentPayment[] {
  const secret = sharedSecret(psbt, sender, terms);
  const scripts = secret.fault ? undefined : countedScripts(group, secret.value, terms.ecc);
  const isFalse = group.some(({ script, outputIndex }) => {
    const expected = scripts?.get(outputIndex);
    return script && expected && !equalBytes(script, expected);
  });
  const areComputed = group.every(({ script }) => script);
  const isUnclear = !haveOneReceiver(group, ({ address }) => address, knows) && (!areComputed || !secret.fault);
  const fault = isFalse
    ? failed('script').fault
    : isUnclear && (!secret.fault || isLacking(secret.fault))
      ? failed('receivers').fault
      : secret.fault;
  return group.map((output) => {
    const expectedScript = scripts?.get(output.outputIndex);
    const status = statusOf(output, { fault, follows: scripts !== undefined, areComputed });
    return { ...output, status, ...(expectedScript && { expectedScript }), ...(fault && { fault }) };
  });
}

interface GroupState {
  readonly fault: SilentPaymentFault | undefined;
  /** True if all shares are there and proven. */
  readonly follows: boolean;
  readonly areComputed: boolean;
}

function statusOf({ script }: SilentOutput, { fault, follows, areComputed }: GroupState): SilentPayment['status'] {
  if (fault && !isLacking(fault)) return 'refuted';
  if (script && !follows) return 'claimed';
  if (!areComputed) return 'open';
  return fault ? 'conditional' : 'proven';
}

/**
 * Computes the scripts of payments to one scan key. The BIP's text counts them in the order of their spend keys, its
 * vectors in that of the outputs: receivers find both, so the second is taken where the scripts already follow it.
 * @see BIP375 "Computing the Output Scripts"
 */
function countedScripts(group: readonly SilentOutput[], secret: Uint8Array, ecc: Ecc): ReadonlyMap<number, Uint8Array> {
  const inOrder = (outputs: readonly SilentOutput[]): ReadonlyMap<number, Uint8Array> => {
    const scripts = scriptsOfSecrets(
      outputs.map(({ address }) => address),
      () => secret,
      ecc,
    );
    return new Map(scripts.map((script, i) => [outputs[i]?.outputIndex ?? -1, script]));
  };
  const bySpendKey = [...group].sort((a, b) => compareBytes(a.address.spendKey, b.address.spendKey));
  const sorted = inOrder(bySpendKey);
  const fits = (scripts: ReadonlyMap<number, Uint8Array>): boolean =>
    group.every(({ script, outputIndex }) => !script || equalBytes(script, scripts.get(outputIndex) ?? NO_SCRIPT));
  if (fits(sorted)) return sorted;
  const plain = inOrder(group);
  return fits(plain) ? plain : sorted;
}

const NO_SCRIPT = /* @__PURE__ */ new Uint8Array(0);

/** Finds the keys that a transaction's shared secrets come from. */
export function readSender(psbt: Psbt, { ecc = nobleEcc, session }: SilentPaymentOptions): Outcome<SilentSender> {
  const forbidden = psbt.inputs.findIndex(({ sighashType }) => !isAll(sighashType));
  if (forbidden >= 0) return failed('sighash', forbidden);
  const isComputed = silentOutputs(psbt).some(({ script }) => script);
  if (isComputed && psbt.global.txModifiable) return failed('modifiable');
  const keys = new Map<number, CountedKey>();
  for (const [inputIndex, input] of psbt.inputs.entries()) {
    const scriptPubKey = inputCoin(psbt, inputIndex)?.coin.scriptPubKey;
    const isVerified = () => session !== undefined && isInputVerified({ session, input, index: inputIndex });
    const part = readInputPart({ input, scriptPubKey, isVerified }, ecc);
    if (part.kind === 'unknown') return failed(part.what, inputIndex);
    if (part.kind === 'forbidden') return failed('input', inputIndex);
    if (part.kind === 'key') keys.set(inputIndex, part);
  }
  const keySum = pointsOf(ecc).add([...keys.values()].map(({ publicKey }) => publicKey));
  if (!keySum) return failed('no-key');
  const outpoints = psbt.inputs.flatMap((_, index) => inputOutpoint(psbt, index) ?? []);
  return { value: { keys, keySum, inputHash: inputHash(outpoints, keySum) } };
}

interface ScanTerms {
  readonly scanKey: Uint8Array;
  readonly ecc: Ecc;
  readonly cache: SignatureCache;
}

/** Computes the shared secret of a scan key from shares whose proofs it verifies. */
function sharedSecret(psbt: Psbt, sender: Outcome<SilentSender>, terms: ScanTerms): Outcome<Uint8Array> {
  if (sender.fault) return sender;
  const { keys, keySum, inputHash: hash } = sender.value;
  const whole = shareOf(psbt.global, { ...terms, publicKey: keySum });
  const share = whole ? wholeShare(whole, keys) : sumShares(psbt, keys, terms);
  if (share.fault) return share;
  const secret = pointsOf(terms.ecc).multiply(share.value, hash);
  return secret ? { value: secret } : failed('no-key');
}

/** A proof for the sum says nothing of a single key, which may be chosen so that others cancel out. */
function wholeShare(share: Outcome<Uint8Array>, keys: SilentSender['keys']): Outcome<Uint8Array> {
  const uncertain = [...keys].find(([, { isCertain }]) => !isCertain);
  return uncertain && !share.fault ? failed('internal-key', uncertain[0]) : share;
}

function sumShares(psbt: Psbt, keys: SilentSender['keys'], terms: ScanTerms): Outcome<Uint8Array> {
  // Looks before it verifies any, which takes longer.
  const missing = firstWithout(psbt, keys, terms.scanKey);
  if (missing !== undefined) return failed('share', missing);
  const shares: Uint8Array[] = [];
  for (const [inputIndex, { publicKey }] of keys) {
    const share = shareOf(psbt.inputs[inputIndex] ?? {}, { ...terms, publicKey, inputIndex });
    if (share?.fault) return share;
    if (share) shares.push(share.value);
  }
  const sum = pointsOf(terms.ecc).add(shares);
  return sum ? { value: sum } : failed('no-key');
}

/** Finds an input whose key counts and which has no share for a scan key. */
const firstWithout = ({ inputs }: Psbt, keys: SilentSender['keys'], scanKey: Uint8Array): number | undefined =>
  [...keys.keys()].find((inputIndex) => !hasShare(inputs[inputIndex], scanKey));

/** Tells whether a map holds a share for a scan key, with or without a proof. */
export const hasShare = (map: ShareRecords | undefined, scanKey: Uint8Array): boolean =>
  map?.spEcdhShares?.some((share) => equalBytes(share.scanKey, scanKey)) ?? false;

export type ShareRecords = Pick<PsbtGlobal, 'spEcdhShares' | 'spDleqProofs'>;

interface ShareTerms extends ScanTerms {
  readonly publicKey: Uint8Array;
  readonly inputIndex?: number;
}

/** Returns the share for a scan key that a map holds, if its proof is valid; `undefined` if it holds none. */
function shareOf(
  { spEcdhShares = [], spDleqProofs = [] }: ShareRecords,
  { publicKey, scanKey, ecc, cache, inputIndex }: ShareTerms,
): Outcome<Uint8Array> | undefined {
  const isMeant = (record: { readonly scanKey: Uint8Array }): boolean => equalBytes(record.scanKey, scanKey);
  const share = spEcdhShares.find(isMeant)?.share;
  if (!share) return undefined;
  const proof = spDleqProofs.find(isMeant)?.proof;
  if (!proof) return failed('no-proof', inputIndex);
  const isValid = verifyProduct(proof, { publicKey, base: scanKey, product: share }, ecc, cache);
  return isValid ? { value: share } : failed('proof', inputIndex);
}

/**
 * Refuses a PSBT of which an output does not provably pay its address of silent payments. Conditions are the review's to show.
 * @throws `psbt/silent-payment`, `silent-payment/count`
 */
export function assertSilentPayments(psbt: Psbt, session: PsbtSession): void {
  for (const { status, outputIndex, fault } of verifySilentPayments(psbt, { ecc: session.ecc, session })) {
    if (status === 'proven' || status === 'conditional') continue;
    throw silentPaymentError(outputIndex, fault ?? { reason: 'share' });
  }
}

/**
 * Returns the options with the only hash type that silent payments allow, after verifying these.
 * @throws `psbt/silent-payment`, `silent-payment/count`
 * @see BIP375 "Signer"
 */
export function silentSigningOptions<O extends { readonly sighashType?: number }>(
  options: O,
  psbt: Psbt,
  session: PsbtSession,
): O {
  const [first] = silentOutputs(psbt);
  if (!first) return options;
  assertSilentPayments(psbt, session);
  if (!isAll(options.sighashType)) throw silentPaymentError(first.outputIndex, { reason: 'sighash' });
  return { ...options, sighashType: SIGHASH.ALL };
}

const isAll = (sighashType: number | undefined): boolean => sighashType === undefined || sighashType === SIGHASH.ALL;
