import { outpointKey } from '../tx/txid.ts';
import type { WalletEvent } from './events.ts';
import { editEntry } from './ownership.ts';
import { abandon, recordOf } from './records.ts';
import { addSecret, encryptVault } from './vault.ts';
import type { Wallet } from './walletState.ts';

/** A change that the wallet makes to itself; a rescan needs the chain. */
type OwnEvent = Exclude<WalletEvent, { type: 'rescan' }>;

/** Applies an event to a wallet; the caller has validated it. */
export function applyWalletEvent(wallet: Wallet, event: OwnEvent): void {
  switch (event.type) {
    case 'key':
    case 'script':
    case 'public-key':
    case 'origin':
    case 'watch':
      applyLegacyEvent(wallet, event);
      break;
    case 'label':
      editEntry(wallet, event.script).label = event.label;
      break;
    case 'descriptor':
      applyDescriptor(wallet, event);
      break;
    case 'top-up':
      wallet.descriptors?.topUpActive();
      break;
    case 'abandon': {
      const wtx = recordOf(wallet, event.txid);
      if (wtx) abandon(wallet, wtx);
      break;
    }
    case 'lock':
    case 'unlock':
      applyLock(wallet, event);
      break;
    default:
      encryptVault(wallet.vault, event.master);
      for (const { publicKey, secret } of event.secrets) addSecret(wallet.vault, publicKey, secret);
  }
}

type EventOf<T extends WalletEvent['type']> = Extract<WalletEvent, { type: T }>;

function applyLegacyEvent(
  { legacy, vault, index }: Wallet,
  event: EventOf<'key' | 'script' | 'public-key' | 'origin' | 'watch'>,
): void {
  index.isStale = true;
  switch (event.type) {
    case 'key':
      addSecret(vault, event.publicKey, event.secret);
      legacy?.addKey(event.publicKey, event.timestamp);
      break;
    case 'script':
      legacy?.addScript(event.script, event.timestamp);
      break;
    case 'public-key':
      legacy?.addPublicKey(event.publicKey, event.timestamp);
      break;
    case 'origin':
      legacy?.addOrigin(event.publicKey, event.origin);
      break;
    default:
      legacy?.watch(event.script, event.timestamp);
  }
}

function applyDescriptor(wallet: Wallet, event: EventOf<'descriptor'>): void {
  const { vault, descriptors } = wallet;
  for (const { publicKey, secret } of event.secrets) addSecret(vault, publicKey, secret);
  const { descriptor, normalized, timestamp, isActive, first, end, next } = event;
  const isNew = descriptors?.add(
    { descriptor, normalized, timestamp, first, end, next },
    {
      isActive,
      side: event.isInternal ? 'internal' : 'external',
      held: event.secrets.map(({ publicKey }) => publicKey),
    },
  );
  // An earlier timestamp for a known descriptor takes effect only when the wallet is next loaded.
  if (isNew) wallet.birth = Math.min(wallet.birth, timestamp);
}

function applyLock({ locked }: Wallet, event: EventOf<'lock' | 'unlock'>): void {
  for (const { txid, vout } of event.outpoints) {
    const key = outpointKey({ txid, vout });
    const isPersistent = event.type === 'lock' && (event.isPersistent ?? locked.get(key)?.isPersistent ?? false);
    if (event.type === 'lock') locked.set(key, { txid, vout, isPersistent });
    else locked.delete(key);
  }
}
