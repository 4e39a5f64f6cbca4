import { assertBytes } from '../bytes/assertBytes.ts';
import { assertText } from '../bytes/assertText.ts';
import { concatBytes } from '../bytes/compare.ts';
import { formatBase58Check, parseBase58Check } from '../encoding/base58check.ts';
import { formatSegwitAddress, parseSegwitAddress } from '../encoding/segwitAddress.ts';
import { BtcError, unlessRefused } from '../errors.ts';
import {
  type Network,
  type NetworkOption,
  networksThat,
  otherNetworkText,
  resolveNetwork,
} from '../network/networks.ts';
import { payToPubkeyHash, payToScriptHash, payToWitness } from '../script/build.ts';
import { ANCHOR_PROGRAM, classifyScript, type ScriptTemplate } from '../script/template.ts';

const HASH_SIZE = 20;

const withPrefix = (prefix: number, hash: Uint8Array): string =>
  formatBase58Check(concatBytes(Uint8Array.of(prefix), hash));

export function pubkeyHashAddress(hash: Uint8Array, network: Network): string {
  return withPrefix(network.pubKeyHash, hash);
}

export function scriptHashAddress(hash: Uint8Array, network: Network): string {
  return withPrefix(network.scriptHash, hash);
}

/** Returns `undefined` for types without an address: P2PK, bare multisig, data, unknown. */
export function templateAddress(template: ScriptTemplate, network: Network): string | undefined {
  switch (template.type) {
    case 'pubkeyhash':
      return pubkeyHashAddress(template.hash, network);
    case 'scripthash':
      return scriptHashAddress(template.hash, network);
    case 'witness_v0_keyhash':
    case 'witness_v0_scripthash':
      return formatSegwitAddress(network.hrp, { version: 0, program: template.program });
    case 'witness_v1_taproot':
      return formatSegwitAddress(network.hrp, { version: 1, program: template.program });
    case 'anchor':
      return formatSegwitAddress(network.hrp, { version: 1, program: ANCHOR_PROGRAM });
    case 'witness_unknown':
      return formatSegwitAddress(network.hrp, template);
    default:
      return undefined;
  }
}

/**
 * Formats the address of a scriptPubKey; `undefined` if it has none.
 *
 * @example
 * ```ts
 * import { formatAddress, networks, parseHex } from 'countersign';
 *
 * formatAddress(parseHex(`0014${'00'.repeat(20)}`), networks.main); // bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs
 * ```
 */
export function formatAddress(scriptPubKey: Uint8Array, network: NetworkOption): string | undefined {
  assertBytes('scriptPubKey', scriptPubKey);
  return templateAddress(classifyScript(scriptPubKey), resolveNetwork(network));
}

function hasSegwitPrefix(text: string, { hrp }: Network): boolean {
  return text.slice(0, hrp.length + 1).toLowerCase() === `${hrp}1`;
}

/**
 * Parses an address to the scriptPubKey it pays to.
 * @throws `address/network` for an address of another built-in network; `address/invalid`, `base58/invalid`,
 * `bech32/invalid`
 * @see Core `DecodeDestination`
 *
 * @example
 * ```ts
 * import { formatHex, networks, parseAddress } from 'countersign';
 *
 * formatHex(parseAddress('bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs', networks.main)).slice(0, 8); // 00140000
 * ```
 */
export function parseAddress(text: string, on: NetworkOption): Uint8Array {
  const network = resolveNetwork(on);
  assertText('address', text);
  try {
    return parseNetworkAddress(network, text);
  } catch (error) {
    // Core skips it around base58 only.
    if (text !== text.trim()) {
      const message = 'The text has white space around the address: remove it';
      throw new BtcError('address/invalid', { reason: 'white-space' }, message);
    }
    const otherNetworks = networksThat((other) => unlessRefused(() => parseNetworkAddress(other, text)) !== undefined);
    if (otherNetworks === '') throw error;
    throw new BtcError(
      'address/network',
      { found: otherNetworks, network: network.name },
      otherNetworkText('address', otherNetworks, network),
    );
  }
}

function parseNetworkAddress(network: Network, text: string): Uint8Array {
  if (hasSegwitPrefix(text, network)) {
    const { version, program } = parseSegwitAddress(network.hrp, text);
    return payToWitness(version, program);
  }
  const payload = parseBase58Check(text, 1 + HASH_SIZE);
  if (payload.length !== 1 + HASH_SIZE) {
    throw new BtcError('address/invalid', { reason: 'length' }, 'The text is not an address: it has the wrong length');
  }
  const [prefix = -1] = payload;
  const hash = payload.slice(1);
  if (prefix === network.pubKeyHash) return payToPubkeyHash(hash);
  if (prefix === network.scriptHash || network.scriptHashAccepted.includes(prefix)) return payToScriptHash(hash);
  throw new BtcError('address/invalid', { reason: 'prefix' }, 'The text is not an address: unknown address prefix');
}
