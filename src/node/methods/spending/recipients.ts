import { parseInt32, readValue } from '../../../answers/arguments/argumentValues.ts';
import { listOutputMembers } from '../../../answers/arguments/constructTransaction.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import type { TxOut } from '../../../core/tx/types.ts';
import type { Recipient } from '../../../kit/coins/fundPayment.ts';
import type { WalletContext } from '../context.ts';
import { spendingRules } from './spendingRules.ts';

/** Refuses outputs in Litecoin's extension block, which a transaction does not show. */
export function assertPayable(outputs: readonly TxOut[], { network }: WalletContext): void {
  if (!network.mweb || outputs.every(({ scriptPubKey }) => scriptPubKey.length > 0)) return;
  throw new RpcError(RPC_WALLET_ERROR, 'Wallets here cannot pay into the extension block: give another address');
}

export const outputNames = (outputs: JsonValue): readonly string[] => listOutputMembers(outputs).map(([name]) => name);

export const toRecipients = (outputs: readonly TxOut[], payers: ReadonlySet<number>): readonly Recipient[] =>
  outputs.map((output, index) => ({ ...output, paysFee: payers.has(index) }));

/**
 * Parses the places of outputs or, in Core 29, their names.
 * @see Bitcoin Core 31 `InterpretSubtractFeeFromOutputInstructions`
 */
export function parsePayers(
  items: Iterable<JsonValue | undefined>,
  names: readonly string[],
  { dialect }: WalletContext,
): ReadonlySet<number> {
  const { describesPayers } = spendingRules[dialect.generation];
  const subject = describesPayers ? "Invalid parameter 'subtract fee from output'," : 'Invalid parameter,';
  const places = new Set<number>();
  for (const item of items) {
    const place =
      !describesPayers || item?.type === 'number'
        ? parseInt32(readValue(item, 'number', dialect))
        : findPayerPlace(item, names, subject);
    if (places.has(place)) throw invalidParameter(`${subject} duplicated position: ${place}`);
    if (place < 0) throw invalidParameter(`${subject} negative position: ${place}`);
    if (place >= names.length) throw invalidParameter(`${subject} position too large: ${place}`);
    places.add(place);
  }
  return places;
}

function findPayerPlace(item: JsonValue | undefined, names: readonly string[], subject: string): number {
  if (item?.type !== 'string') throw invalidParameter(`${subject} invalid value type: ${item?.type ?? 'null'}`);
  const place = names.indexOf(item.value);
  if (place >= 0) return place;
  throw invalidParameter(`${subject} destination ${withoutSecrets(item.value, 'address')} not found in tx outputs`);
}
