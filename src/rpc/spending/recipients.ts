import { withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import type { Recipient } from '../../funding/fundPayment.ts';
import type { TxOut } from '../../tx/types.ts';
import { parseInt32, readValue } from '../argumentValues.ts';
import { invalidParameter, RPC_WALLET_ERROR } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { membersOf } from '../rawtransaction/constructTransaction.ts';
import type { WalletContext } from '../wallet/context.ts';
import { spendingRules } from './spendingRules.ts';

/** Refuses to pay into Litecoin's extension block, whose outputs a transaction does not show. @throws RpcError -4 */
export function assertPayable(outputs: readonly TxOut[], { network }: WalletContext): void {
  if (!network.mweb || outputs.every(({ scriptPubKey }) => scriptPubKey.length > 0)) return;
  throw new RpcError(RPC_WALLET_ERROR, 'Wallets here cannot pay into the extension block: give another address');
}

/** Lists the names of outputs, in their order: addresses, or `data`. */
export const namesOf = (outputs: JsonValue): readonly string[] => membersOf(outputs).map(([name]) => name);

/** Marks the outputs that bear a share of the fee. */
export const recipientsOf = (outputs: readonly TxOut[], payers: ReadonlySet<number>): readonly Recipient[] =>
  outputs.map((output, index) => ({ ...output, paysFee: payers.has(index) }));

/**
 * Parses the places of the outputs that bear the fee. Core 31 also takes their names.
 * @throws RpcError -1, -8
 * @see Bitcoin Core 31 `InterpretSubtractFeeFromOutputInstructions`
 */
export function parsePayers(
  items: readonly JsonValue[],
  names: readonly string[],
  { dialect }: WalletContext,
): ReadonlySet<number> {
  const { describesPayers } = spendingRules[dialect.generation];
  const subject = describesPayers ? "Invalid parameter 'subtract fee from output'," : 'Invalid parameter,';
  const places = new Set<number>();
  for (const item of items) {
    const place =
      !describesPayers || item.type === 'number'
        ? parseInt32(readValue(item, 'number', dialect))
        : placeOf(item, names, subject);
    if (places.has(place)) throw invalidParameter(`${subject} duplicated position: ${place}`);
    if (place < 0) throw invalidParameter(`${subject} negative position: ${place}`);
    if (place >= names.length) throw invalidParameter(`${subject} position too large: ${place}`);
    places.add(place);
  }
  return places;
}

function placeOf(item: JsonValue, names: readonly string[], subject: string): number {
  if (item.type !== 'string') throw invalidParameter(`${subject} invalid value type: ${item.type}`);
  const place = names.indexOf(item.value);
  if (place >= 0) return place;
  throw invalidParameter(`${subject} destination ${withoutSecrets(item.value, 'address')} not found in tx outputs`);
}
