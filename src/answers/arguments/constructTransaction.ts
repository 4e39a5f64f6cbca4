import { bytesKey, concatBytes } from '../../core/bytes/compare.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { RpcError } from '../../core/errors.ts';
import { encodePush } from '../../core/script/build.ts';
import { OP_RETURN } from '../../core/script/opcodes.ts';
import { SEQUENCE_FINAL } from '../../core/tx/absoluteLock.ts';
import { SEQUENCE_REPLACEABLE, signalsReplacement } from '../../core/tx/replaceable.ts';
import type { Transaction, TxIn, TxOut } from '../../core/tx/types.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { lasting } from '../dialect/dialectNames.ts';
import { JSON_NULL, type JsonMember, type JsonValue } from '../json/jsonValue.ts';
import type { ArgumentFor } from '../method/callerTypes.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY } from '../method/errorCodes.ts';
import {
  anyOf,
  array,
  bool,
  coinAmount,
  emptyIfAbsent,
  hexString,
  int64,
  object,
  optional,
  type ReadArguments,
  reading,
  uint32,
  unread,
  userKeys,
} from '../method/parameters.ts';
import type { Values } from '../method/values.ts';
import { type Destination, parseDestination } from './addressArgument.ts';
import { parseAmountArgument } from './amountArgument.ts';
import type { Amount } from './argumentTypes.ts';
import { parseHexArgument, parseInt64, readValue } from './argumentValues.ts';
import { hash, VOUT } from './outpointArgument.ts';
import { rawTransactionRules } from './rawTransactionRules.ts';

const SEQUENCE_NONFINAL = SEQUENCE_FINAL - 1;
const MAX_STANDARD_VERSION = 3;

const AMOUNTS = userKeys('', coinAmount('address', 'the amount for an address'), '');
const DATA = object('', [hexString('data', 'the data of an OP_RETURN output')], '');

/** What {@link parseOutputs} reads. */
export const OUTPUTS = unread(
  anyOf(
    'outputs',
    [array('outputs', anyOf('', [AMOUNTS, DATA], ''), ''), AMOUNTS],
    'amounts by address, and at most one data output',
  ),
);

export const LOCKTIME = optional(int64('locktime', 'the raw locktime; any but 0 activates the locktime of inputs'), 0);
export const VERSION = lasting(optional(uint32('version', 'the transaction version, 1 to 3'), 2), { since: 'core-30' });

/** A coin to spend. */
export const INPUT_MEMBERS = [
  hash('txid', 'the transaction id'),
  VOUT,
  optional(
    reading(int64('sequence', 'the sequence number; by default, as locktime and replaceable say'), (value) =>
      value?.type === 'number' ? parseInt64(value) : undefined,
    ),
  ),
] as const;

export const CONSTRUCTION_PARAMS = [
  emptyIfAbsent(array('inputs', object('', INPUT_MEMBERS, ''), 'the coins to spend')),
  OUTPUTS,
  LOCKTIME,
  optional(
    bool('replaceable', 'whether the inputs signal replaceability (BIP125)', { default: 'true, in 0.21 false' }),
  ),
  VERSION,
] as const;

/** A coin to spend. */
export type InputArgument = ArgumentFor<(typeof CONSTRUCTION_PARAMS)[0]>[number];

/** Amounts by address; under `data`, the hex of an OP_RETURN output. */
export type OutputsArgument = Readonly<Record<string, Amount>>;

/** The arguments, which are read in the node's order. */
export type Construction = ReadArguments<typeof CONSTRUCTION_PARAMS>;

/** @see Core `ConstructTransaction` */
export function constructTransaction(args: Construction, context: RpcContext): Transaction {
  const { outputs: outputsArg } = args;
  const { checksListsFirst, replaceableByDefault } = rawTransactionRules[context.dialect.generation];
  if (checksListsFirst) {
    assertGiven(outputsArg);
    void args.inputs;
    assertOutputs(outputsArg, context);
  }
  // Core refuses a version that is not a uint32 while it reads the arguments, an unknown one only after the locktime.
  const { version, locktime } = args;
  assertNumbers({ version, locktime });
  const { inputs: items } = args;
  const isReplaceable = args.replaceable;
  const sequence =
    (isReplaceable ?? replaceableByDefault) ? SEQUENCE_REPLACEABLE : locktime > 0 ? SEQUENCE_NONFINAL : SEQUENCE_FINAL;
  const inputs = items.map((item) => toInput(item, sequence));
  assertGiven(outputsArg);
  assertOutputs(outputsArg, context);
  const outputs = parseOutputs(outputsArg, context);
  if (isReplaceable === true && inputs.length > 0 && !signalsReplacement({ inputs })) {
    throw invalidParameter('Invalid parameter combination: Sequence number(s) contradict replaceable option');
  }
  return { version, inputs, outputs, locktime };
}

