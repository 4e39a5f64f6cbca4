import { formatAddress, parseAddress } from '../../../core/address/address.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { joinAnnotations, splitAnnotations } from '../../../core/descriptors/annotations.ts';
import { createDeriver, singlePaths } from '../../../core/descriptors/derive.ts';
import { flatKeys } from '../../../core/descriptors/joinPaths.ts';
import { keyExpressions } from '../../../core/descriptors/keyExpressions.ts';
import { parseDescriptor } from '../../../core/descriptors/parseDescriptor.ts';
import { countPaths } from '../../../core/descriptors/parseKey.ts';
import { type AnnotatedKeys, parseSilentPaymentDescriptor } from '../../../core/descriptors/silentPayments.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { BtcError, unlessRefused } from '../../../core/errors.ts';
import { keyFingerprint } from '../../../core/keys/bip32.ts';
import { keyParts } from '../../../core/keys/writtenKeys.ts';
import {
  type Network,
  type NetworkAlias,
  type NetworkName,
  networks,
  otherNetworkText,
  resolveNetwork,
} from '../../../core/network/networks.ts';
import { joinChains, type ParsedText } from './joinChains.ts';
import { keysIn, networksOfKeys, withUsualChains, withUsualPrefixes } from './keyText.ts';
import {
  type DescriptorText,
  refuseFile,
  WALLET_FILE_FORMATS,
  type WalletDraft,
  type WalletFile,
  type WalletFileFormat,
} from './walletFile.ts';

const MAX_DESCRIPTORS = 1000;

/** More characters than 999 keys with origins take. */
const MAX_DESCRIPTOR_SIZE = 200_000;

const MAX_PATHS = 100;

/**
 * Parses a draft, checks its descriptors against each other and against stated first addresses, and joins chains.
 * @throws `walletfile/invalid`, `walletfile/network`, `network/unknown`
 */
export function finishDraft(
  format: WalletFileFormat,
  {
    name,
    birthHeight,
    registered,
    descriptors: texts,
    silent = [],
    signers = [],
    repeats = [],
    networks: stated,
  }: WalletDraft,
  {
    network: requested,
    ecc,
  }: { readonly network: Network | NetworkName | NetworkAlias | undefined; readonly ecc: Ecc },
): WalletFile {
  const count = texts.length + silent.length + signers.length;
  if (count === 0) refuseFile(format, 'it has no descriptor');
  if (count > MAX_DESCRIPTORS) refuseFile(format, `it has more than ${MAX_DESCRIPTORS} descriptors`);
  const fitting = silent.reduce(
    (names, source) => networksOfSilent(format, source, { names, ecc }),
    fittingNetworks(format, [...texts, ...repeats, ...signers], stated),
  );
  const network =
    requested === undefined ? defaultNetwork(fitting) : chosen(format, resolveNetwork(requested), fitting);
  const reading = { network: network ?? networks[fitting[0] ?? 'main'], ecc };
  const parsed = texts.map((text) => parseText(format, text, reading));
  for (const one of parsed) assertFirstAddress(format, one, reading);
  const repeated = repeats.map((text) => parseText(format, text, reading));
  const descriptors = joinChains(format, parsed, repeated);
  const ofSilence = silent.map((source) => parseSilent(format, source, reading));
  const { gapLimit, ...annotated } = joinAnnotations([...parsed, ...ofSilence].map(({ annotations }) => annotations));
  const births = [birthHeight, annotated.birthHeight].filter((height) => height !== undefined);
  return {
    format,
    ...(name !== undefined && { name }),
    ...(network && { network }),
    networks: fitting,
    descriptors,
    silent: ofSilence,
    signers: signers.map(({ text, script }) => ({ text, ...(script && { script }) })),
    fingerprints: [...new Set([...fingerprintsIn(descriptors), ...signers.flatMap(({ text }) => fingerprintOf(text))])],
    ...(births.length > 0 && { birthHeight: Math.min(...births) }),
    ...(gapLimit !== undefined && { gapLimit }),
    ...(registered && { registered }),
  };
}

interface KeyReading {
  readonly network: Network;
  readonly ecc: Ecc;
}

/** Returns the networks that the keys and first addresses fit. */
function fittingNetworks(
  format: WalletFileFormat,
  texts: readonly DescriptorText[],
  stated: readonly NetworkName[] | undefined,
): readonly NetworkName[] {
  const keys = texts.flatMap(({ text }) => keysIn(text));
  const all = keys.length > 0 ? networksOfKeys(format, keys) : (Object.keys(networks) as readonly NetworkName[]);
  const ofKeys = all.filter((name) => stated?.includes(name) ?? true);
  if (ofKeys.length === 0) refuseFile(format, 'its keys are not for the network that it states');
  const addresses = texts.flatMap(({ firstAddress }) => firstAddress?.address ?? []);
  const ofAddresses = ofKeys.filter((name) =>
    addresses.every((address) => unlessRefused(() => parseAddress(address, networks[name]))),
  );
  // If no network fits, comparing the first address refuses the file.
  return ofAddresses.length > 0 ? ofAddresses : ofKeys;
}

const fingerprintOf = (text: string): readonly string[] => {
  const { fingerprint } = keyParts(text) ?? {};
  return fingerprint === undefined ? [] : [fingerprint];
};

