import { concatBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { formatBase58Check } from '../encoding/base58check.ts';
import { BtcError } from '../errors.ts';
import { type Network, otherNetworkText } from '../network/networks.ts';
import { type ExtendedKey, extendedPayload, invalidVersion, parseExtendedKey } from './bip32.ts';

/** BIP32's own version bytes stand for `any`. */
export type KeyScript = 'any' | 'p2pkh' | 'p2sh-p2wpkh' | 'p2wpkh' | 'p2sh-p2wsh' | 'p2wsh';

interface Version {
  readonly prefix: string;
  readonly script: KeyScript;
  readonly isTest: boolean;
  readonly isPrivate: boolean;
}

/** @see SLIP-0132 "Registered HD version bytes" */
const ROWS: readonly (readonly [
  publicVersion: number,
  privateVersion: number,
  prefix: string,
  KeyScript,
  'main' | 'test',
])[] = [
  [0x0488b21e, 0x0488ade4, 'xpub xprv', 'any', 'main'],
  [0x049d7cb2, 0x049d7878, 'ypub yprv', 'p2sh-p2wpkh', 'main'],
  [0x04b24746, 0x04b2430c, 'zpub zprv', 'p2wpkh', 'main'],
  [0x0295b43f, 0x0295b005, 'Ypub Yprv', 'p2sh-p2wsh', 'main'],
  [0x02aa7ed3, 0x02aa7a99, 'Zpub Zprv', 'p2wsh', 'main'],
  [0x043587cf, 0x04358394, 'tpub tprv', 'any', 'test'],
  [0x044a5262, 0x044a4e28, 'upub uprv', 'p2sh-p2wpkh', 'test'],
  [0x045f1cf6, 0x045f18bc, 'vpub vprv', 'p2wpkh', 'test'],
  [0x024289ef, 0x024285b5, 'Upub Uprv', 'p2sh-p2wsh', 'test'],
  [0x02575483, 0x02575048, 'Vpub Vprv', 'p2wsh', 'test'],
  [0x019da462, 0x019d9cfe, 'Ltub Ltpv', 'p2pkh', 'main'],
  [0x01b26ef6, 0x01b26792, 'Mtub Mtpv', 'p2sh-p2wpkh', 'main'],
  [0x0436f6e1, 0x0436ef7d, 'ttub ttpv', 'any', 'test'],
];

const versions: ReadonlyMap<number, Version> = /* @__PURE__ */ new Map(
  ROWS.flatMap(([publicVersion, privateVersion, prefixes, script, kind]): [number, Version][] => {
    const isTest = kind === 'test';
    const [publicPrefix = '', privatePrefix = ''] = prefixes.split(' ');
    return [
      [publicVersion, { prefix: publicPrefix, script, isTest, isPrivate: false }],
      [privateVersion, { prefix: privatePrefix, script, isTest, isPrivate: true }],
    ];
  }),
);

/** Tells whether an extended public key with this version is for a network, in any form that wallets write. */
export function isVersionOf(version: number, network: Network): boolean {
  if (version === network.bip32.public) return true;
  const known = versions.get(version);
  return known !== undefined && !known.isPrivate && isOfKind(known, network);
}

/** Tells whether a version is one of test networks as the network's own is; any is, beside one that is not registered. */
const isOfKind = ({ isTest }: Version, { bip32 }: Network): boolean =>
  isTest === (versions.get(bip32.public)?.isTest ?? isTest);

export interface WrittenKey {
  /** With BIP32's prefix: `xpub`, `xprv`, `tpub` or `tprv`. */
  readonly text: string;
  readonly script: KeyScript;
  readonly isTest: boolean;
  /** True for the prefixes that only Litecoin uses. */
  readonly isLitecoin: boolean;
  readonly isPrivate: boolean;
  readonly depth: number;
  readonly childNumber: number;
}

/**
 * Reads any registered prefix, without checking that the key is on the curve.
 * @throws `xkey/invalid`, `base58/invalid`
 */
export function readExtendedKey(text: string): WrittenKey {
  const payload = extendedPayload(text);
  const view = new DataView(payload.buffer, payload.byteOffset);
  const version = versions.get(view.getUint32(0));
  if (!version) {
    throw new BtcError('xkey/invalid', { reason: 'version' }, 'The text does not begin like an extended key');
  }
  const { script, isTest, isPrivate, prefix } = version;
  return {
    text: withVersion(payload, isTest ? TEST_VERSIONS : MAIN_VERSIONS, isPrivate),
    script,
    isTest,
    isLitecoin: /^[LMt]t/.test(prefix),
    isPrivate,
    depth: payload[4] ?? 0,
    childNumber: view.getUint32(9),
  };
}

const MAIN_VERSIONS: Network['bip32'] = { public: 0x0488b21e, private: 0x0488ade4 };
const TEST_VERSIONS: Network['bip32'] = { public: 0x043587cf, private: 0x04358394 };

function withVersion(payload: Uint8Array, bip32: Network['bip32'], isPrivate: boolean): string {
  const usual = Uint8Array.of(0, 0, 0, 0);
  new DataView(usual.buffer).setUint32(0, isPrivate ? bip32.private : bip32.public);
  return formatBase58Check(concatBytes(usual, payload.slice(4)));
}

/**
 * Parses an extended key of any registered prefix.
 * @throws `xkey/network` for a test key on a main network or the reverse; `xkey/invalid`, `base58/invalid`
 */
export function parseAnyExtendedKey(
  text: string,
  network: Network,
  ecc: Ecc = nobleEcc,
): { readonly key: ExtendedKey; readonly script: KeyScript } {
  const payload = extendedPayload(text);
  const { bip32 } = network;
  const number = new DataView(payload.buffer, payload.byteOffset).getUint32(0);
  const version = versions.get(number);
  const isOfNetwork = number === bip32.public || number === bip32.private;
  if (!version && !isOfNetwork) throw invalidVersion(number, network);
  if (!version || isOfNetwork)
    return { key: parseExtendedKey(text, network, { ecc }), script: version?.script ?? 'any' };
  if (!isOfKind(version, network)) {
    const keyNetworks = version.isTest ? 'test networks' : 'main networks';
    throw new BtcError(
      'xkey/network',
      { prefix: version.prefix, network: network.name },
      otherNetworkText(version.prefix, keyNetworks, network),
    );
  }
  return {
    key: parseExtendedKey(withVersion(payload, bip32, version.isPrivate), network, { ecc }),
    script: version.script,
  };
}
