import { formatAddress } from '../address/address.ts';
import { formatHex } from '../bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { formatXprv, formatXpub } from '../keys/bip32.ts';
import { formatOrigin, formatPath } from '../keys/path.ts';
import { formatWif } from '../keys/wif.ts';
import { type Network, type NetworkOption, resolveNetwork } from '../network/networks.ts';
import { assertDescriptor } from './assertDescriptor.ts';
import { withChecksum } from './checksum.ts';
import { printMiniscript } from './miniscript/index.ts';
import type { Descriptor, KeyExpression, TreeLeaf } from './types.ts';

interface Style {
  readonly network: Network;
  readonly isPrivate: boolean;
}

/** Options for writing a descriptor. */
export interface FormatDescriptorOptions {
  readonly isPrivate?: boolean;
}

const FORMAT_OPTIONS: OptionNames<FormatDescriptorOptions> = { isPrivate: true };

/**
 * Formats a descriptor with its checksum; `isPrivate` prints its private keys.
 * @see Bitcoin Core `Descriptor::ToString`
 *
 * @example
 * ```ts
 * import { formatDescriptor, networks, parseDescriptor } from 'countersign';
 *
 * formatDescriptor(parseDescriptor('raw(51)', networks.main), networks.main); // raw(51)#8lvh9jxk
 * ```
 */
export function formatDescriptor(
  descriptor: Descriptor,
  network: NetworkOption,
  options: FormatDescriptorOptions = {},
): string {
  assertDescriptor(descriptor);
  assertKnownOptions(options, FORMAT_OPTIONS);
  const { isPrivate = false } = options;
  return withChecksum(formatBody(descriptor, { network: resolveNetwork(network), isPrivate }));
}

function formatBody(descriptor: Descriptor, style: Style): string {
  switch (descriptor.kind) {
    case 'sh':
    case 'wsh':
      return `${descriptor.kind}(${formatBody(descriptor.inner, style)})`;
    case 'tr': {
      const key = formatKey(descriptor.key, style);
      return descriptor.leaves.length === 0 ? `tr(${key})` : `tr(${key},${formatTree(descriptor.leaves, style)})`;
    }
    case 'addr':
      return `addr(${formatAddress(descriptor.script, style.network) ?? ''})`;
    case 'raw':
      return `raw(${formatHex(descriptor.script)})`;
    case 'miniscript':
      return printMiniscript(descriptor.root, (key) => formatKey(key, style));
    default: {
      if ('key' in descriptor) return `${descriptor.kind}(${formatKey(descriptor.key, style)})`;
      const keys = descriptor.keys.map((key) => formatKey(key, style));
      return `${descriptor.kind}(${[descriptor.required, ...keys].join(',')})`;
    }
  }
}

/** Opens a brace before the first leaf of each branch and closes it after the last. */
function formatTree(leaves: readonly TreeLeaf[], style: Style): string {
  let text = '';
  const isRight: boolean[] = [];
  for (const { depth, script } of leaves) {
    while (isRight.length < depth) {
      isRight.push(false);
      text += '{';
    }
    text += formatBody(script, style);
    while (isRight.at(-1) === true) {
      isRight.pop();
      text += '}';
    }
    if (isRight.length > 0) {
      isRight[isRight.length - 1] = true;
      text += ',';
    }
  }
  return text;
}

export function formatKey(key: KeyExpression, style: Style): string {
  if (key.kind === 'musig') {
    return `musig(${key.participants.map((part) => formatKey(part, style)).join(',')})${formatSuffix(key, 'h')}`;
  }
  const origin = key.origin && formatOrigin(key.origin, key.mark);
  return `${origin ?? ''}${bareKey(key, style)}`;
}

function bareKey(key: Exclude<KeyExpression, { kind: 'musig' }>, { network, isPrivate }: Style): string {
  if (key.kind === 'extended') {
    const format = isPrivate && key.key.secretKey ? formatXprv : formatXpub;
    return `${format(key.key, network)}${formatSuffix(key, key.mark)}`;
  }
  if (isPrivate && key.secretKey) {
    return formatWif({ secretKey: key.secretKey, isCompressed: key.publicKey.length === 33 }, network);
  }
  return formatHex(key.isXOnly ? key.publicKey.slice(1) : key.publicKey);
}

const WILDCARDS = { none: '', unhardened: '/*', hardened: '/*' } as const;

function formatSuffix({ path, wildcard }: Exclude<KeyExpression, { kind: 'fixed' }>, mark: "'" | 'h'): string {
  const steps = path.map((step) =>
    typeof step === 'number'
      ? formatPath([step], mark)
      : `/<${step.map((child) => formatPath([child], mark).slice(1)).join(';')}>`,
  );
  return `${steps.join('')}${WILDCARDS[wildcard]}${wildcard === 'hardened' ? mark : ''}`;
}
