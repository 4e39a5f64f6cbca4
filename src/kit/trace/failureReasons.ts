import { assertShape } from '../../core/bytes/knownOptions.ts';
import { type ScriptError, scriptErrorText } from '../../core/interpreter/result.ts';

/** Why a spend failed, in words. */
export interface FailureReason {
  /** Core's name, without `SCRIPT_ERR_`. */
  readonly error: ScriptError;
  /** Core's text. */
  readonly text: string;
  /** The number of the BIP with the rule; Bitcoin's first rules have none. */
  readonly bip: number | undefined;
  readonly meaning: string;
  readonly advice: string;
}

type Row = readonly [bip: number | undefined, meaning: string, advice: string];

const NEW_TX = 'Build the transaction again from the coin, with a wallet that knows its script.';
const SIGN_AGAIN = 'Sign this very transaction again, with the right key and the right amounts of the coins.';
const GROUND =
  'No input can satisfy the script this way: spend by another branch, if it has one; otherwise the coin is lost.';
const INVALID =
  'No branch of this script can run: spend by another leaf of a taproot output; otherwise the coin is lost.';
const ENCODING = 'Have the signer write the signature as the rules say; a fresh signature by a current wallet does.';
const OLD_FORM = 'Relaying nodes refuse it, and blocks may hold it: spend in the form that wallets use.';
const FUTURE = 'Nodes do not relay what later rules may forbid; without the policy flags, anyone may spend this.';

