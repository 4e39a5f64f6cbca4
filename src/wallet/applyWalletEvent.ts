import { chainTx } from '../chain/chainTx.ts';
import { outpointKey } from '../tx/txid.ts';
import { setLabel } from './addressBook.ts';
import type { WalletEvent } from './events.ts';
import { takeAddress } from './newAddresses.ts';
import { abandon, addIfInvolvingMe, recordOf } from './records.ts';
import { addSecret, encryptVault } from './vault.ts';
import type { Wallet } from './walletState.ts';

/** A change that the wallet makes to itself; a rescan needs the chain. */
type OwnEvent = Exclude<WalletEvent, { type: 'rescan' }>;

/** Applies an event to a wallet at a UNIX time; the caller has validated it. */
export function applyWalletEvent(wallet: Wallet, event: OwnEvent, now: number): void {
  switch (event.type) {
    case 'key':
    case 'script':
    case 'public-key':
    case 'origin':
    case 'watch':
      applyLegacyEvent(wallet, event);
      break;
    case 'label':
      setLabel(wallet, event.script, event.label, event.purpose);
      break;
    case 'descriptor':
      applyDescriptor(wallet, event);
      break;
    case 'descriptor-keys':
      wallet.descriptors?.addHardenedKeys(event);
      break;
    case 'seed':
    case 'seed-keys':
    case 'pool-key':
      applyHdEvent(wallet, event, now);
      break;
    case 'top-up':
      wallet.legacy?.hd.topUp(now, event.size);
      wallet.descriptors?.topUpActive(event.size);
      break;
    case 'address':
      takeAddress(wallet, event, now);
      break;
    case 'abandon': {
      const wtx = recordOf(wallet, event.txid);
      if (wtx) abandon(wallet, wtx);
      break;
    }
    case 'payment':
      addIfInvolvingMe(wallet, chainTx(event.tx), { state: { kind: 'unconfirmed' }, now });
      break;
    case 'note':
      applyNote(wallet, event);
      break;
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

function applyLegacyEvent(wallet: Wallet, event: EventOf<'key' | 'script' | 'public-key' | 'origin' | 'watch'>): void {
  const { legacy, vault, index } = wallet;
  index.isStale = true;
  wallet.isBlank &&= event.type === 'origin';
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

function applyHdEvent(wallet: Wallet, event: EventOf<'seed' | 'seed-keys' | 'pool-key'>, now: number): void {
  const hd = wallet.legacy?.hd;
  switch (event.type) {
    case 'seed':
      hd?.setSeed(event, event.keys);
      if (!event.flushesPool) break;
      hd?.pool.clear();
      hd?.topUp(now);
      break;
    case 'seed-keys':
      hd?.addKeys(event);
      break;
    default:
      hd?.pool.add(event.side, { publicKey: event.publicKey, time: now });
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

function applyNote(wallet: Wallet, { type: _, txid, ...notes }: EventOf<'note'>): void {
  const wtx = recordOf(wallet, txid);
  if (wtx) wtx.notes = { ...wtx.notes, ...notes };
}

function applyLock({ locked }: Wallet, event: EventOf<'lock' | 'unlock'>): void {
  for (const { txid, vout } of event.outpoints) {
    const key = outpointKey({ txid, vout });
    const isPersistent = event.type === 'lock' && (event.isPersistent ?? locked.get(key)?.isPersistent ?? false);
    if (event.type === 'lock') locked.set(key, { txid, vout, isPersistent });
    else locked.delete(key);
  }
}
