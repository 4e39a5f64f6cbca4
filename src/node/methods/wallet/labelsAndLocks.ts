import { addressArg } from '../../../answers/arguments/addressArgument.ts';
import { hash, VOUT } from '../../../answers/arguments/outpointArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_INVALID_PARAMETER } from '../../../answers/method/errorCodes.ts';
import { array, bool, object, optional, string } from '../../../answers/method/parameters.ts';
import { always, hex, list, members, nothing, numeric } from '../../../answers/method/results.ts';
import type { Values } from '../../../answers/method/values.ts';
import { checkMembers } from '../../../answers/method/values.ts';
import { compareBytes } from '../../../core/bytes/compare.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatTxid, outpointKey, parseOutpointKey } from '../../../core/tx/txid.ts';
import type { Txid } from '../../../core/tx/types.ts';
import { isMine } from '../../wallet/queries/ownership.ts';
import { isSpent } from '../../wallet/queries/txQueries.ts';
import { canAbandon, findRecord } from '../../wallet/records/records.ts';
import type { Wallet } from '../../wallet/records/walletState.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { parseLabel } from '../walletArguments.ts';

export const setlabel = walletMethod({
  name: 'setlabel',
  checksLate: true,
  about: 'Sets the label of an address, whether it belongs to the wallet or not.',
  params: [string('address', 'the address'), string('label', 'the label')],
  result: nothing(),
  examples: ['setlabel bc1q... rent'],
  run: (args, context) => {
    const { wallet, node } = context;
    const script = addressArg(args.address, context);
    const label = parseLabel(args.label);
    const purpose = isMine(wallet, script) ? {} : ({ purpose: 'send' } as const);
    node.change({ type: 'wallet', name: wallet.row.name, event: { type: 'label', script, label, ...purpose } });
    return null;
  },
});

export const abandontransaction = walletMethod({
  name: 'abandontransaction',
  checksLate: true,
  about: `Abandons a transaction that is neither in a block nor in the mempool, with all its descendants: the coins that
they spend count as unspent again.`,
  params: [hash('txid', 'the transaction id')],
  result: nothing(),
  examples: ['abandontransaction 1f3a...'],
  run: (args, { wallet, node }) => {
    const id = args.txid;
    const record = findRecord(wallet, id);
    if (!record) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid or non-wallet transaction id');
    if (!canAbandon(wallet, record)) {
      throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Transaction not eligible for abandonment');
    }
    node.change({ type: 'wallet', name: wallet.row.name, event: { type: 'abandon', txid: id } });
    return null;
  },
});

const OUTPOINT = [hash('txid', 'the transaction id'), VOUT] as const;

interface Outpoint {
  readonly txid: Txid;
  readonly vout: number;
}

export const lockunspent = walletMethod({
  name: 'lockunspent',
  checksLate: true,
  about: 'Locks outputs, so that listunspent omits them, or unlocks them. Locks last until the wallet is unloaded.',
  params: [
    bool('unlock', 'true to unlock, false to lock', { isChecked: true }),
    optional(
      array('transactions', object('', OUTPOINT, ''), 'the outputs; by default, unlocks all locked outputs', {
        isChecked: true,
      }),
    ),
    lasting(
      optional(bool('persistent', 'whether the locks survive unloading the wallet', { isChecked: true }), false),
      { since: 'core-29' },
    ),
  ],
  result: always(true),
  examples: ['lockunspent false \'[{"txid":"1f3a...","vout":0}]\''],
  run: (args, context) => {
    const { wallet, node } = context;
    const unlocks = args.unlock;
    const items = args.transactions;
    const isPersistent = args.persistent;
    const type = unlocks ? 'unlock' : 'lock';
    if (!items && type === 'lock') return true as const;
    const outpoints = items?.map((item) => outpointToLock(item, { type, isPersistent }, context)) ?? [
      ...lockedOutpoints(wallet),
    ];
    const persistence = isPersistent && type === 'lock' ? ({ isPersistent } as const) : {};
    node.change({ type: 'wallet', name: wallet.row.name, event: { type, outpoints, ...persistence } });
    return true as const;
  },
});

const lockedOutpoints = ({ locked }: Wallet): readonly Outpoint[] => [...locked.keys()].map(parseOutpointKey);

function outpointToLock(
  item: Values<(typeof OUTPOINT)[number]>,
  { type, isPersistent }: { readonly type: 'lock' | 'unlock'; readonly isPersistent: boolean },
  { wallet }: WalletContext,
): Outpoint {
  checkMembers(item);
  const { txid, vout } = item;
  const invalid = (reason: string): RpcError => new RpcError(RPC_INVALID_PARAMETER, `Invalid parameter, ${reason}`);
  const record = findRecord(wallet, txid);
  if (!record) throw invalid('unknown transaction');
  if (vout >= record.tx.outputs.length) throw invalid('vout index out of bounds');
  const key = outpointKey({ txid, vout });
  if (isSpent(wallet, key)) throw invalid('expected unspent output');
  const isLocked = wallet.locked.has(key);
  if (type === 'unlock' && !isLocked) throw invalid('expected locked output');
  if (type === 'lock' && isLocked && !isPersistent) throw invalid('output already locked');
  return { txid, vout };
}

export const listlockunspent = walletMethod({
  name: 'listlockunspent',
  about: 'Lists the locked outputs.',
  params: [],
  result: list(members({ txid: hex(), vout: numeric() })),
  examples: ['listlockunspent'],
  run: (_, { wallet }) =>
    [...lockedOutpoints(wallet)]
      .sort((a, b) => compareBytes(a.txid, b.txid) || a.vout - b.vout)
      .map(({ txid, vout }) => ({ txid: formatTxid(txid), vout })),
});
