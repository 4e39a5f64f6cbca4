import { concat } from '../node/scripts/bytes.ts';
import { formatAddress, formatWif, hash160, networks, nobleEcc } from './library.ts';

/** A key of the byte `number`, the script of its P2WPKH, and its WIF on Litecoin's regtest. */
export const keyOf = (number: number, isCompressed = true) => {
  const secretKey = new Uint8Array(32).fill(number);
  const publicKey = nobleEcc.publicKey(secretKey, isCompressed);
  const program = concat([0, 20], hash160(publicKey));
  return { publicKey, program, wif: formatWif({ secretKey, isCompressed }, networks['litecoin-regtest']) };
};
/** The address of a script on Litecoin's regtest. */
export const addressOf = (script: Uint8Array): string => formatAddress(script, networks['litecoin-regtest']) ?? '';