const parseSilent = (
  format: WalletFileFormat,
  { text, place }: DescriptorText,
  { network, ecc }: KeyReading,
): AnnotatedKeys => {
  assertWhole(format, { text, place });
  return refusing(format, place, () => parseSilentPaymentDescriptor(text, network, ecc));
};

/** Returns those of the networks that have such a wallet; refuses it if none has. */
function networksOfSilent(
  format: WalletFileFormat,
  source: DescriptorText,
  { names, ecc }: { readonly names: readonly NetworkName[]; readonly ecc: Ecc },
): readonly NetworkName[] {
  const fitting = names.filter((name) =>
    unlessRefused(() => parseSilent(format, source, { network: networks[name], ecc })),
  );
  if (fitting.length === 0) parseSilent(format, source, { network: networks[names[0] ?? 'main'], ecc });
  return fitting;
}

/** Prefers Bitcoin's main network. */
function defaultNetwork(fitting: readonly NetworkName[]): Network | undefined {
  const [only] = fitting;
  if (fitting.includes('main')) return networks.main;
  return only && fitting.length === 1 ? networks[only] : undefined;
}

/** Accepts any network of the caller's own making. */
function chosen(format: WalletFileFormat, network: Network, fitting: readonly NetworkName[]): Network {
  const isBuiltIn = Object.hasOwn(networks, network.name);
  if (!isBuiltIn || fitting.some((name) => name === network.name)) return network;
  const [name, candidates] = [WALLET_FILE_FORMATS[format], fitting.join(' or ')];
  const data = { format: name, found: candidates, network: network.name };
  throw new BtcError('walletfile/network', data, `${otherNetworkText(name, candidates, network)}: name its network`);
}

function parseText(format: WalletFileFormat, source: DescriptorText, { network, ecc }: KeyReading): ParsedText {
  const { text, place } = source;
  if (text.length > MAX_DESCRIPTOR_SIZE) {
    refuseFile(format, `${place} has more than ${MAX_DESCRIPTOR_SIZE} characters, too many for a descriptor`);
  }
  assertWhole(format, source);
  const { text: plain, annotations } = refusing(format, place, () => splitAnnotations(text));
  const usual = withUsualPrefixes(format, withUsualChains(format, { ...source, text: plain }));
  const descriptor = refusing(format, place, () => parseDescriptor(usual, network, { ecc }));
  if (keyExpressions(descriptor).some((key) => countPaths(key) > MAX_PATHS)) {
    refuseFile(format, `${place} has more than ${MAX_PATHS} paths`);
  }
  return { ...source, descriptor, annotations };
}

/** Refuses a part of a descriptor, of which errors would quote a part of a key: programs break lines. */
function assertWhole(format: WalletFileFormat, { text, place }: DescriptorText): void {
  const [opened, closed] = [text.split('('), text.split(')')];
  if (opened.length === 1) refuseFile(format, `${place}: it is not a descriptor such as wpkh(KEY)`);
  if (opened.length === closed.length) return;
  refuseFile(
    format,
    `${place}: a bracket is not closed, or not opened: write the whole descriptor in one line, or copy it again`,
  );
}

function refusing<T>(format: WalletFileFormat, place: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    return refuseFile(format, `${place}: ${faultText(error)}`);
  }
}

const LONGEST_FAULT = 200;

/**
 * Descriptor errors mask what may be private. This also shortens extended public keys, since a damaged file may have
 * something else in the middle of one.
 */
function faultText({ code, data, message }: BtcError): string {
  if (code !== 'descriptor/invalid' && code !== 'descriptor/checksum') return message;
  const { reason, hint } = data as { readonly reason: string; readonly hint?: string };
  const masked = reason.replace(/([A-Za-z]pub)[0-9A-Za-z]{8,}/g, '$1...');
  const short = masked.length > LONGEST_FAULT ? `${masked.slice(0, LONGEST_FAULT)}...` : masked;
  return hint === undefined ? short : `${short} (${hint})`;
}

function assertFirstAddress(
  format: WalletFileFormat,
  { descriptor, firstAddress }: ParsedText,
  { network, ecc }: KeyReading,
): void {
  if (!firstAddress) return;
  const { address, place } = firstAddress;
  const script = unlessRefused(() => parseAddress(address, network));
  if (!script) refuseFile(format, `${place} is not a valid address on the network of its keys`);
  const [receive = descriptor] = singlePaths(descriptor);
  const [derived] = unlessRefused(() => createDeriver(receive, { ecc })(0))?.scriptPubKeys ?? [];
  if (!derived) refuseFile(format, 'its first address cannot be derived without private keys');
  if (equalBytes(script, derived)) return;
  const actual = formatAddress(derived, network) ?? 'another one';
  refuseFile(
    format,
    `${place} is not the wallet’s first address, which is ${actual}: the file is damaged, or was changed`,
  );
}

export function fingerprintsIn(descriptors: readonly Descriptor[]): readonly string[] {
  const fingerprints = descriptors.flatMap(flatKeys).flatMap((key) => {
    if (key.origin) return [formatHex(key.origin.fingerprint)];
    return key.kind === 'extended' && key.key.depth === 0 ? [formatHex(keyFingerprint(key.key))] : [];
  });
  return [...new Set(fingerprints)];
}
