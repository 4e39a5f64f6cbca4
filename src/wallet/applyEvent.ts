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

/** The context in which an event is applied. */
export interface Surroundings {
  readonly chain: Chain;
  readonly network: Network;
  readonly ecc: Ecc;
  /** UNIX time. */
  readonly now: number;
}

/** Applies an event to a wallet; the caller has validated it. */
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
      const wtx = recordOf(wallet, parseTxid(event.txid));
      if (wtx) abandon(wallet, wtx);
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
  // A taproot key's text drops the parity byte, but a node needs the full key to report its origin. Restore it.
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
  // An earlier timestamp for a known descriptor takes effect only when the wallet is next loaded.
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
