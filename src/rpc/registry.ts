import { withoutSecrets } from '../encoding/redaction.ts';
import {
  getbestblockhash,
  getblockcount,
  getblockhash,
  invalidateblock,
  reconsiderblock,
  setmocktime,
  submitblock,
} from './blockchain/blocks.ts';
import type { DialectName } from './dialect.ts';
import { dialects } from './dialect.ts';
import { droptransaction, getrawmempool, sendrawtransaction } from './mempool/sendrawtransaction.ts';
import { methodsByName, type RpcMethod, type RpcSignature } from './method.ts';
import { statelessMethods } from './statelessMethods.ts';
import type { NodeMethod, WalletMethod } from './wallet/context.ts';
import { getaddressinfo } from './wallet/getaddressinfo.ts';
import { getwalletinfo } from './wallet/getwalletinfo.ts';
import { importdescriptors } from './wallet/importdescriptors.ts';
import { importaddress, importprivkey, importpubkey } from './wallet/importlegacy.ts';
import { importmulti } from './wallet/importmulti.ts';
import { abandontransaction, listlockunspent, lockunspent, setlabel } from './wallet/labelsAndLocks.ts';
import { listdescriptors } from './wallet/listdescriptors.ts';
import { listsinceblock } from './wallet/listsinceblock.ts';
import { listunspent } from './wallet/listunspent.ts';
import { signrawtransactionwithwallet } from './wallet/signrawtransactionwithwallet.ts';
import { encryptwallet, walletlock, walletpassphrase, walletpassphrasechange } from './wallet/walletpassphrase.ts';
import { createwallet, listwallets, loadwallet, unloadwallet } from './wallet/wallets.ts';

/** The methods of wallets and of the node, in help order. */
export const statefulMethods: readonly (WalletMethod | NodeMethod)[] = [
  listunspent,
  listsinceblock,
  getaddressinfo,
  signrawtransactionwithwallet,
  getwalletinfo,
  importdescriptors,
  listdescriptors,
  importprivkey,
  importaddress,
  importpubkey,
  importmulti,
  setlabel,
  lockunspent,
  listlockunspent,
  abandontransaction,
  encryptwallet,
  walletpassphrase,
  walletpassphrasechange,
  walletlock,
  createwallet,
  loadwallet,
  unloadwallet,
  listwallets,
  submitblock,
  invalidateblock,
  reconsiderblock,
  sendrawtransaction,
  droptransaction,
  setmocktime,
  getblockcount,
  getblockhash,
  getbestblockhash,
  getrawmempool,
];

// Bundlers drop an unused annotated call only if its arguments are plain names: a spread would keep every method.
const ALL = /* @__PURE__ */ methodsByName<RpcMethod | WalletMethod | NodeMethod>(statelessMethods, statefulMethods);

/** Lists all methods, in help order. */
export const allMethods = (): readonly RpcSignature[] => [...statelessMethods, ...statefulMethods];

/** Finds a method by name, whatever it needs. */
export const findMethod = (name: string): RpcMethod | NodeMethod | WalletMethod | undefined => ALL.get(name);

/** Returns a method's name for an error text: whole if the method exists, else without what may be a secret. */
export const shownName = (name: string): string => (ALL.has(name) ? name : withoutSecrets(name));

/** Lists the dialects that have a method. */
export const dialectsWith = ({ onlyIn }: Pick<RpcSignature, 'onlyIn'>): readonly DialectName[] =>
  Object.values(dialects)
    .filter(({ generation }) => onlyIn === undefined || onlyIn === generation)
    .map(({ name }) => name);
