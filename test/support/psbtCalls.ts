import {
  type BtcError,
  createRpc,
  decodePsbtBytes,
  encodePsbt,
  formatBase64,
  type Psbt,
  parseBase64,
  toPsbtV0,
} from './library.ts';
import { withInput } from './psbts.ts';

/** Returns a PSBT in base64. */
export const text = (psbt: Psbt): string => formatBase64(encodePsbt(psbt));
const rpc = createRpc({ network: 'regtest', dialect: 'core-32' });
/** Calls a method of Core 31 on regtest. @returns the answer, or the code and message of the error */
export function ask(method: string, ...params: readonly unknown[]): unknown {
  try {
    return rpc.call(method, params);
  } catch (error) {
    const { code, message } = error as BtcError;
    return { code, message };
  }
}

/** Reads a PSBT that a method returned. */
export const read = (given: unknown): Psbt => decodePsbtBytes(parseBase64(given as string));
/** Calls a method as `ask` does; errors are thrown. */
export const answerTo = (method: string, ...params: readonly unknown[]): unknown => rpc.call(method, params);
/** Formats the reply of a method that returns a PSBT in an object. */
export const reply = (psbt: Psbt | undefined, others: object = { complete: false }): string =>
  JSON.stringify({ result: psbt && { psbt: text(psbt), ...others }, error: null });
/** Formats the reply of a method that returns a PSBT alone. */
export const replyText = (psbt: Psbt): string => JSON.stringify({ result: text(psbt), error: null });

/** Makes a PSBT that spends the first coin of a descriptor to itself. */
export function paymentOf(desc: string): Psbt {
  const [scriptPubKey = ''] = answerTo('deriveaddresses', `${desc}#${checksum(desc)}`) as string[];
  const tx = answerTo('createpsbt', [{ txid: '11'.repeat(32), vout: 0 }], [{ [scriptPubKey]: 0.5 }]);
  const psbt = toPsbtV0(read(tx));
  const [output] = psbt.global.unsignedTx?.outputs ?? [];
  return withInput(psbt, 0, () => ({ ...(output && { witnessUtxo: { ...output, value: 60_000_000n } }) }));
}
const checksum = (desc: string): string => (answerTo('getdescriptorinfo', desc) as { checksum: string }).checksum;
