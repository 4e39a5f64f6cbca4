import { createDescriptorStore, type StoreParts } from '../keys/descriptorStore.ts';
import { createLegacyStore } from '../keys/legacyStore.ts';
import { createVault } from '../keys/vault.ts';
import { createRecordIndex } from './recordIndex.ts';
import type { BlockPlace, WaitingRecords, Wallet } from './walletState.ts';

interface Surroundings extends StoreParts {
  readonly tip: BlockPlace;
}

export function createWallet(
  options: Pick<Wallet, 'name' | 'disablesPrivateKeys' | 'avoidsReuse'> & { readonly isBlank?: boolean },
  { tip, ...surroundings }: Surroundings,
): Wallet {
  const { rules } = surroundings;
  const vault = createVault();
  const kept: Pick<Wallet, 'records' | 'ordered' | 'byId' | 'index' | 'spenders'> = {
    records: new Map(),
    ordered: [],
    byId: [],
    index: createRecordIndex(),
    spenders: new Map(),
  };
  const restored = (): typeof kept => {
    if (wallet.waiting) restoreWaiting(wallet, wallet.waiting);
    return kept;
  };
  const wallet: Wallet = {
    ...options,
    isBlank: options.isBlank ?? true,
    payTxFee: 0n,
    rules,
    vault,
    legacy: rules.keyStore === 'legacy' ? createLegacyStore(surroundings, vault) : undefined,
    descriptors: rules.keyStore === 'descriptors' ? createDescriptorStore(surroundings, vault) : undefined,
    book: new Map(),
    labels: new Map(),
    locked: new Map(),
    waiting: undefined,
    get records() {
      return restored().records;
    },
    get ordered() {
      return restored().ordered;
    },
    get byId() {
      return restored().byId;
    },
    get index() {
      return restored().index;
    },
    get spenders() {
      return restored().spenders;
    },
    effects: [],
    tip,
    written: tip,
    birth: Number.POSITIVE_INFINITY,
    deadlines: { wall: 0, steady: 0 },
    relockTime: 0,
  };
  return wallet;
}

/** @throws Error for damaged records, now and whenever a record is read */
function restoreWaiting(wallet: Wallet, waiting: WaitingRecords): void {
  wallet.waiting = undefined;
  try {
    waiting.restore();
  } catch (error) {
    wallet.waiting = waiting;
    throw error;
  }
}
