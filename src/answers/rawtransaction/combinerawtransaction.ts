import { equalBytes } from '../../core/bytes/compare.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { RpcError } from '../../core/errors.ts';
import { combineTransactions } from '../../core/signing/combineTransactions.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { guessTransaction } from '../../core/tx/guess.ts';
import { txid } from '../../core/tx/txid.ts';
import type { Transaction, TxIn } from '../../core/tx/types.ts';
import { type Coin, chainCoins, coinsSpentBy, PREVTXS, parsePrevtxs, withoutMark } from '../arguments/prevtxs.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { lasting } from '../dialect/dialectNames.ts';
import { signingDialects, signingRulesFor } from '../dialect/signingDialect.ts';
import { invalidParameter, RPC_DESERIALIZATION_ERROR, RPC_VERIFY_ERROR } from '../method/errorCodes.ts';
import { method } from '../method/method.ts';
import type { List } from '../method/parameters.ts';
import { array, hexString, optional } from '../method/parameters.ts';
import { hex } from '../method/results.ts';
import { assertAmount, UNKNOWN_COIN } from '../views/inputErrors.ts';

export const combinerawtransaction = method({
  name: 'combinerawtransaction',
  category: 'rawtransactions',
  checksLate: true,
  usesChain: true,
  about: 'Merges the signatures of several copies of one transaction.',
  params: [
    array('txs', hexString('hexstring', 'a copy of the transaction'), 'the copies, signed by different keys'),
    lasting(optional(PREVTXS), { onlyInDialect: 'documented' }),
  ],
  result: hex('the transaction, with all signatures that are valid'),
  examples: [
    'combinerawtransaction \'["0200...","0200..."]\' \'[{"txid":"...","vout":0,"scriptPubKey":"0020...","amount":1}]\'',
  ],
  run: (args, context) => {
    const { dialect, ecc } = context;
    const [first, ...others] = decodeCopies(args.txs, context);
    if (signingDialects[dialect.name].combinesOneTransaction) assertSame(first, others);
    const before = chainCoins(
      first.inputs.map(({ outpoint }) => outpoint),
      context,
    );
    const coins = coinsSpentBy(first, parsePrevtxs(args.prevtxs, context, { before }));
    const prevouts = coins.map((coin, i) => {
      const copies = [first, ...others].flatMap(({ inputs }) => inputs[i] ?? []);
      return spentCoin(coin, copies, context);
    });
    const combined = combineTransactions([first, ...others], prevouts, {
      rules: signingRulesFor(dialect),
      verifiesSchnorr: signingDialects[dialect.name].combinesSchnorr,
      ...(ecc && { ecc }),
    });
    return formatHex(encodeTransaction(combined));
  },
});

function decodeCopies(
  texts: List<string>,
  { dialect, network: { mweb } }: RpcContext,
): readonly [Transaction, ...Transaction[]] {
  const refuse = (message: string): RpcError => new RpcError(RPC_DESERIALIZATION_ERROR, message);
  if (signingDialects[dialect.name].combinesOneTransaction && texts.length < 2) {
    throw refuse('Missing transactions. At least two transactions required.');
  }
  const [first, ...others] = texts.map((hex, i) => {
    const tx = guessTransaction(hex, { triesWitness: true, triesNoWitness: false, mweb });
    if (tx) return tx;
    throw refuse(`TX decode failed for tx ${i}. Make sure the tx has at least one input.`);
  });
  if (first) return [first, ...others];
  throw refuse('Missing transactions');
}

/** Checks that transactions differ only in scriptSigs and witnesses. */
function assertSame(first: Transaction, others: readonly Transaction[]): void {
  const unsignedId = (tx: Transaction): Uint8Array =>
    txid({ ...tx, inputs: tx.inputs.map((input) => ({ ...input, scriptSig: new Uint8Array(0) })) });
  const firstId = unsignedId(first);
  others.forEach((tx, i) => {
    if (equalBytes(unsignedId(tx), firstId)) return;
    throw invalidParameter(`Transaction number ${i + 2} not compatible with first transaction`);
  });
}

/** Refuses an unknown coin, and one without an amount if a copy has a witness. @throws RpcError -25, -3 */
function spentCoin(
  coin: Coin | undefined,
  copies: readonly TxIn[],
  context: RpcContext,
): NonNullable<ReturnType<typeof withoutMark>> {
  const prevout = withoutMark(coin, context.network);
  if (!coin || !prevout) throw new RpcError(RPC_VERIFY_ERROR, UNKNOWN_COIN.text);
  for (const input of copies) assertAmount({ coin, input }, context);
  return prevout;
}
