import { assertKnownOptions, assertShape } from '../../bytes/knownOptions.ts';
import type { ProvenProduct } from '../../crypto/dleq.ts';
import { createSignatureCache } from '../../crypto/signatureCache.ts';
import type { ShareSigner } from '../../signing/shareSigner.ts';
import { byScanKey } from '../../silentPayments/oneReceiver.ts';
import { type AnyPsbt, readPsbt } from '../format/parsePsbt.ts';
import type { Psbt } from '../format/types.ts';
import {
  hasShare,
  MOST_PRODUCTS,
  paymentsFrom,
  paysSilently,
  readSender,
  type ShareRecords,
  SILENT_PAYMENT_OPTIONS,
  type SilentPayment,
  type SilentPaymentOptions,
  type SilentSender,
  tooManyProducts,
} from './verify.ts';

/**
 * Adds what a signer knows of the silent payments of a PSBT: a share and its proof for each scan key, a global one if
 * the signer has all keys that count, else one for each input. Computes the scripts for which all shares are there.
 * Adds nothing to a PSBT of which something is false or forbidden, a coin or key is unknown, or outputs with one scan key may
 * be of several receivers: `verifySilentPayments` says what.
 * @throws `silent-payment/count`, `ecc/fault`
 * @see BIP375 "Signer"
 *
 * @example
 * ```ts
 * import {
 *   accountFromDescriptors,
 *   addSilentPaymentShares,
 *   buildPsbt,
 *   createDescriptorProvider,
 *   deriveForPsbt,
 *   networks,
 *   shareSigner,
 * } from 'countersign';
 * import { formatXprv, masterKey } from 'countersign/keys';
 *
 * const xprv = formatXprv(masterKey(new Uint8Array(32).fill(7)), networks.regtest);
 * const me = accountFromDescriptors(`wpkh(${xprv}/<0;1>/*)`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payee =
 *   'sprt1qqd3vpgzxmtxwsmwaqdpud578c7wzyz96pkwfeuj2d5zx6gwjr7g0wqlsq6sc64jncnkl2wgl7gaxrupllq7jxl5gpmnprpl6nume5q5wpgrdw9gy';
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [payee]: 60_000n }, change: me.change(0), feeRate: 2 });
 * const signer = shareSigner(createDescriptorProvider(deriveForPsbt(psbt, me.descriptors)));
 * addSilentPaymentShares(psbt, signer).outputs[0]?.script?.length; // 34
 * ```
 */
export function addSilentPaymentShares(given: AnyPsbt, signer: ShareSigner, options: SilentPaymentOptions = {}): Psbt {
  assertShape('signer', typeof signer === 'function', 'a function such as shareSigner makes');
  const psbt = readPsbt(given);
  assertKnownOptions(options, SILENT_PAYMENT_OPTIONS);
  if (!paysSilently(psbt)) return psbt;
  const sender = readSender(psbt, options);
  const { cache = options.session?.cache ?? createSignatureCache(), ...rest } = options;
  const verify = (current: Psbt) => paymentsFrom(current, sender, { ...rest, cache });
  const payments = verify(psbt);
  const isRefused = payments.some(({ status, fault }) => status === 'refuted' || fault?.reason === 'receivers');
  if (sender.fault || isRefused) return psbt;
  const lacking = payments.filter(({ fault }) => fault?.reason === 'share');
  const groups = byScanKey(lacking, ({ address }) => address);
  const context = { keys: sender.value.keys, signer: boundedSigner(signer) };
  const shared = groups.reduce((current, [{ address }]) => withShares(current, address.scanKey, context), psbt);
  return withScripts(shared, shared === psbt ? payments : verify(shared));
}

/** Bounds the products that a PSBT makes a signer compute. */
function boundedSigner(signer: ShareSigner): ShareSigner {
  let left = MOST_PRODUCTS;
  return (request) => {
    const product = signer(request);
    if (product && left === 0) throw tooManyProducts();
    if (product) left -= 1;
    return product;
  };
}

interface ShareContext {
  readonly keys: SilentSender['keys'];
  readonly signer: ShareSigner;
}

function withShares(psbt: Psbt, scanKey: Uint8Array, { keys, signer }: ShareContext): Psbt {
  const all = [...keys.values()];
  const whole = all.every(({ isCertain }) => isCertain) ? signer({ scanKey, keys: all }) : undefined;
  if (whole) return { ...psbt, global: withProduct(psbt.global, scanKey, whole) };
  const products = psbt.inputs.map((input, index) => {
    const key = keys.get(index);
    return key && !hasShare(input, scanKey) ? signer({ scanKey, keys: [key] }) : undefined;
  });
  if (products.every((product) => !product)) return psbt;
  const inputs = psbt.inputs.map((input, index) => {
    const product = products[index];
    return product ? withProduct(input, scanKey, product) : input;
  });
  return { ...psbt, inputs };
}

function withProduct<M extends ShareRecords>(map: M, scanKey: Uint8Array, { product, proof }: ProvenProduct): M {
  const { spEcdhShares = [], spDleqProofs = [] } = map;
  return {
    ...map,
    spEcdhShares: [...spEcdhShares, { scanKey, share: product }],
    spDleqProofs: [...spDleqProofs, { scanKey, proof }],
  };
}

/** Sets the scripts that can be computed, and the flags: further inputs or outputs would change these scripts. */
function withScripts(psbt: Psbt, payments: readonly SilentPayment[]): Psbt {
  const computed = payments.filter(({ status, expectedScript }) => status === 'open' && expectedScript);
  if (computed.length === 0) return psbt;
  const scripts = new Map(computed.map(({ outputIndex, expectedScript }) => [outputIndex, expectedScript]));
  const outputs = psbt.outputs.map((output, index) => {
    const script = scripts.get(index);
    return script ? { ...output, script } : output;
  });
  const { txModifiable } = psbt.global;
  return { ...psbt, global: txModifiable === undefined ? psbt.global : { ...psbt.global, txModifiable: 0 }, outputs };
}