const ROWS: Readonly<Record<ScriptError, Row>> = {
  EVAL_FALSE: [
    undefined,
    'The script ran to its end, and left a false item or none, so it did not accept the input.',
    'See which check pushed the false item: its signature, preimage or number is not what the script wants.',
  ],
  OP_RETURN: [undefined, 'The script reached OP_RETURN, which always fails.', GROUND],
  SCRIPT_SIZE: [undefined, 'A script has more than 10 000 bytes.', INVALID],
  PUSH_SIZE: [
    undefined,
    'An item has more than 520 bytes.',
    'Give smaller items; a script that pushes more is unspendable.',
  ],
  OP_COUNT: [undefined, 'The script has more than 201 operations, keys of multisigs included.', GROUND],
  STACK_SIZE: [undefined, 'More than 1000 items stand on the stacks.', 'Give fewer items, or spend by another branch.'],
  SIG_COUNT: [undefined, 'A multisig asks for fewer than 0 signatures, or for more than it has keys.', GROUND],
  PUBKEY_COUNT: [undefined, 'A multisig has fewer than 0 keys, or more than 20.', GROUND],
  VERIFY: [
    undefined,
    'OP_VERIFY found a false item: the condition before it is not met.',
    'See which check pushed the false item, and give what it wants.',
  ],
  EQUALVERIFY: [
    undefined,
    'Two items should be equal and are not: most often a key or a preimage that does not hash to what the script names.',
    'Compare the two items: give the key or preimage with that hash, or spend the coin that belongs to the key.',
  ],
  CHECKMULTISIGVERIFY: [
    undefined,
    'Too few signatures of a multisig are valid, or they stand in another order than the keys.',
    'Order the signatures as the keys, and sign this very transaction.',
  ],
  CHECKSIGVERIFY: [undefined, 'A signature is missing or not valid, and the script demands it here.', SIGN_AGAIN],
  NUMEQUALVERIFY: [
    undefined,
    'Two numbers should be equal and are not: most often fewer signatures than a threshold.',
    'Add the signatures or conditions that were counted as missing.',
  ],
  SCRIPTNUM: [62, 'An item that is used as a number has too many bytes, or is not written minimally.', NEW_TX],
  BAD_OPCODE: [undefined, 'The script holds an opcode that is not one, or ends within a push.', GROUND],
  DISABLED_OPCODE: [
    undefined,
    'The script holds an opcode that was disabled, which fails even in a branch that does not run.',
    INVALID,
  ],
  INVALID_STACK_OPERATION: [
    undefined,
    'An operation needs more items than there are.',
    'Give all items that the script takes; often a signature, a key or the choice of a branch is missing.',
  ],
  INVALID_ALTSTACK_OPERATION: [undefined, 'OP_FROMALTSTACK found the second stack empty.', GROUND],
  UNBALANCED_CONDITIONAL: [undefined, 'An OP_IF, OP_ELSE or OP_ENDIF has no partner.', INVALID],
  NEGATIVE_LOCKTIME: [65, 'A lock is a negative number.', GROUND],
  UNSATISFIED_LOCKTIME: [
    65,
    'The script demands that time has passed, and the nLockTime (OP_CHECKLOCKTIMEVERIFY) or the nSequence of the input (OP_CHECKSEQUENCEVERIFY, BIP112) does not say so.',
    'Set the nLockTime, with an nSequence below 0xffffffff, or an nSequence of at least the lock with version 2, each in the unit of the lock (blocks or time), and sign again.',
  ],
  SIG_HASHTYPE: [62, 'The last byte of a signature is not a known hash type.', ENCODING],
  SIG_DER: [66, 'A signature is not written in strict DER.', ENCODING],
  MINIMALDATA: [62, 'A push or a number could be written with fewer bytes.', OLD_FORM],
  SIG_PUSHONLY: [62, 'The scriptSig does more than push items, which P2SH forbids (BIP16).', NEW_TX],
  SIG_HIGH_S: [146, 'The s of a signature is in the upper half, which lets others change the transaction.', ENCODING],
  SIG_NULLDUMMY: [
    147,
    'The item that a multisig pops beyond its signatures is not empty.',
    'Give an empty item (OP_0) there.',
  ],
  PUBKEYTYPE: [62, 'A public key is neither compressed (33 bytes) nor uncompressed (65 bytes).', NEW_TX],
  CLEANSTACK: [
    62,
    'The script accepted the input, but other items than one stand on the stack in the end.',
    'Give no more items than the script takes. In a witness this is a rule of consensus (BIP141).',
  ],
  MINIMALIF: [
    141,
    'The item that chooses a branch is neither empty nor the byte 01.',
    'Choose the branch by an empty item or 01.',
  ],
  SIG_NULLFAIL: [
    146,
    'A signature is not valid, and not empty: it signs other data, or is by another key.',
    SIGN_AGAIN,
  ],
  DISCOURAGE_UPGRADABLE_NOPS: [undefined, 'The script holds an OP_NOP that later rules may use.', FUTURE],
  DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM: [
    141,
    'The output is a witness program of a version without rules yet.',
    FUTURE,
  ],
  DISCOURAGE_UPGRADABLE_TAPROOT_VERSION: [341, 'The leaf has a version without rules yet.', FUTURE],
  DISCOURAGE_OP_SUCCESS: [342, 'The tapscript holds an OP_SUCCESS, with which everything is valid.', FUTURE],
  DISCOURAGE_UPGRADABLE_PUBKEYTYPE: [342, 'The tapscript holds a public key of a kind without rules yet.', FUTURE],
  WITNESS_PROGRAM_WRONG_LENGTH: [
    141,
    'A witness program of version 0 has neither 20 nor 32 bytes.',
    'The coin is lost.',
  ],
  WITNESS_PROGRAM_WITNESS_EMPTY: [141, 'The witness is empty: the input is not signed.', 'Sign the input.'],
  WITNESS_PROGRAM_MISMATCH: [
    141,
    'The witness does not belong to the output: it is still empty, its script has another hash, the leaf is not in the tree, or there are not just a signature and a key.',
    'Sign the input if it is unsigned; otherwise spend the coin that belongs to the script, or give the script, leaf and control block of this coin.',
  ],
  WITNESS_MALLEATED: [
    141,
    'A segwit output is spent with a scriptSig that is not empty.',
    'Leave the scriptSig empty.',
  ],
  WITNESS_MALLEATED_P2SH: [
    141,
    'The scriptSig of nested segwit is more or less than one push of the redeemScript.',
    'Make the scriptSig that one push.',
  ],
  WITNESS_UNEXPECTED: [141, 'There is a witness, and the output does not use one.', 'Remove the witness.'],
  WITNESS_PUBKEYTYPE: [
    143,
    'A key in segwit is not compressed.',
    'Use keys of 33 bytes: a coin that was paid to another is lost.',
  ],
  SCHNORR_SIG_SIZE: [341, 'A Schnorr signature has neither 64 nor 65 bytes.', ENCODING],
  SCHNORR_SIG_HASHTYPE: [
    341,
    'The hash type of a Schnorr signature is unknown, 0, or SINGLE without an output.',
    ENCODING,
  ],
  SCHNORR_SIG: [340, 'A Schnorr signature is not valid: it signs other data, or is by another key.', SIGN_AGAIN],
  TAPROOT_WRONG_CONTROL_SIZE: [
    341,
    'The control block has not 33 bytes and 32 for each branch of the tree.',
    'Give the control block of this leaf.',
  ],
  TAPSCRIPT_VALIDATION_WEIGHT: [
    342,
    'The tapscript checks more signatures than the size of its witness allows: 50 weight units for each.',
    'Make the witness larger, with an annex or more items, or the script with fewer checks.',
  ],
  TAPSCRIPT_CHECKMULTISIG: [342, 'Tapscript has no OP_CHECKMULTISIG: it uses OP_CHECKSIGADD.', GROUND],
  TAPSCRIPT_MINIMALIF: [
    342,
    'The item that chooses a branch is neither empty nor the byte 01.',
    'Choose the branch by an empty item or 01.',
  ],
  TAPSCRIPT_EMPTY_PUBKEY: [342, 'A public key is empty.', GROUND],
  OP_CODESEPARATOR: [undefined, 'A script without witness holds OP_CODESEPARATOR.', OLD_FORM],
  SIG_FINDANDDELETE: [undefined, 'A signature stands in the script that it signs.', OLD_FORM],
  UNKNOWN_ERROR: [undefined, 'Core before 31 has no name for this error.', NEW_TX],
};

/**
 * Explains a script error: Core's name and text, the BIP of the rule, what it means, and what to do.
 * @throws `argument/invalid`
 * @see Core `script_error.h`
 *
 * @example
 * ```ts
 * import { failureReason } from 'countersign/trace';
 *
 * failureReason('SIG_NULLFAIL').bip; // 146
 * ```
 */
export function failureReason(error: ScriptError): FailureReason {
  assertShape('error', Object.hasOwn(ROWS, error), 'the name of a script error');
  const [bip, meaning, advice] = ROWS[error];
  return { error, text: scriptErrorText(error), bip, meaning, advice };
}
