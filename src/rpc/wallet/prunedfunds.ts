import { equalBytes } from '../../bytes/compare.ts';
import { RpcError } from '../../errors.ts';
import { walletMethodRules } from '../../generations.ts';
import { formatTxid, txid } from '../../tx/txid.ts';
import { isMine } from '../../wallet/ownership.ts';
import { recordOf } from '../../wallet/records.ts';
import { parseTxidArgument, readValue } from '../argumentValues.ts';
import { parseProof, provenBlock, provenTxs } from '../blockchain/gettxoutproof.ts';
import { invalidAddressOrKey } from '../errorCodes.ts';
import { transactionToSign } from '../rawtransaction/rawTransaction.ts';
import type { WalletMethod } from './context.ts';
import { applyToWallet } from './importResult.ts';

/** @see Bitcoin Core `importprunedfunds` */
export const importprunedfunds: WalletMethod<null> = {
  name: 'importprunedfunds',
  needs: 'wallet',
  params: [
    { name: 'rawtransaction', type: 'string' },
    { name: 'txoutproof', type: 'string' },
  ],
  checksLate: true,
  help: `Adds a transaction to the wallet without a rescan: one of the chain that pays the wallet.

Arguments:
1. rawtransaction    (string, required) the transaction in hex
2. txoutproof        (string, required) the proof of gettxoutproof that it is in a block

Result:
null

Examples:
> countersign importprunedfunds 0200... 00000020... --wallet-dir wallets`,
  run: (args, context) => {
    const { wallet, dialect } = context;
    const tx = transactionToSign(readValue(args[0], 'string', dialect).value, context);
    const { hash, txs } = provenTxs(parseProof(args[1], context));
    if (!hash) throw invalidAddressOrKey('Something wrong with merkleblock');
    const { hash: blockHash, key, height, time } = provenBlock(hash, context);
    const id = txid(tx);
    const proven = txs.find((each) => equalBytes(each.id, id));
    if (!proven) throw invalidAddressOrKey("Transaction given doesn't exist in proof");
    if (!tx.outputs.some(({ scriptPubKey }) => isMine(wallet, scriptPubKey))) {
      throw invalidAddressOrKey('No addresses in wallet correspond to included transaction');
    }
    const place = { hash: blockHash, key, height };
    applyToWallet(context, [{ type: 'pruned-funds', tx, block: place, time, index: proven.index }]);
    return null;
  },
};

/** @see Bitcoin Core `removeprunedfunds` */
export const removeprunedfunds: WalletMethod<null> = {
  name: 'removeprunedfunds',
  needs: 'wallet',
  params: [{ name: 'txid', type: 'string' }],
  checksLate: true,
  help: `Removes a transaction from the wallet, as if it had never seen it. A rescan adds it again.

Arguments:
1. txid    (string, required) the transaction id

Result:
null

Examples:
> countersign removeprunedfunds 1f3a... --wallet-dir wallets`,
  run: (args, context) => {
    const { wallet, dialect } = context;
    const id = parseTxidArgument('txid', readValue(args[0], 'string', dialect).value);
    if (!recordOf(wallet, id)) {
      const { code, message } = walletMethodRules[dialect.generation].unknownRemoval;
      throw new RpcError(code, message.replace('{txid}', formatTxid(id)));
    }
    applyToWallet(context, [{ type: 'remove', txid: id }]);
    return null;
  },
};
