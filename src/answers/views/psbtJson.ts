import { formatBase58Check } from '../../core/encoding/base58check.ts';
import { psbtVersion } from '../../core/psbt/format/fields.ts';
import { inputOutpoint, readWitnessUtxo } from '../../core/psbt/format/inputCoin.ts';
import { inNodeOrder } from '../../core/psbt/format/nodeOrder.ts';
import type { Psbt, PsbtGlobal, PsbtInput, PsbtOutput } from '../../core/psbt/format/types.ts';
import { unsignedTransaction } from '../../core/psbt/format/version.ts';
import type { Outpoint, TxOut } from '../../core/tx/types.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { Draft } from '../method/results.ts';
import {
  isSet,
  originDraft,
  proprietaryDraft,
  restDraft,
  scriptsDraft,
  tapDerivationDraft,
  unknownDraft,
} from './psbtFields.ts';
import { psbtInputDraft } from './psbtInputJson.ts';
import type { psbtOutputResult, psbtResult } from './psbtResults.ts';
import { psbtRules } from './psbtRules.ts';
import { scriptPubKeyDraft } from './scriptJson.ts';
import { transactionDraft } from './transactionJson.ts';

type PsbtDraft = Draft<typeof psbtResult>;

/** @throws `psbt/locktime-conflict` if the dialect shows `tx`, but a version 2 PSBT needs conflicting locktimes */
export function psbtDraft(decoded: Psbt, given: RpcContext): PsbtDraft {
  const psbt = inNodeOrder(decoded);
  const context: RpcContext = { ...given, shown: new Map() };
  const { dialect, network } = context;
  const { global } = psbt;
  const showsTx = global.unsignedTx !== undefined || dialect.alwaysShowsTx;
  return {
    tx: showsTx ? transactionDraft(unsignedTransaction(psbt), context) : undefined,
    ...(psbtRules[dialect.psbts].showsGlobals && globalsDraft(psbt, context)),
    unknown: unknownDraft(global.unknown ?? []),
    inputs: psbt.inputs.map((input, index) => psbtInputDraft(input, inputOutpoint(psbt, index), context)),
    outputs: psbt.outputs.map((output) => outputDraft(output, context)),
    fee: computeFee(psbt, network.maxMoney),
  };
}

/** The members between `tx` and `unknown`. */
type Globals = Omit<PsbtDraft, 'tx' | 'unknown' | 'inputs' | 'outputs' | 'fee'>;

function globalsDraft(psbt: Psbt, { dialect }: RpcContext): Globals {
  const { global } = psbt;
  const shows = (content: unknown): boolean => content !== undefined || dialect.showsEmptyNewLists;
  return {
    global_xpubs: shows(global.xpubs) ? (global.xpubs ?? []).map(xpubDraft) : undefined,
    tx_version: global.txVersion,
    fallback_locktime: global.fallbackLocktime,
    ...(!global.unsignedTx && { input_count: psbt.inputs.length, output_count: psbt.outputs.length }),
    ...(global.txModifiable !== undefined && modifiableDraft(global.txModifiable)),
    psbt_version: shows(global.version) ? psbtVersion(psbt) : undefined,
    proprietary: shows(global.proprietary) ? (global.proprietary ?? []).map(proprietaryDraft) : undefined,
  };
}

/** @see BIP370 PSBT_GLOBAL_TX_MODIFIABLE */
const modifiableDraft = (flags: number): Globals => ({
  inputs_modifiable: (flags & 1) !== 0,
  outputs_modifiable: (flags & 2) !== 0,
  has_sighash_single: (flags & 4) !== 0,
});

type Xpub = NonNullable<PsbtGlobal['xpubs']>[number];

const xpubDraft = (entry: Xpub): NonNullable<PsbtDraft['global_xpubs']>[number] => ({
  xpub: formatBase58Check(entry.xpub),
  ...originDraft(entry, 'h'),
});

/** Prefers the whole previous transaction to the output alone. */
function findUtxo(input: PsbtInput, outpoint: Outpoint | undefined): TxOut | undefined {
  if (input.nonWitnessUtxo) return outpoint && input.nonWitnessUtxo.outputs[outpoint.vout];
  return readWitnessUtxo(input);
}

/** Returns `undefined` unless every UTXO is known and every running sum is in the money range. */
function computeFee(psbt: Psbt, maxMoney: bigint): bigint | undefined {
  const spent = psbt.inputs.map((input, index) => findUtxo(input, inputOutpoint(psbt, index))?.value);
  const paid = psbt.global.unsignedTx?.outputs.map(({ value }) => value) ?? psbt.outputs.map(({ amount }) => amount);
  const valueIn = sumWithin(spent, maxMoney);
  const valueOut = sumWithin(paid, maxMoney);
  return valueIn === undefined || valueOut === undefined ? undefined : valueIn - valueOut;
}

function sumWithin(values: readonly (bigint | undefined)[], maxMoney: bigint): bigint | undefined {
  let sum = 0n;
  for (const value of values) {
    if (value === undefined || value < 0n || value > maxMoney) return undefined;
    sum += value;
    if (sum > maxMoney) return undefined;
  }
  return sum;
}

function outputDraft(output: PsbtOutput, context: RpcContext): Draft<typeof psbtOutputResult> {
  const { amount, script, tapInternalKey, tapTree, tapBip32Derivations } = output;
  return {
    ...scriptsDraft(output, context),
    amount,
    script: script && scriptPubKeyDraft(script, context),
    taproot_internal_key: isSet(tapInternalKey) ? tapInternalKey : undefined,
    taproot_tree: tapTree?.map(({ depth, leafVersion, script: leaf }) => ({
      depth,
      leaf_ver: leafVersion,
      script: leaf,
    })),
    taproot_bip32_derivs: tapBip32Derivations?.map(tapDerivationDraft),
    ...restDraft(output, context),
  };
}
