import { equalBytes } from '../../core/bytes/compare.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { hash160, sha256 } from '../../core/crypto/hash.ts';
import type { SignatureChecker } from '../../core/interpreter/checker.ts';
import type { ScriptFailure, ScriptOutcome } from '../../core/interpreter/result.ts';
import { transactionChecker } from '../../core/interpreter/transactionChecker.ts';
import { verifyScript } from '../../core/interpreter/verifyScript.ts';
import { listPushes } from '../../core/script/instructions.ts';
import { classifyScript } from '../../core/script/template.ts';
import { type SighashMidstate, sighashMidstate } from '../../core/sighash/midstate.ts';
import { SIGHASH } from '../../core/sighash/sighashType.ts';
import { UNSPENDABLE } from '../../core/tx/message.ts';
import type { Transaction, TxIn, TxOut } from '../../core/tx/types.ts';

/** What is wrong with a signature. `inputIndex` is that of the coin, or 0 for the address. */
export interface ScriptFault {
  readonly reason: 'changed' | 'key' | 'sighash-type' | 'script' | 'upgradable';
  readonly failure: ScriptFailure;
  readonly inputIndex: number;
}

/** Runs all scripts; BIP322 requires the relay rules. Returns the first fault, and what a later rule may allow last. */
export function scriptFault(tx: Transaction, prevouts: readonly TxOut[], ecc: Ecc): ScriptFault | undefined {
  const midstate = sighashMidstate(tx, prevouts);
  let upgradable: ScriptFault | undefined;
  for (const [inputIndex, input] of tx.inputs.entries()) {
    const coin = prevouts[inputIndex] ?? UNSPENDABLE;
    const spend: Spend = { tx, prevouts, midstate, ecc, input, coin, inputIndex };
    const outcome = run(spend, signingAll);
    if (outcome.kind === 'valid') continue;
    if (!outcome.error.startsWith('DISCOURAGE_')) {
      return { reason: reasonOf(spend, outcome), failure: outcome, inputIndex };
    }
    upgradable = { reason: 'upgradable', failure: outcome, inputIndex };
  }
  return upgradable;
}

interface Spend {
  readonly tx: Transaction;
  readonly prevouts: readonly TxOut[];
  readonly midstate: SighashMidstate;
  readonly ecc: Ecc;
  readonly input: TxIn;
  readonly coin: TxOut;
  readonly inputIndex: number;
}

function run(spend: Spend, wrap: (checker: SignatureChecker) => SignatureChecker): ScriptOutcome {
  const { tx, prevouts, midstate, ecc, inputIndex } = spend;
  const { scriptSig, witness } = spend.input;
  const { value, scriptPubKey } = spend.coin;
  const checker = wrap(transactionChecker({ tx, inputIndex, value, prevouts, midstate, ecc }));
  return verifyScript({ scriptSig, witness, scriptPubKey, checker, ecc });
}

/** Runs the script again with every signature taken for good: what still fails is not a matter of signatures. */
function reasonOf(spend: Spend, failure: ScriptFailure): ScriptFault['reason'] {
  if (namesAddress(spend.input, spend.coin.scriptPubKey, failure) === false) return 'key';
  if (run(spend, trusting).kind === 'invalid') return 'script';
  return run(spend, (checker) => signingAll(trusting(checker))).kind === 'invalid' ? 'sighash-type' : 'changed';
}

/** Names the reason of a signature that is not for the message of the address. */
export function otherMessage(input: TxIn, scriptPubKey: Uint8Array): 'message' | 'key' | 'signature' {
  const isOwn = namesAddress(input, scriptPubKey);
  return isOwn === undefined ? 'signature' : isOwn ? 'message' : 'key';
}

/**
 * Tells whether the key or script that an input shows is that of the address; `undefined` if it shows none, as a taproot
 * signature does not. Whether a script is in the tree of a taproot address, its `failure` tells.
 */
function namesAddress(
  { scriptSig, witness }: Pick<TxIn, 'scriptSig' | 'witness'>,
  scriptPubKey: Uint8Array,
  failure?: ScriptFailure,
): boolean | undefined {
  const template = classifyScript(scriptPubKey);
  const pushed = listPushes(scriptSig).at(-1);
  const last = witness.at(-1);
  switch (template.type) {
    case 'pubkeyhash':
      return pushed && equalBytes(hash160(pushed), template.hash);
    case 'scripthash':
      if (!pushed || !equalBytes(hash160(pushed), template.hash)) return false;
      return witness.length === 0 || namesAddress({ scriptSig, witness }, pushed);
    case 'witness_v0_keyhash':
      return last && equalBytes(hash160(last), template.program);
    case 'witness_v0_scripthash':
      return last && equalBytes(sha256(last), template.program);
    default:
      return witness.length > 1 ? failure?.error !== 'WITNESS_PROGRAM_MISMATCH' : undefined;
  }
}

/** Refuses signatures that do not sign the whole transaction. */
function signingAll(checker: SignatureChecker): SignatureChecker {
  return {
    ...checker,
    checkEcdsa: (signature, ...rest) => signature.at(-1) === SIGHASH.ALL && checker.checkEcdsa(signature, ...rest),
    checkSchnorr: (signature, ...rest) =>
      signature.length === 65 && signature[64] !== SIGHASH.ALL
        ? 'SCHNORR_SIG_HASHTYPE'
        : checker.checkSchnorr(signature, ...rest),
  };
}

const trusting = (checker: SignatureChecker): SignatureChecker => ({
  ...checker,
  checkEcdsa: () => true,
  checkSchnorr: () => undefined,
});
