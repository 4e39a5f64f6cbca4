import type { Ecc } from '../crypto/ecc.ts';
import type { Network } from '../network/networks.ts';
import type { Derivations } from './derivations.ts';
import { createDescriptorStore } from './descriptorStore.ts';
import { createLegacyStore } from './legacyStore.ts';
import { createRecordIndex } from './recordIndex.ts';
import type { NodeRules } from './rules.ts';
import { createVault } from './vault.ts';
import type { BlockPlace, Wallet } from './walletState.ts';

/** Creates a wallet without keys that follows the chain from `tip` on. */
export function createWallet(
  given: Pick<Wallet, 'name' | 'disablesPrivateKeys' | 'avoidsReuse'> & { readonly isBlank?: boolean },
  {
    tip,
    ...surroundings
  }: {
    readonly rules: NodeRules;
    readonly network: Network;
    readonly ecc: Ecc;
    readonly derivations: Derivations;
    readonly tip: BlockPlace;
  },
): Wallet {
  const { rules } = surroundings;
  const vault = createVault();
  return {
    ...given,
    isBlank: given.isBlank ?? true,
    payTxFee: 0n,
    rules,
    vault,
    legacy: rules.keyStore === 'legacy' ? createLegacyStore(surroundings, vault) : undefined,
    descriptors: rules.keyStore === 'descriptors' ? createDescriptorStore(surroundings, vault) : undefined,
    book: new Map(),
    labels: new Map(),
    locked: new Map(),
    records: new Map(),
    ordered: [],
    byId: [],
    index: createRecordIndex(),
    effects: [],
    spenders: new Map(),
    tip,
    written: tip,
    birth: Number.POSITIVE_INFINITY,
    deadlines: { wall: 0, steady: 0 },
    relockTime: 0,
  };
}
