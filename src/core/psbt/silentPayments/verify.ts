import { bytesKey, compareBytes, equalBytes, parseBytesKey } from '../../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import { verifyProduct } from '../../crypto/dleq.ts';
import type { Ecc } from '../../crypto/ecc.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { pointsOf } from '../../crypto/noblePoints.ts';
import { SIGHASH } from '../../sighash/sighashType.ts';
import type { SilentPaymentAddress } from '../../silentPayments/address.ts';
import { scriptsOfSecrets } from '../../silentPayments/outputs.ts';
import { inputHash } from '../../silentPayments/sharedSecret.ts';
import { inputCoin, inputOutpoint } from '../format/inputCoin.ts';
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
   * - `proven`: its script follows from shares with valid proofs
   * - `open`: it has no script yet
   * - `claimed`: it has a script, and what would prove it lacks
   * - `refuted`: what the PSBT says of it is false or forbidden
   */
  readonly status: 'proven' | 'open' | 'claimed' | 'refuted';
  readonly script?: Uint8Array;
  /** What follows from the shares, if all are there. */
  readonly expectedScript?: Uint8Array;
  /**
   * True if another output has the same scan key and another spend key: nothing but the private scan key tells a label
   * from the key of a stranger, with which the receiver would find neither.
   */
  readonly sharesScanKey: boolean;
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
}

const OPTIONS: OptionNames<SilentPaymentOptions> = { ecc: true, session: true };

/**
 * Verifies the outputs that pay addresses of silent payments: shares by their proofs, and scripts by the shares.
 * @throws `silent-payment/count`
 * @see BIP375 "Signer", "Transaction Extractor"
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, verifySilentPayments } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payee =
 *   'sprt1qqd3vpgzxmtxwsmwaqdpud578c7wzyz96pkwfeuj2d5zx6gwjr7g0wqlsq6sc64jncnkl2wgl7gaxrupllq7jxl5gpmnprpl6nume5q5wpgrdw9gy';
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [payee]: 60_000n }, change: me.change(0), feeRate: 2 });
 * verifySilentPayments(psbt)[0]?.fault?.reason; // share
 * verifySilentPayments(me.sign(psbt, { finalize: false }).psbt)[0]?.status; // proven
 * ```
 */
export function verifySilentPayments(psbt: Psbt, options: SilentPaymentOptions = {}): readonly SilentPayment[] {
  assertKnownOptions(options, OPTIONS);
  return paysSilently(psbt) ? paymentsFrom(psbt, readSender(psbt, options), options.ecc ?? nobleEcc) : [];
}

export const paysSilently = ({ outputs }: Psbt): boolean => outputs.some(({ spV0Info }) => spV0Info);

/** Like `verifySilentPayments`, with keys that the caller uses again. */
export function paymentsFrom(psbt: Psbt, sender: Outcome<SilentSender>, ecc: Ecc): readonly SilentPayment[] {
  const groups = new Map<string, SilentOutput[]>();
  for (const output of silentOutputs(psbt)) {
    const name = bytesKey(output.address.scanKey);
    const group = groups.get(name);
    if (group) group.push(output);
    else groups.set(name, [output]);
  }
  const payments = [...groups].flatMap(([name, group]) =>
    verifyGroup(group, psbt, { scanKey: parseBytesKey(name), sender, ecc }),
  );
  return payments.sort((a, b) => a.outputIndex - b.outputIndex);
}

type SilentOutput = Pick<SilentPayment, 'outputIndex' | 'address' | 'script'>;

/** Takes scripts from where the signatures do: the transaction of version 0, which parsed PSBTs do not have here. */
const silentOutputs = ({ global: { unsignedTx }, outputs }: Psbt): readonly SilentOutput[] =>
  outputs.flatMap(({ spV0Info: address, script: written }, outputIndex) => {
    const script = unsignedTx ? unsignedTx.outputs[outputIndex]?.scriptPubKey : written;
    return address ? [{ outputIndex, address, ...(script && { script }) }] : [];
  });

/** Verifies the payments to one scan key. */
function verifyGroup(
  group: readonly SilentOutput[],
  psbt: Psbt,
  { scanKey, sender, ecc }: { readonly scanKey: Uint8Array; readonly sender: Outcome<SilentSender>; readonly ecc: Ecc },
): readonly SilentPayment[] {
  const secret = sharedSecret(psbt, sender, { scanKey, ecc });
  const scripts = secret.fault ? undefined : countedScripts(group, secret.value, ecc);
  const sharesScanKey = new Set(group.map(({ address }) => bytesKey(address.spendKey))).size > 1;
  return group.map((output) => {
    const expectedScript = scripts?.get(output.outputIndex);
    const fault = secret.fault ?? scriptFault(output, expectedScript);
    const status = statusOf(output, fault);
    return { ...output, status, sharesScanKey, ...(expectedScript && { expectedScript }), ...(fault && { fault }) };
  });
}

function scriptFault({ script }: SilentOutput, expected: Uint8Array | undefined): SilentPaymentFault | undefined {
  return script && expected && !equalBytes(script, expected) ? { reason: 'script' } : undefined;
}

function statusOf({ script }: SilentOutput, fault: SilentPaymentFault | undefined): SilentPayment['status'] {
  if (fault && !isLacking(fault)) return 'refuted';
  if (!script) return 'open';
  return fault ? 'claimed' : 'proven';
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

function sumShares({ inputs }: Psbt, keys: SilentSender['keys'], terms: ScanTerms): Outcome<Uint8Array> {
  // Looks before it verifies any, which takes longer.
  const missing = [...keys.keys()].find((inputIndex) => !hasShare(inputs[inputIndex], terms.scanKey));
  if (missing !== undefined) return failed('share', missing);
  const shares: Uint8Array[] = [];
  for (const [inputIndex, { publicKey }] of keys) {
    const share = shareOf(inputs[inputIndex] ?? {}, { ...terms, publicKey, inputIndex });
    if (share?.fault) return share;
    if (share) shares.push(share.value);
  }
  const sum = pointsOf(terms.ecc).add(shares);
  return sum ? { value: sum } : failed('no-key');
}

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
  { publicKey, scanKey, ecc, inputIndex }: ShareTerms,
): Outcome<Uint8Array> | undefined {
  const isMeant = (record: { readonly scanKey: Uint8Array }): boolean => equalBytes(record.scanKey, scanKey);
  const share = spEcdhShares.find(isMeant)?.share;
  if (!share) return undefined;
  const proof = spDleqProofs.find(isMeant)?.proof;
  if (!proof) return failed('no-proof', inputIndex);
  const isValid = verifyProduct(proof, { publicKey, base: scanKey, product: share }, ecc);
  return isValid ? { value: share } : failed('proof', inputIndex);
}

/**
 * Refuses a PSBT of which an output does not provably pay its address of silent payments.
 * @throws `psbt/silent-payment`, `silent-payment/count`
 */
export function assertSilentPayments(psbt: Psbt, session: PsbtSession): void {
  for (const { status, outputIndex, fault } of verifySilentPayments(psbt, { ecc: session.ecc, session })) {
    if (status !== 'proven') throw silentPaymentError(outputIndex, fault ?? { reason: 'share' });
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
