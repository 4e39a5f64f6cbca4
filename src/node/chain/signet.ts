import { concatBytes, equalBytes } from '../../core/bytes/compare.ts';
import { formatReversedHex, parseHex } from '../../core/bytes/hex.ts';
import { assertEnd, createReader, readCompactSize, readVarBytes } from '../../core/bytes/reader.ts';
import { unlessRefused } from '../../core/errors.ts';
import type { ScriptFlag } from '../../core/interpreter/flags.ts';
import { verifyInput } from '../../core/interpreter/verifyTransaction.ts';
import { encodePush } from '../../core/script/build.ts';
import { type Instruction, instructions, isDataPush, pushedData } from '../../core/script/instructions.ts';
import { parseTxid, txid } from '../../core/tx/txid.ts';
import type { Transaction, TxIn } from '../../core/tx/types.ts';
import { type Block, commitmentIndex } from './block.ts';
import type { Chain } from './chainState.ts';
import type { Fault } from './fault.ts';
import { buildMerkleTree, treeRoot } from './merkleTree.ts';

const HEADER = Uint8Array.of(0xec, 0xc7, 0xda, 0xa2);
const FLAGS: ReadonlySet<ScriptFlag> = new Set(['P2SH', 'WITNESS', 'DERSIG', 'NULLDUMMY']);

/** Checks that a block satisfies the challenge of its signet. @see BIP325; Bitcoin Core `CheckSignetBlockSolution` */
export function signetFault(
  chain: Pick<Chain, 'network' | 'validation'>,
  block: Block,
  header: Uint8Array,
): Fault | undefined {
  const { signetChallenge, genesis } = chain.network;
  if (signetChallenge === undefined || formatReversedHex(block.hash) === genesis?.hash) return undefined;
  if (isSolved(block, header, parseHex(signetChallenge), chain)) return undefined;
  return { reason: 'bad-signet-blksig', detail: 'signet block signature validation failure' };
}

function isSolved(
  block: Block,
  header: Uint8Array,
  challenge: Uint8Array,
  { validation: { ecc } }: Pick<Chain, 'validation'>,
): boolean {
  const parts = splitSolution(block);
  const solution = parts && unlessRefused(() => decodeSolution(parts.solution));
  if (!solution) return false;
  const prevout = { value: 0n, scriptPubKey: challenge };
  const tx = signetTransaction(challenge, signedData(block, header, parts.coinbase), solution);
  return verifyInput({ tx, inputIndex: 0, prevouts: [prevout], flags: FLAGS, ecc }).kind === 'valid';
}

interface SplitCoinbase {
  /** Without the solution. */
  readonly coinbase: Transaction;
  /** Empty if there is none, as for the challenge OP_TRUE. */
  readonly solution: Uint8Array;
}

/** Returns `undefined` for a block without a witness commitment. */
function splitSolution({ txs: [coinbase] }: Block): SplitCoinbase | undefined {
  const index = coinbase ? commitmentIndex(coinbase) : -1;
  const output = coinbase?.outputs[index];
  if (!coinbase || !output) return undefined;
  const { scriptPubKey, solution } = withoutSolution(output.scriptPubKey);
  const outputs = coinbase.outputs.map((other, i) => (i === index ? { ...other, scriptPubKey } : other));
  return { coinbase: { ...coinbase, outputs }, solution };
}

const EMPTY = new Uint8Array(0);

/** Cuts off what follows the signet header in a push. @see Bitcoin Core `FetchAndClearCommitmentSection` */
function withoutSolution(script: Uint8Array): { readonly scriptPubKey: Uint8Array; readonly solution: Uint8Array } {
  let solution: Uint8Array | undefined;
  const pieces = listInstructions(script).map((instruction) => {
    const data = isDataPush(instruction) ? pushedData(script, instruction) : EMPTY;
    if (data.length === 0) return Uint8Array.of(instruction.opcode);
    if (solution || data.length <= HEADER.length || !equalBytes(data.subarray(0, HEADER.length), HEADER))
      return encodePush(data);
    solution = data.subarray(HEADER.length);
    return encodePush(HEADER);
  });
  return solution ? { scriptPubKey: concatBytes(...pieces), solution } : { scriptPubKey: script, solution: EMPTY };
}

/** Stops at the first instruction that does not parse. */
const listInstructions = (script: Uint8Array): readonly Instruction[] =>
  [...instructions(script)].filter((instruction) => instruction !== undefined);

type Solution = Pick<TxIn, 'scriptSig' | 'witness'>;

function decodeSolution(bytes: Uint8Array): Solution {
  if (bytes.length === 0) return { scriptSig: bytes, witness: [] };
  const reader = createReader(bytes);
  const scriptSig = readVarBytes(reader);
  const witness = Array.from({ length: readCompactSize(reader) }, () => readVarBytes(reader));
  assertEnd(reader);
  return { scriptSig, witness };
}

const VERSION_AND_PREVIOUS = 36;
const [TIME_START, TIME_END] = [68, 72];

/** Returns the header without its target and nonce, over a coinbase without the solution. */
function signedData({ txids }: Block, header: Uint8Array, coinbase: Transaction): Uint8Array {
  const root = treeRoot(buildMerkleTree([txid(coinbase), ...txids.slice(1)]));
  return concatBytes(header.subarray(0, VERSION_AND_PREVIOUS), root, header.subarray(TIME_START, TIME_END));
}

const OP_0 = Uint8Array.of(0);
const OP_RETURN = Uint8Array.of(0x6a);

function signetTransaction(challenge: Uint8Array, data: Uint8Array, { scriptSig, witness }: Solution): Transaction {
  const spends = (input: Partial<TxIn>, scriptPubKey: Uint8Array): Transaction => ({
    version: 0,
    inputs: [
      {
        outpoint: { txid: parseTxid('00'.repeat(32)), vout: 0xffff_ffff },
        scriptSig: EMPTY,
        sequence: 0,
        witness: [],
        ...input,
      },
    ],
    outputs: [{ value: 0n, scriptPubKey }],
    locktime: 0,
  });
  const toSpend = spends({ scriptSig: concatBytes(OP_0, encodePush(data)) }, challenge);
  return spends({ outpoint: { txid: txid(toSpend), vout: 0 }, scriptSig, witness }, OP_RETURN);
}
