import { compareBytes } from '../../bytes/compare.ts';
import { RpcError } from '../../errors.ts';
import { formatTxid, outpointKey } from '../../tx/txid.ts';
import type { Txid } from '../../tx/types.ts';
import { isMine } from '../../wallet/ownership.ts';
import { canAbandon, recordOf } from '../../wallet/records.ts';
import { isSpent } from '../../wallet/txQueries.ts';
import { addressArg } from '../addressArgument.ts';
import { checkField, checkOptional, checkValue, parseInt32, parseTxidArgument, readValue } from '../argumentValues.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_INVALID_PARAMETER, RPC_WALLET_INVALID_LABEL_NAME } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import type { OutpointJson } from '../views/walletJsonTypes.ts';
import type { WalletContext, WalletMethod } from './context.ts';

/** @see Bitcoin Core `setlabel` */
export const setlabel: WalletMethod<null> = {
  name: 'setlabel',
  needs: 'wallet',
  params: [
    { name: 'address', type: 'string' },
    { name: 'label', type: 'string' },
  ],
  checksLate: true,
  help: `Sets the label of an address, whether it belongs to the wallet or not.

Arguments:
1. address    (string, required) the address
2. label      (string, required) the label

Result:
null

Examples:
> countersign setlabel bc1q... rent`,
  run: (args, context) => {
    const { wallet, node, dialect } = context;
    const script = addressArg(readValue(args[0], 'string', dialect).value, context);
    const label = readValue(args[1], 'string', dialect).value;
    if (label === '*') throw new RpcError(RPC_WALLET_INVALID_LABEL_NAME, 'Invalid label name');
    const purpose = isMine(wallet, script) ? {} : ({ purpose: 'send' } as const);
    node.change({ type: 'wallet', name: wallet.name, event: { type: 'label', script, label, ...purpose } });
    return null;
  },
};

/** @see Bitcoin Core `abandontransaction` */
export const abandontransaction: WalletMethod<null> = {
  name: 'abandontransaction',
  needs: 'wallet',
  params: [{ name: 'txid', type: 'string' }],
  checksLate: true,
  help: `Abandons a transaction that is neither in a block nor in the mempool, with all its descendants: the coins that
they spend count as unspent again.

Arguments:
1. txid    (string, required) the transaction id

Result:
null

Examples:
> countersign abandontransaction 1f3a...`,
  run: (args, { wallet, node, dialect }) => {
    const id = parseTxidArgument('txid', readValue(args[0], 'string', dialect).value);
    const record = recordOf(wallet, id);
    if (!record) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid or non-wallet transaction id');
    if (!canAbandon(wallet, record)) {
      throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Transaction not eligible for abandonment');
    }
    node.change({ type: 'wallet', name: wallet.name, event: { type: 'abandon', txid: id } });
    return null;
  },
};

interface Outpoint {
  readonly txid: Txid;
  readonly vout: number;
}

/** @see Bitcoin Core `lockunspent` */
export const lockunspent: WalletMethod<true> = {
  name: 'lockunspent',
  needs: 'wallet',
  params: [
    { name: 'unlock', type: 'bool' },
    { name: 'transactions', type: 'array', isOptional: true },
    { name: 'persistent', type: 'bool', isOptional: true, since: 'core-31' },
  ],
  checksLate: true,
  help: `Locks outputs, so that listunspent omits them, or unlocks them. Locks last until the wallet is unloaded.

Arguments:
1. unlock          (bool, required) true to unlock, false to lock
2. transactions    (array, optional) the outputs; by default, unlocks all locked outputs
     [{ "txid": "hex", "vout": n }, ...]
3. persistent      (bool, optional, default false) whether the locks survive unloading the wallet

Result:
true

Examples:
> countersign lockunspent false '[{"txid":"1f3a...","vout":0}]'`,
  run: (args, context) => {
    const { wallet, node } = context;
    const unlocks = checkValue(args[0], 'bool');
    const items = checkOptional(args[1], 'array')?.items;
    const isPersistent = checkOptional(args[2], 'bool')?.value ?? false;
    const type = unlocks.value ? 'unlock' : 'lock';
    if (!items && type === 'lock') return true;
    const outpoints = items?.map((item) => outpointToLock(item, { type, isPersistent }, context)) ?? [
      ...wallet.locked.values(),
    ];
    const named = outpoints.map(({ txid, vout }) => ({ txid, vout }));
    const persistence = isPersistent && type === 'lock' ? ({ isPersistent } as const) : {};
    node.change({ type: 'wallet', name: wallet.name, event: { type, outpoints: named, ...persistence } });
    return true;
  },
};

/** @throws RpcError -1, -3, -8 */
function outpointToLock(
  item: JsonValue,
  { type, isPersistent }: { readonly type: 'lock' | 'unlock'; readonly isPersistent: boolean },
  { wallet, dialect }: WalletContext,
): Outpoint {
  const { members } = readValue(item, 'object', dialect);
  const txidText = checkField(members, 'txid', 'string', dialect);
  const voutText = checkField(members, 'vout', 'number', dialect);
  const txid = parseTxidArgument('txid', txidText.value);
  const vout = parseInt32(voutText);
  const invalid = (reason: string): RpcError => new RpcError(RPC_INVALID_PARAMETER, `Invalid parameter, ${reason}`);
  if (vout < 0) throw invalid('vout cannot be negative');
  const record = recordOf(wallet, txid);
  if (!record) throw invalid('unknown transaction');
  if (vout >= record.tx.outputs.length) throw invalid('vout index out of bounds');
  const key = outpointKey({ txid, vout });
  if (isSpent(wallet, key)) throw invalid('expected unspent output');
  const isLocked = wallet.locked.has(key);
  if (type === 'unlock' && !isLocked) throw invalid('expected locked output');
  if (type === 'lock' && isLocked && !isPersistent) throw invalid('output already locked');
  return { txid, vout };
}

/** @see Bitcoin Core `listlockunspent` */
export const listlockunspent: WalletMethod<readonly OutpointJson[]> = {
  name: 'listlockunspent',
  needs: 'wallet',
  params: [],
  help: `Lists the locked outputs.

Result:
[ { "txid", "vout" }, ... ]

Examples:
> countersign listlockunspent`,
  run: (_, { wallet }) =>
    [...wallet.locked.values()]
      .sort((a, b) => compareBytes(a.txid, b.txid) || a.vout - b.vout)
      .map(({ txid, vout }) => ({ txid: formatTxid(txid), vout })),
};
