import { parseAddress } from '../../../core/address/address.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import { formatHex, isHex, parseHex } from '../../../core/bytes/hex.ts';
import { createDeriver, singlePaths } from '../../../core/descriptors/derive.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { keyFingerprint } from '../../../core/keys/bip32.ts';
import { usualWallets } from '../../../kit/open/accountOfKey.ts';
import type { OpenedKey } from '../../../kit/open/openKeys.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import type { CommandContext } from '../openContext.ts';

/** What a person knows of a wallet whose words are incomplete. */
export interface Sought {
  /** Continues "The seed has". Undefined if the person names nothing. */
  readonly text: string | undefined;
  readonly isMetBy: (opened: OpenedKey) => boolean;
}

/** How many receive addresses of each kind are compared. */
export const LOOKED_AT = 20;

interface Line {
  readonly fingerprint: string | undefined;
  readonly address: string | undefined;
}

type Criterion = readonly [text: string, isMetBy: (opened: OpenedKey) => boolean];

export function readSought({ fingerprint, address }: Line, context: CommandContext): Sought {
  const criteria = [
    ...(fingerprint === undefined ? [] : [fingerprintCriterion(fingerprint)]),
    ...(address === undefined ? [] : [addressCriterion(address, context)]),
  ];
  return {
    text: criteria.length === 0 ? undefined : criteria.map(([text]) => text).join(' and '),
    isMetBy: (opened) => criteria.every(([, isMetBy]) => isMetBy(opened)),
  };
}

function fingerprintCriterion(digits: string): Criterion {
  if (!isHex(digits) || digits.length !== 8) throw new UsageError('--fingerprint takes 8 hex digits, such as 73c5da0a');
  const wanted = parseHex(digits);
  return [
    `the fingerprint ${formatHex(wanted)}`,
    (opened) => opened.kind !== 'single' && equalBytes(keyFingerprint(opened.key), wanted),
  ];
}

function addressCriterion(address: string, { network, ecc }: CommandContext): Criterion {
  const script = withUsageErrors(
    () => parseAddress(address.trim(), network),
    (reason) => `--address: ${reason}`,
  );
  return [
    `the address among the first ${LOOKED_AT} receive addresses of each usual kind (P2PKH, P2SH-P2WPKH, P2WPKH, P2TR), account 0`,
    (opened) => usualWallets(opened, { network, ecc }).some((descriptor) => receives(descriptor, script, ecc)),
  ];
}

/** Compares more than the first address only if it is of the same size: the kinds differ in that. */
function receives(descriptor: Descriptor, script: Uint8Array, ecc: CommandContext['ecc']): boolean {
  const [receive = descriptor] = singlePaths(descriptor);
  const derive = createDeriver(receive, { ecc });
  for (let index = 0; index < LOOKED_AT; index += 1) {
    const [derived] = derive(index).scriptPubKeys;
    if (derived?.length !== script.length) return false;
    if (equalBytes(derived, script)) return true;
  }
  return false;
}
