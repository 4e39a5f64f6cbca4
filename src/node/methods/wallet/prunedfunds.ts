import { hash } from '../../../answers/arguments/outpointArgument.ts';
import { transactionToSign } from '../../../answers/arguments/rawTransaction.ts';
import { invalidAddressOrKey, RPC_METHOD_DEPRECATED } from '../../../answers/method/errorCodes.ts';
import { hexString } from '../../../answers/method/parameters.ts';
import { nothing } from '../../../answers/method/results.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatTxid, txid } from '../../../core/tx/txid.ts';
import { isMine } from '../../wallet/queries/ownership.ts';
import { findRecord } from '../../wallet/records/records.ts';
import { isDeprecatedUsed, walletMethod } from '../context.ts';
import { applyToWallet } from '../importResult.ts';
import { proof, provenBlock, provenTxs } from '../txProof.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

export const importprunedfunds = walletMethod({
  name: 'importprunedfunds',
  checksLate: true,
  about: 'Adds a transaction of the chain that pays the wallet, without a rescan.',
  params: [
    hexString('rawtransaction', 'the transaction'),
    proof('txoutproof', 'the proof from gettxoutproof that it is in a block'),
  ],
  result: nothing(),
  examples: ['importprunedfunds 0200... 00000020... --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet } = context;
    const tx = transactionToSign(args.rawtransaction, context);
    const { hash, txs } = provenTxs(args.txoutproof);
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
});

/** The answer of a node without `-deprecatedrpc=removeprunedfunds`. */
const DEPRECATED_REMOVAL =
  'DEPRECATION WARNING: This feature will be removed in the next major release. Start bitcoind with the `-deprecatedrpc=removeprunedfunds` option in order to use this.';

export const removeprunedfunds = walletMethod({
  name: 'removeprunedfunds',
  checksLate: true,
  about: 'Removes a transaction from the wallet, as if it had never seen it. A rescan adds it again.',
  params: [hash('txid', 'the transaction id')],
  result: nothing(),
  examples: ['removeprunedfunds 1f3a... --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet, dialect } = context;
    const { deprecatesRemoval, unknownRemoval } = walletMethodRules[dialect.generation];
    if (deprecatesRemoval && !isDeprecatedUsed('removeprunedfunds', context)) {
      throw new RpcError(RPC_METHOD_DEPRECATED, DEPRECATED_REMOVAL);
    }
    const id = args.txid;
    if (!findRecord(wallet, id)) {
      const { code, message } = unknownRemoval;
      throw new RpcError(code, message.replace('{txid}', formatTxid(id)));
    }
    applyToWallet(context, [{ type: 'remove', txid: id }]);
    return null;
  },
});
