import { hash160 } from '../../../core/crypto/hash.ts';
import { isValidPublicKey } from '../../../core/crypto/publicKey.ts';
import { payToPubkeyHash, payToWitness, wrapInScriptHash } from '../../../core/script/build.ts';
import { scriptKey } from '../../../core/script/scriptKey.ts';
import { classifyScript, TEMPLATES_WITHOUT_ADDRESS } from '../../../core/script/template.ts';
import { toScriptId } from '../../../core/script/unwrap.ts';
import type { SigningProvider } from '../../../core/signing/signingProvider.ts';
import { outpointTxKey, outpointVout, txKey } from '../../../core/tx/txid.ts';
import type { Transaction, TxIn, TxOut } from '../../../core/tx/types.ts';
import type { KeyMetadata, KeyStore, Ownership } from '../keys/keyStore.ts';
import type { BookEntry, Wallet } from '../records/walletState.ts';
import type { WalletTx } from '../records/walletTx.ts';

const keyStore = ({ legacy, descriptors }: Wallet): KeyStore | undefined => legacy ?? descriptors;

/** @see Bitcoin Core `CWallet::IsMine` */
export const findOwnership = (wallet: Wallet, scriptPubKey: Uint8Array): Ownership =>
  keyStore(wallet)?.findOwnership(scriptPubKey) ?? 'no';

/** Includes watch-only outputs. */
export const isMine = (wallet: Wallet, scriptPubKey: Uint8Array): boolean =>
  findOwnership(wallet, scriptPubKey) !== 'no';

/** @see KeyStore */
export const factsKey = (wallet: Wallet, scriptPubKey: Uint8Array): object | undefined =>
  keyStore(wallet)?.factsKey(scriptPubKey);

/** @see Bitcoin Core `CWallet::GetSolvingProvider` */
export const providerFor = (wallet: Wallet, scriptPubKey: Uint8Array): SigningProvider | undefined =>
  keyStore(wallet)?.providerFor(scriptPubKey);

export const findMetadata = (wallet: Wallet, scriptPubKey: Uint8Array): KeyMetadata | undefined =>
  keyStore(wallet)?.findMetadata(scriptPubKey);

/** `all` includes watch-only outputs. @see Bitcoin Core 0.21 `isminefilter` */
export type Filter = 'own' | 'all';

export function matches(wallet: Wallet, scriptPubKey: Uint8Array, filter: Filter): boolean {
  const ownership = findOwnership(wallet, scriptPubKey);
  return filter === 'all' ? ownership !== 'no' : ownership === 'own';
}

/** Returns the script of an output's address. @see Bitcoin Core `ExtractDestination` */
export function extractDestination({ rules }: Wallet, scriptPubKey: Uint8Array): Uint8Array | undefined {
  const template = classifyScript(scriptPubKey, rules.signing.templates);
  if (template.type === 'pubkey' && rules.bareKeysHaveAddresses && isValidPublicKey(template.pubkey)) {
    return payToPubkeyHash(hash160(template.pubkey));
  }
  return TEMPLATES_WITHOUT_ADDRESS.has(template.type) ? undefined : scriptPubKey;
}

/** Returns `undefined` for an entry without a label. */
export function findBookEntry({ book }: Wallet, destination: Uint8Array): BookEntry | undefined {
  const entry = book.get(scriptKey(destination));
  return entry?.label === undefined ? undefined : entry;
}

export function findLabel(wallet: Wallet, scriptPubKey: Uint8Array): string | undefined {
  const destination = extractDestination(wallet, scriptPubKey);
  return destination && findBookEntry(wallet, destination)?.label;
}

/** Tells whether an output looks like change: the wallet's, to an address outside the address book. */
export function isChange(wallet: Wallet, scriptPubKey: Uint8Array): boolean {
  return isMine(wallet, scriptPubKey) && findLabel(wallet, scriptPubKey) === undefined;
}

/** @see Bitcoin Core `CWallet::IsSpentKey` */
export function isUsedBefore(wallet: Wallet, scriptPubKey: Uint8Array): boolean {
  const { book, legacy } = wallet;
  const isUsed = (script: Uint8Array): boolean => book.get(scriptKey(script))?.isUsed === true;
  const destination = extractDestination(wallet, scriptPubKey);
  if (!destination) return false;
  if (isUsed(destination)) return true;
  return (legacy ? affectedKeys(scriptPubKey, wallet) : []).some((hash) => {
    const program = payToWitness(0, hash);
    return [payToPubkeyHash(hash), program, wrapInScriptHash(program)].some(isUsed);
  });
}

/** @see Bitcoin Core 0.21 `GetAffectedKeys` */
export function affectedKeys(
  scriptPubKey: Uint8Array,
  { rules, legacy }: Pick<Wallet, 'rules' | 'legacy'>,
): readonly Uint8Array[] {
  const knownHash = (hash: Uint8Array): readonly Uint8Array[] => (legacy?.provider.publicKey(hash) ? [hash] : []);
  const inside = (hash: Uint8Array): readonly Uint8Array[] => {
    const inner = legacy?.provider.script(hash);
    return inner ? affectedKeys(inner, { rules, legacy }) : [];
  };
  const template = classifyScript(scriptPubKey, rules.signing.templates);
  switch (template.type) {
    case 'pubkeyhash':
      return knownHash(template.hash);
    case 'witness_v0_keyhash':
      return knownHash(template.program);
    case 'scripthash':
      return inside(template.hash);
    case 'witness_v0_scripthash':
      return inside(toScriptId(template.program));
    default:
      return [];
  }
}

export function findPrevout({ records }: Wallet, { outpoint }: TxIn): TxOut | undefined {
  return records.get(txKey(outpoint.txid))?.tx.outputs[outpoint.vout];
}

/** Sums recorded coins of the wallet, in satoshi. @see Bitcoin Core `GetDebit` */
export function sumDebits(wallet: Wallet, tx: Transaction): Readonly<Record<Filter, bigint>> {
  const debits = { own: 0n, all: 0n };
  for (const input of tx.inputs) {
    const prevout = findPrevout(wallet, input);
    if (prevout) addDebit(wallet, debits, prevout);
  }
  return debits;
}

export function sumRecordDebits(wallet: Wallet, { spends }: WalletTx): Readonly<Record<Filter, bigint>> {
  const debits = { own: 0n, all: 0n };
  for (const outpoint of spends) {
    const prevout = wallet.records.get(outpointTxKey(outpoint))?.tx.outputs[outpointVout(outpoint)];
    if (prevout) addDebit(wallet, debits, prevout);
  }
  return debits;
}

function addDebit(wallet: Wallet, debits: Record<Filter, bigint>, { value, scriptPubKey }: TxOut): void {
  const ownership = findOwnership(wallet, scriptPubKey);
  if (ownership === 'no') return;
  debits.all += value;
  if (ownership === 'own') debits.own += value;
}

/** @see Bitcoin Core `CWallet::IsFromMe` */
export function isFromMe(wallet: Wallet, tx: Transaction): boolean {
  if (!wallet.rules.ownsWorthlessSpends) return sumDebits(wallet, tx).all > 0n;
  return tx.inputs.some((input) => {
    const prevout = findPrevout(wallet, input);
    return prevout !== undefined && isMine(wallet, prevout.scriptPubKey);
  });
}
