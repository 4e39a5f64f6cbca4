import { parseWitnessProgram } from '../../../core/script/template.ts';
import type { SigningProvider } from '../../../core/signing/signingProvider.ts';
import { ECDSA_SIZE, type SpendSize, sizeOfInputWeight } from '../../../core/tx/spendSize.ts';
import { formatTxid, outpointKey, parseOutpointKey } from '../../../core/tx/txid.ts';
import type { Outpoint, OutpointKey, TxIn, TxOut } from '../../../core/tx/types.ts';
import type { FundingCoin } from '../../../kit/coins/coinGroups.ts';
import { isMine } from '../../wallet/queries/ownership.ts';
import { findRecord } from '../../wallet/records/records.ts';
import type { WalletContext } from '../context.ts';
import { computeBumpFee } from './bumpFees.ts';
import { spendingRules } from './spendingRules.ts';
import { signedInputSize } from './spendSizes.ts';
import { DEFAULT_VERSION, versionFault } from './trucCoins.ts';

export interface PresetChoice {
  readonly inputs: readonly TxIn[];
  /** More coins, with default inputs. */
  readonly coins?: readonly Outpoint[];
  /** Keys and scripts of foreign coins. */
  readonly solving?: SigningProvider | undefined;
  /** Of the payment. Default 2. */
  readonly version?: number | undefined;
  /** Coins with a weight are spent too. */
  readonly weights?: ReadonlyMap<OutpointKey, number> | undefined;
}

interface PresetRequest extends PresetChoice {
  readonly feeRate: bigint;
  readonly estimateSize: (script: Uint8Array) => SpendSize | undefined;
  readonly refuse: (message: string) => never;
}

/** Looks up each coin once. @see Bitcoin Core `FetchSelectedInputs` */
export function presetCoins(request: PresetRequest, context: WalletContext): readonly FundingCoin[] {
  const weighed = [...(request.weights?.keys() ?? [])].map(parseOutpointKey);
  const outpoints = [...request.inputs.map(({ outpoint }) => outpoint), ...(request.coins ?? []), ...weighed];
  const unique = new Map(outpoints.map((outpoint) => [outpointKey(outpoint), outpoint]));
  return [...unique.values()].map((outpoint) => presetCoin(outpoint, request, context));
}

function presetCoin(
  outpoint: Outpoint,
  { solving, weights, version = DEFAULT_VERSION, feeRate, estimateSize, refuse }: PresetRequest,
  context: WalletContext,
): FundingCoin {
  const { namesFundingFaults } = spendingRules[context.dialect.generation];
  const { output, isForeign } = outputAt(outpoint, context);
  if (!output) return refuse(namesFundingFaults ? 'Unable to find UTXO for external input' : 'Insufficient funds');
  const { value, scriptPubKey } = output;
  const fault = isForeign ? undefined : versionFault(findRecord(context.wallet, outpoint.txid), version, context);
  if (fault !== undefined) refuse(fault);
  const weight = weights?.get(outpointKey(outpoint));
  const solved = isForeign ? undefined : estimateSize(scriptPubKey);
  const signer = solving && { provider: solving, ecdsaSize: ECDSA_SIZE };
  const size =
    weight === undefined
      ? (solved ?? (signer && signedInputSize(scriptPubKey, signer, context)))
      : sizeOfInputWeight(weight, parseWitnessProgram(scriptPubKey) !== undefined);
  if (!size) {
    const name = `COutPoint(${formatTxid(outpoint.txid).slice(0, 10)}, ${outpoint.vout})`;
    return refuse(namesFundingFaults ? `Not solvable pre-selected input ${name}` : 'Insufficient funds');
  }
  const bumpFee = computeBumpFee([outpoint], feeRate, context);
  const facts = { kind: '', depth: 0, isFromMe: false, ancestors: 0, relatives: 0 };
  return { ...facts, outpoint, value, scriptPubKey, size, bumpFee };
}

function outputAt(
  { txid, vout }: Outpoint,
  context: WalletContext,
): { readonly output: TxOut | undefined; readonly isForeign: boolean } {
  const { wallet, chain, dialect } = context;
  const recorded = findRecord(wallet, txid)?.tx.outputs[vout];
  if (!spendingRules[dialect.generation].spendsForeignCoins) return { output: recorded, isForeign: false };
  if (recorded && isMine(wallet, recorded.scriptPubKey)) return { output: recorded, isForeign: false };
  return { output: chain?.coin({ txid, vout }), isForeign: true };
}
