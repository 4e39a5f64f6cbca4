import { parseBase58, parseBase58Check } from '../../core/encoding/base58check.ts';
import { type Bech32Fault, bech32Fault } from '../../core/encoding/bech32Errors.ts';
import { type Bech32Text, decodeBech32 } from '../../core/encoding/segwitAddress.ts';
import { unlessRefused } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';

/** A version prefix and a hash. */
const PAYLOAD_SIZE = 21;
/** Up to this size, Core tells a bad base58 checksum or length from a bad encoding. */
const MAX_BASE58 = 100;
const MAX_PROGRAM = 40;

const FAULTS: Readonly<Record<Exclude<Bech32Fault, 'checksum'>, string>> = {
  length: 'Bech32 string too long',
  character: 'Invalid character or mixed case',
  'no-separator': 'Missing separator',
  separator: 'Invalid separator position',
  base32: 'Invalid Base 32 character',
};

const CHECKSUMS = { bech32: 'Invalid Bech32 checksum', bech32m: 'Invalid Bech32m checksum' } as const;

/** The locations are bytes of the address. */
export interface AddressFault {
  readonly message: string;
  readonly locations: readonly number[];
}

/** @see Bitcoin Core 31 `DecodeDestination` */
export function addressFault(text: string, network: Network): AddressFault {
  const isSegwit = text.slice(0, network.hrp.length).toLowerCase() === network.hrp;
  if (!isSegwit) return { message: base58Fault(text, network), locations: [] };
  const decoded = decodeBech32(text);
  if (decoded) return { message: segwitFault(decoded, network), locations: [] };
  const { fault, likely, locations } = bech32Fault(text);
  if (fault !== 'checksum') return { message: FAULTS[fault], locations };
  return { message: likely ? CHECKSUMS[likely] : 'Invalid checksum', locations };
}

function base58Fault(text: string, { pubKeyHash, scriptHash }: Network): string {
  const payload = unlessRefused(() => parseBase58Check(text, PAYLOAD_SIZE));
  if (payload) {
    const isOurs = payload[0] === pubKeyHash || payload[0] === scriptHash;
    return isOurs
      ? 'Invalid length for Base58 address (P2PKH or P2SH)'
      : 'Invalid or unsupported Base58-encoded address.';
  }
  return unlessRefused(() => parseBase58(text, MAX_BASE58))
    ? 'Invalid checksum or length of Base58 address (P2PKH or P2SH)'
    : 'Invalid or unsupported Segwit (Bech32) or Base58 encoding.';
}

function segwitFault({ prefix, version, program, isBech32m }: Bech32Text, { hrp }: Network): string {
  if (version === undefined) return 'Empty Bech32 data section';
  if (prefix !== hrp) {
    return `Invalid or unsupported prefix for Segwit (Bech32) address (expected ${hrp}, got ${prefix}).`;
  }
  if (version === 0 && isBech32m) return 'Version 0 witness address must use Bech32 checksum';
  if (version !== 0 && !isBech32m) return 'Version 1+ witness address must use Bech32m checksum';
  if (!program) return 'Invalid padding in Bech32 data section';
  const size = `${program.length} ${program.length === 1 ? 'byte' : 'bytes'}`;
  if (version === 0) return `Invalid Bech32 v0 address program size (${size}), per BIP141`;
  if (version > 16) return 'Invalid Bech32 address witness version';
  return program.length > MAX_PROGRAM || program.length < 2 ? `Invalid Bech32 address program size (${size})` : '';
}
