import { concat } from '../live/scripts/bytes.ts';
import { formatAddress, formatHex, formatWif, hash160, networks, nobleEcc, parseHex } from './library.ts';

/** A key of the byte `number`, the script of its P2WPKH, and its WIF on Litecoin's regtest. */
export const keyOf = (number: number, isCompressed = true) => {
  const secretKey = new Uint8Array(32).fill(number);
  const publicKey = nobleEcc.publicKey(secretKey, isCompressed);
  const program = concat([0, 20], hash160(publicKey));
  return { publicKey, program, wif: formatWif({ secretKey, isCompressed }, networks['litecoin-regtest']) };
};
/** The scriptPubKeys of a key, in hex: P2WPKH, P2PKH and P2SH-P2WPKH. */
export const scriptsOfKey = (publicKey: Uint8Array) => {
  const hash = formatHex(hash160(publicKey));
  const wpkh = `0014${hash}`;
  return { wpkh, pkh: `76a914${hash}88ac`, nested: `a914${formatHex(hash160(parseHex(wpkh)))}87` };
};
/** The address of a script on Litecoin's regtest. */
export const addressOf = (script: Uint8Array): string => formatAddress(script, networks['litecoin-regtest']) ?? '';
