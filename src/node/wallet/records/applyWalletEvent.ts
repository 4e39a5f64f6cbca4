import { outpointKey } from '../../../core/tx/txid.ts';
import { chainTx } from '../../chain/chainTx.ts';
import { addSecret, lockVault, sealVault } from '../keys/vault.ts';
import { setLabel } from './addressBook.ts';
import { saveTip } from './chainSync.ts';
import type { WalletEvent } from './events.ts';
import { takeAddress } from './newAddresses.ts';
import { changeRecord, touchEach } from './recordIndex.ts';
import { abandon, addIfInvolvingMe, findRecord, record, removeRecord } from './records.ts';
import type { Wallet } from './walletState.ts';
import type { WalletTx } from './walletTx.ts';

/** A rescan needs the chain. */
type OwnEvent = Exclude<WalletEvent, { type: 'rescan' }>;

/** Applies an event that the caller has validated. `now`: UNIX time. */
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
      setLabel(wallet, event);
      break;
    case 'descriptor':
      applyDescriptor(wallet, event);
      break;
    case 'seed':
    case 'pool-key':
      applyHdEvent(wallet, event, now);
      break;
    case 'top-up':
      wallet.legacy?.hd.topUp(now, event.size);
      wallet.descriptors?.topUpActive(event.size);
      break;
    case 'save-tip':
      saveTip(wallet);
      break;
    case 'address':
      takeAddress(wallet, event, now);
      break;
    case 'abandon':
    case 'payment':
    case 'pruned-funds':
    case 'remove':
    case 'note':
      applyTxEvent(wallet, event, now);
      break;
    case 'lock':
    case 'unlock':
      applyLock(wallet, event);
      break;
    case 'flag':
      wallet.change({ avoidsReuse: event.isSet });
      // Every coin's balance may change.
      touchEach(wallet);
      break;
    case 'pay-tx-fee':
      wallet.change({ payTxFee: BigInt(event.rate) });
      break;
    case 'passphrase':
      sealVault(wallet.vault, event.master);
      break;
    default:
      sealVault(wallet.vault, event.master);
      lockVault(wallet.vault);
      for (const { publicKey, secret } of event.secrets) addSecret(wallet.vault, publicKey, secret);
  }
}

type EventOf<T extends WalletEvent['type']> = Extract<WalletEvent, { type: T }>;

function applyLegacyEvent(wallet: Wallet, event: EventOf<'key' | 'script' | 'public-key' | 'origin' | 'watch'>): void {
  const { legacy, vault } = wallet;
  if (wallet.row.isBlank && event.type !== 'origin') wallet.change({ isBlank: false });
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

function applyHdEvent({ legacy }: Wallet, event: EventOf<'seed' | 'pool-key'>, now: number): void {
  const hd = legacy?.hd;
  if (event.type === 'pool-key') {
    hd?.addToPool(event.side, { publicKey: event.publicKey, time: now });
    return;
  }
  const { publicKey, fingerprint, hasScanKey } = event;
  hd?.setSeed({ publicKey, fingerprint, hasScanKey });
  if (!event.flushesPool) return;
  hd?.pool.clear();
  hd?.topUp(now);
}

function applyDescriptor(wallet: Wallet, event: EventOf<'descriptor'>): void {
  if (wallet.row.isBlank && event.isGenerated) wallet.change({ isBlank: false });
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
  // An earlier timestamp for a known descriptor counts only when the wallet is next loaded.
  if (isNew) wallet.change({ birth: Math.min(wallet.row.birth, timestamp) });
}

function applyTxEvent(
  wallet: Wallet,
  event: EventOf<'abandon' | 'payment' | 'pruned-funds' | 'remove' | 'note'>,
  now: number,
): void {
  if (event.type === 'payment') {
    addIfInvolvingMe(wallet, chainTx(event.tx), { state: { kind: 'unconfirmed' }, now });
    return;
  }
  if (event.type === 'pruned-funds') {
    const { tx, block, index, time } = event;
    record(wallet, chainTx(tx), { state: { kind: 'confirmed', block, index, time }, now });
    return;
  }
  const wtx = findRecord(wallet, event.txid);
  if (!wtx) return;
  if (event.type === 'abandon') abandon(wallet, wtx);
  else if (event.type === 'remove') removeRecord(wallet, wtx);
  else applyNote(wallet, wtx, event);
}

function applyNote(wallet: Wallet, wtx: WalletTx, { type: _, txid: __, ...notes }: EventOf<'note'>): void {
  changeRecord(wallet, wtx, { notes: { ...wtx.notes, ...notes } });
}

function applyLock({ locked }: Wallet, event: EventOf<'lock' | 'unlock'>): void {
  for (const { txid, vout } of event.outpoints) {
    const key = outpointKey({ txid, vout });
    const isPersistent = event.type === 'lock' && (event.isPersistent ?? locked.get(key)?.isPersistent ?? false);
    if (event.type === 'lock') locked.set(key, { isPersistent });
    else locked.delete(key);
  }
}
