import { equalBytes } from '../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { BtcError } from '../errors.ts';
import { TAPSCRIPT_LEAF_VERSION } from '../script/tapTree.ts';
import { missingInput } from '../sighash/midstate.ts';
import { type InputSighash, type SighashRequest, sighashForInput } from '../sighash/sighashForInput.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import { type AnyPsbt, readOutline } from './format/parsePsbt.ts';
import type { PsbtInput } from './format/types.ts';
import { beginSession, type PsbtSession } from './session.ts';
import { usualType } from './solveInput.ts';

/** Options for the digest of an input. */
export type PsbtSighashOptions = Pick<SighashRequest, 'sighashType' | 'leaf' | 'withPreimage'> & {
  readonly session?: PsbtSession;
};

const REQUEST: OptionNames<PsbtSighashOptions> = { sighashType: true, leaf: true, withPreimage: true, session: true };

/**
 * Computes the digest that an input's signature commits to. Takes scripts from the input's records, and the hash type
 * from `sighashType`, else from the input.
 *
 * - `leaf`: of a script path, verified by the control block that the input records for it, if any
 * - `session`: from `openSession`, to share hashes among inputs
 *
 * @throws as `sighashForInput`; `psbt/no-coin`, `psbt/locktime-conflict`, `psbt/field-required`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, formatHex, psbtSighash } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * formatHex(psbtSighash(psbt, 0).digest).length; // 64
 * ```
 */
export function psbtSighash(given: AnyPsbt, inputIndex: number, options: PsbtSighashOptions = {}): InputSighash {
  const psbt = readOutline(given);
  assertKnownOptions(options, REQUEST);
  const { session = beginSession(psbt), leaf, ...request } = options;
  const { tx, coins, prevouts, midstate } = session;
  const input = psbt.inputs[inputIndex];
  if (!input) throw missingInput(inputIndex, psbt.inputs.length);
  const coin = coins[inputIndex]?.coin;
  if (!coin) {
    const message = `The coin that input ${inputIndex} spends is unknown: add its witnessUtxo or nonWitnessUtxo`;
    throw new BtcError('psbt/no-coin', { inputIndex }, message);
  }
  const scriptCode = input.witnessScript ?? input.redeemScript;
  return sighashForInput({
    tx,
    inputIndex,
    prevouts: prevouts ?? coins.map((spent) => spent?.coin),
    midstate,
    // Outside taproot, DEFAULT means ALL.
    ...(input.sighashType !== undefined && { sighashType: input.sighashType || usualType(coin, CURRENT_RULES) }),
    ...(scriptCode && { scriptCode }),
    ...(leaf && { leaf: { ...controlBlockOf(leaf, input), ...leaf } }),
    ...request,
  });
}

function controlBlockOf(
  { script, leafVersion = TAPSCRIPT_LEAF_VERSION }: NonNullable<PsbtSighashOptions['leaf']>,
  { tapLeafScripts = [] }: PsbtInput,
): Pick<NonNullable<PsbtSighashOptions['leaf']>, 'controlBlock'> {
  const record = tapLeafScripts.find((leaf) => leaf.leafVersion === leafVersion && equalBytes(leaf.script, script));
  return record ? { controlBlock: record.controlBlock } : {};
}
