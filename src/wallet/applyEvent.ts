import { formatHex, parseHex } from '../bytes/hex.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { withKeys } from '../descriptors/keyExpressions.ts';
import { parseDescriptor } from '../descriptors/parse.ts';
import type { Descriptor } from '../descriptors/types.ts';
import type { Network } from '../network/networks.ts';
import { parseTxid } from '../tx/txid.ts';
import { type Chain, outpointName } from './chainState.ts';
import type { WalletEvent } from './events.ts';
import { rescan } from './follow.ts';
import { editEntry } from './ownership.ts';
import { abandon, recordOf } from './records.ts';
import { addSecret, encryptVault } from './vault.ts';
import type { Wallet } from './walletState.ts';

/** Where an event happens, and when. */
export interface Surroundings {
  readonly chain: Chain;
  readonly network: Network;
  readonly ecc: Ecc;
  /** UNIX time. */
  readonly now: number;
}

/** Carries an event out. Whether it may happen was asked before. */
export function applyWalletEvent(wallet: Wallet, event: WalletEvent, { chain, network, now }: Surroundings): void {
  switch (event.type) {
    case 'key':
    case 'script':
    case 'public-key':
    case 'origin':
    case 'watch':
      applyLegacyEvent(wallet, event);
      break;
    case 'label':
      editEntry(wallet, parseHex(event.script)).label = event.label;
      break;
    case 'descriptor':
      applyDescriptor(wallet, event, network);
      break;
    case 'rescan':
      rescan(wallet, chain, event.from, now);
      break;
    case 'abandon': {
      const one = recordOf(wallet, parseTxid(event.txid));
      if (one) abandon(wallet, one);
      break;
    }
    case 'lock':
    case 'unlock':
      applyLock(wallet, event);
      break;
    default:
      encryptVault(wallet.vault, event.master);
      for (const [publicKey, secret] of Object.entries(event.secrets)) {
        addSecret(wallet.vault, parseHex(publicKey), secret);
      }
  }
}

type EventOf<T extends WalletEvent['type']> = Extract<WalletEvent, { type: T }>;

function applyLegacyEvent(
  { legacy, vault }: Wallet,
  event: EventOf<'key' | 'script' | 'public-key' | 'origin' | 'watch'>,
): void {
  switch (event.type) {
    case 'key': {
      const publicKey = parseHex(event.publicKey);
      addSecret(vault, publicKey, event.secret);
      legacy?.addKey(publicKey, event.timestamp);
      break;
    }
    case 'script':
      legacy?.addScript(parseHex(event.script), event.timestamp);
      break;
    case 'public-key':
      legacy?.addPublicKey(parseHex(event.publicKey), event.timestamp);
      break;
    case 'origin':
      legacy?.addOrigin(parseHex(event.publicKey), { fingerprint: parseHex(event.fingerprint), path: event.path });
      break;
    default:
      legacy?.watch(parseHex(event.script), event.timestamp);
  }
}

function applyDescriptor(wallet: Wallet, event: EventOf<'descriptor'>, network: Network): void {
  const { rules, vault, descriptors } = wallet;
  for (const { publicKey, secret } of event.secrets) addSecret(vault, parseHex(publicKey), secret);
  const full = new Map(event.secrets.map(({ publicKey }) => [publicKey.slice(2), parseHex(publicKey)]));
  // Texts of taproot's keys lose their sign, by which a node still names where they come from.
  const parse = (text: string): Descriptor =>
    withKeys(parseDescriptor(text, network, { rules: rules.descriptors, wasAccepted: true }), (key) => {
      const publicKey = key.kind === 'fixed' && key.isXOnly ? full.get(formatHex(key.publicKey.slice(1))) : undefined;
      return publicKey && key.kind === 'fixed' ? { ...key, publicKey } : key;
    });
  const { timestamp, isActive, first, end, next } = event;
  const isNew = descriptors?.add(
    { descriptor: parse(event.descriptor), normalized: parse(event.normalized), timestamp, first, end, next },
    {
      isActive,
      side: event.isInternal ? 'internal' : 'external',
      held: event.secrets.map(({ publicKey }) => parseHex(publicKey)),
    },
  );
  // An earlier time of a descriptor that the wallet has counts once the wallet is loaded again.
  if (isNew) wallet.birth = Math.min(wallet.birth, timestamp);
}

function applyLock({ locked }: Wallet, event: EventOf<'lock' | 'unlock'>): void {
  for (const { txid, vout } of event.outpoints) {
    const id = parseTxid(txid);
    const name = outpointName(id, vout);
    const isPersistent = event.type === 'lock' && (event.isPersistent ?? locked.get(name)?.isPersistent ?? false);
    if (event.type === 'lock') locked.set(name, { txid: id, vout, isPersistent });
    else locked.delete(name);
  }
}