function assertGiven(outputs: JsonValue | undefined): asserts outputs is JsonValue {
  if (outputs && outputs.type !== 'null') return;
  throw invalidParameter('Invalid parameter, output argument must be non-null');
}

function assertOutputs(value: JsonValue, { dialect }: RpcContext): void {
  if (value.type !== 'object') readValue(value, 'array', dialect);
}

function assertNumbers({ locktime, version }: Pick<Transaction, 'locktime' | 'version'>): void {
  if (locktime < 0 || locktime > 0xffff_ffff) throw invalidParameter('Invalid parameter, locktime out of range');
  if (version >= 1 && version <= MAX_STANDARD_VERSION) return;
  throw invalidParameter(`Invalid parameter, version out of range(1~${MAX_STANDARD_VERSION})`);
}

function toInput(item: Values<(typeof INPUT_MEMBERS)[number]>, defaultSequence: number): TxIn {
  const { txid, vout, sequence = defaultSequence } = item;
  if (sequence < 0 || sequence > SEQUENCE_FINAL) {
    throw invalidParameter('Invalid parameter, sequence number is out of range');
  }
  return { outpoint: { txid, vout }, scriptSig: new Uint8Array(0), sequence, witness: [] };
}

/** @throws RpcError -3, -5, -8 @see Core `ParseOutputs` */
export function parseOutputs(value: JsonValue, context: RpcContext): readonly TxOut[] {
  const seen = new Set<string>();
  const assertNew = (key: string, fault: string): void => {
    if (seen.has(key)) throw invalidParameter(`Invalid parameter, ${fault}`);
    seen.add(key);
  };
  const members = listOutputMembers(value);
  // If a name occurs twice, a node takes the first value. In reverse order, the map keeps it.
  const contents = new Map([...members].reverse());
  return members.map(([name]) => {
    const content = contents.get(name) ?? JSON_NULL;
    if (name !== 'data') {
      const assertNewDestination = ({ scriptPubKey, mwebKeys = scriptPubKey }: Destination): void =>
        assertNew(bytesKey(mwebKeys), `duplicated address: ${withoutSecrets(name, 'address')}`);
      return addressOutput([name, content], assertNewDestination, context);
    }
    assertNew('data', 'duplicate key: data');
    return dataOutput(content);
  });
}

export function listOutputMembers(value: JsonValue): readonly JsonMember[] {
  if (value.type === 'object') return value.members;
  return (value.type === 'array' ? value.items : []).flatMap((item) => {
    if (item.type !== 'object') throw invalidParameter('Invalid parameter, key-value pair not an object as expected');
    if (item.members.length !== 1)
      throw invalidParameter('Invalid parameter, key-value pair must contain exactly one key');
    return item.members;
  });
}

function dataOutput(content: JsonValue): TxOut {
  const data = parseHexArgument('Data', stringValue(content));
  return { value: 0n, scriptPubKey: concatBytes(Uint8Array.of(OP_RETURN), encodePush(data)) };
}

/** Numbers are taken as written, and `true` as 1. @see Core `UniValue::getValStr` */
function stringValue(value: JsonValue): string {
  if (value.type === 'bool') return value.value ? '1' : '';
  if (value.type === 'string') return value.value;
  return value.type === 'number' ? value.text : '';
}

function addressOutput(
  [name, content]: JsonMember,
  assertNew: (destination: Destination) => void,
  context: RpcContext,
): TxOut {
  const { network, dialect } = context;
  const early = rawTransactionRules[dialect.generation].readsAmountFirst
    ? parseAmountArgument(content, network)
    : undefined;
  const destination = parseDestination(name, context);
  if (!destination) {
    const message = `Invalid ${dialect.coinName} address: ${withoutSecrets(name, 'address')}`;
    throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, message);
  }
  assertNew(destination);
  return { scriptPubKey: destination.scriptPubKey, value: early ?? parseAmountArgument(content, network) };
}
