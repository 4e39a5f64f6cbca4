import { byteName } from '../bytes/compare.ts';
import { hash160 } from '../crypto/hash.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { scriptIdOf } from '../descriptors/scriptId.ts';
import { payToPubkeyHash, payToWitness, wrapInScriptHash } from '../script/build.ts';
import { classifyScript, type ScriptTemplate } from '../script/template.ts';
import type { Provider } from '../signing/provider.ts';
import type { Transaction, TxIn } from '../tx/types.ts';
import type { KeyMetadata, KeyStore, Ownership } from './keyStore.ts';
import type { BookEntry, Wallet } from './walletState.ts';

const storeOf = ({ legacy, descriptors }: Wallet): KeyStore | undefined => legacy ?? descriptors;

/** Whose an output is. @see Bitcoin Core `CWallet::IsMine` */
export const ownershipOf = (wallet: Wallet, scriptPubKey: Uint8Array): Ownership =>
  storeOf(wallet)?.ownershipOf(scriptPubKey) ?? 'no';

export const isMine = (wallet: Wallet, scriptPubKey: Uint8Array): boolean => ownershipOf(wallet, scriptPubKey) !== 'no';

/** Stands for what is known of an output of one's own. @see KeyStore.knowledgeOf */
export const knowledgeOf = (wallet: Wallet, scriptPubKey: Uint8Array): object | undefined =>
  storeOf(wallet)?.knowledgeOf(scriptPubKey);

/** What the wallet knows of an output, if it tells anything. @see Bitcoin Core `CWallet::GetSolvingProvider` */
export const providerFor = (wallet: Wallet, scriptPubKey: Uint8Array): Provider | undefined =>
  storeOf(wallet)?.providerFor(scriptPubKey);

export const metadataOf = (wallet: Wallet, scriptPubKey: Uint8Array): KeyMetadata | undefined =>
  storeOf(wallet)?.metadataOf(scriptPubKey);

/** Which of one's own outputs are meant. */
export type Filter = 'own' | 'all';

/** Whether an output is meant by a filter. */
export function matches(wallet: Wallet, scriptPubKey: Uint8Array, filter: Filter): boolean {
  const ownership = ownershipOf(wallet, scriptPubKey);
  return filter === 'all' ? ownership !== 'no' : ownership === 'own';
}

const WITHOUT_ADDRESS: ReadonlySet<ScriptTemplate['type']> = new Set([
  'pubkey',
  'multisig',
  'nulldata',
  'nonstandard',
  'witness_mweb_pegin',
  'witness_mweb_hogaddr',
] as const);

/**
 * The script of an output's address; `undefined` where it has none. To 0.21, a bare key has the address of its hash.
 * @see Bitcoin Core `ExtractDestination`
 */
export function destinationOf({ rules }: Wallet, scriptPubKey: Uint8Array): Uint8Array | undefined {
  const template = classifyScript(scriptPubKey, rules.signing.templates);
  if (template.type === 'pubkey' && !rules.isModern && isValidPublicKey(template.pubkey)) {
    return payToPubkeyHash(hash160(template.pubkey));
  }
  return WITHOUT_ADDRESS.has(template.type) ? undefined : scriptPubKey;
}

/** What is noted of an address, by its script, if that counts. */
export function bookEntryOf({ book }: Wallet, destination: Uint8Array): BookEntry | undefined {
  const entry = book.get(byteName(destination));
  return entry?.label === undefined ? undefined : entry;
}

/** The label of an output's address; `undefined` where nobody has given one. */
export function labelOf(wallet: Wallet, scriptPubKey: Uint8Array): string | undefined {
  const destination = destinationOf(wallet, scriptPubKey);
  return destination && bookEntryOf(wallet, destination)?.label;
}

/** Whether an output looks like change: one's own, and no address that anybody was given. */
export function isChange(wallet: Wallet, scriptPubKey: Uint8Array): boolean {
  return isMine(wallet, scriptPubKey) && labelOf(wallet, scriptPubKey) === undefined;
}

/** The entry of an address, made if there is none. */
export function editEntry({ book }: Wallet, destination: Uint8Array): BookEntry {
  const name = byteName(destination);
  const entry = book.get(name) ?? { isUsed: false };
  book.set(name, entry);
  return entry;
}

/** Whether coins of an output's address were spent before. @see Bitcoin Core `CWallet::IsSpentKey` */
export function isUsedBefore(wallet: Wallet, scriptPubKey: Uint8Array): boolean {
  const { book, legacy } = wallet;
  const isUsed = (script: Uint8Array): boolean => book.get(byteName(script))?.isUsed === true;
  const destination = destinationOf(wallet, scriptPubKey);
  if (!destination) return false;
  if (isUsed(destination)) return true;
  return (legacy ? affectedKeys(scriptPubKey, wallet) : []).some((hash) => {
    const program = payToWitness(0, hash);
    return [payToPubkeyHash(hash), program, wrapInScriptHash(program)].some(isUsed);
  });
}

/** The hash of the key that an output's script shows only by its hash, where the key is known. @see Bitcoin Core 0.21 `GetAffectedKeys` */
function affectedKeys(
  scriptPubKey: Uint8Array,
  { rules, legacy }: Pick<Wallet, 'rules' | 'legacy'>,
): readonly Uint8Array[] {
  const known = (hash: Uint8Array): readonly Uint8Array[] => (legacy?.provider.publicKey(hash) ? [hash] : []);
  const inside = (hash: Uint8Array): readonly Uint8Array[] => {
    const inner = legacy?.provider.script(hash);
    return inner ? affectedKeys(inner, { rules, legacy }) : [];
  };
  const template = classifyScript(scriptPubKey, rules.signing.templates);
  switch (template.type) {
    case 'pubkeyhash':
      return known(template.hash);
    case 'witness_v0_keyhash':
      return known(template.program);
    case 'scripthash':
      return inside(template.hash);
    case 'witness_v0_scripthash':
      return inside(scriptIdOf(template.program));
    default:
      return [];
  }
}

/** The output that an input spends, if its transaction is recorded. */
export function prevoutOf(
  { records }: Wallet,
  { outpoint }: TxIn,
): { value: bigint; scriptPubKey: Uint8Array } | undefined {
  return records.get(byteName(outpoint.txid))?.tx.outputs[outpoint.vout];
}

/** How much a transaction takes from what is one's own, as far as its coins are recorded. */
export function debitsOf(wallet: Wallet, tx: Transaction): Readonly<Record<Filter, bigint>> {
  const debits = { own: 0n, all: 0n };
  for (const input of tx.inputs) {
    const prevout = prevoutOf(wallet, input);
    const ownership = prevout && ownershipOf(wallet, prevout.scriptPubKey);
    if (!ownership || ownership === 'no') continue;
    debits.all += prevout.value;
    if (ownership === 'own') debits.own += prevout.value;
  }
  return debits;
}

/** Whether a transaction spends from the wallet: any coin, or in 0.21 one with a value. */
export function isFromMe(wallet: Wallet, tx: Transaction): boolean {
  if (!wallet.rules.isModern) return debitsOf(wallet, tx).all > 0n;
  return tx.inputs.some((input) => {
    const prevout = prevoutOf(wallet, input);
    return prevout !== undefined && isMine(wallet, prevout.scriptPubKey);
  });
}
