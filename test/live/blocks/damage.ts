import { scryptSync } from 'node:crypto';
import {
  encodeTransaction,
  formatHex,
  parseHex,
  parseTxid,
  type Transaction,
  type TxIn,
  type TxOut,
  txid,
  wtxid,
} from '../../support/library.ts';
import { concat, pushNumber, sha256d } from '../scripts/bytes.ts';
import type { Dice } from '../wallet/random.ts';

/** A block in parts, which damages change. */
export interface Draft {
  readonly version: number;
  /** In display order. */
  readonly previous: string;
  readonly time: number;
  readonly bits: number;
  readonly coinbase: Transaction;
  readonly others: readonly Transaction[];
  /** Whether the coinbase commits to the witnesses. */
  readonly commits: boolean;
  /** What the coinbase's witness holds. */
  readonly reserved: readonly Uint8Array[];
  /** Changes the merkle root after it was computed. */
  readonly breaksRoot: boolean;
  /** Looks for proof of work, or for its absence. */
  readonly hasWork: boolean;
  /** Repeats the last transaction behind the merkle root's back. */
  readonly repeatsLast: boolean;
}

/** What a block is made on. */
export interface Ground {
  readonly previous: string;
  readonly height: number;
  readonly time: number;
  /** Coins of OP_TRUE: mature ones, and a coinbase that is not. */
  readonly coins: readonly Coin[];
  readonly young: Coin;
  readonly subsidy: bigint;
  readonly salt: number;
}

export interface Coin {
  readonly txid: Uint8Array;
  readonly vout: number;
  readonly value: bigint;
}

const ANYONE = Uint8Array.of(0x51);
const NO_TXID = parseTxid('00'.repeat(32));
const RESERVED = new Uint8Array(32);
const LOCK_FREE = 0xffff_ffff;

const spend = (coins: readonly Coin[], more: Partial<Transaction> = {}, input: Partial<TxIn> = {}): Transaction => ({
  version: 2,
  inputs: coins.map(({ txid: id, vout }) => ({
    outpoint: { txid: id as ReturnType<typeof txid>, vout },
    scriptSig: new Uint8Array(0),
    sequence: LOCK_FREE,
    witness: [],
    ...input,
  })),
  outputs: [{ value: coins.reduce((sum, { value }) => sum + value, 0n) - 1000n, scriptPubKey: ANYONE }],
  locktime: 0,
  ...more,
});

export function draftOn({ previous, height, time, coins, subsidy, salt }: Ground): Draft {
  const scriptSig = concat(pushNumber(height), [4, salt & 0xff, (salt >> 8) & 0xff, (salt >> 16) & 0xff, 0]);
  const [coin] = coins;
  return {
    version: 0x2000_0000,
    previous,
    time,
    bits: 0x207f_ffff,
    coinbase: {
      version: 2,
      inputs: [{ outpoint: { txid: NO_TXID, vout: 0xffff_ffff }, scriptSig, sequence: LOCK_FREE, witness: [] }],
      outputs: [{ value: subsidy, scriptPubKey: ANYONE }],
      locktime: 0,
    },
    others: coin ? [spend([coin])] : [],
    commits: true,
    reserved: [RESERVED],
    breaksRoot: false,
    hasWork: true,
    repeatsLast: false,
  };
}

/** Encodes a block in hex, with the witness commitment and proof of work. */
export function encodeDraft(draft: Draft): string {
  const { commits, reserved, others } = draft;
  const commitment = sha256d(merkleRoot([new Uint8Array(32), ...others.map((tx) => wtxid(tx))]), RESERVED);
  const committing = { value: 0n, scriptPubKey: concat([0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed], commitment) };
  const coinbase = {
    ...draft.coinbase,
    inputs: draft.coinbase.inputs.map((input, i) => (i === 0 && commits ? { ...input, witness: reserved } : input)),
    outputs: [...draft.coinbase.outputs, ...(commits ? [committing] : [])],
  };
  const txs = [coinbase, ...others];
  const bytes = new Uint8Array(80);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, draft.version, true);
  bytes.set(parseHex(draft.previous).reverse(), 4);
  bytes.set(merkleRoot(txs.map((tx) => txid(tx))), 36);
  if (draft.breaksRoot) bytes[36] = (bytes[36] ?? 0) ^ 1;
  header.setUint32(68, draft.time, true);
  header.setUint32(72, draft.bits, true);
  for (let nonce = 0; hasWork(bytes) !== draft.hasWork; nonce += 1) header.setUint32(76, nonce, true);
  const shown = draft.repeatsLast ? [...txs, txs.at(-1) ?? coinbase] : txs;
  const count = shown.length < 0xfd ? [shown.length] : [0xfd, shown.length & 0xff, shown.length >> 8];
  return formatHex(concat(bytes, count, ...shown.map((tx) => encodeTransaction(tx))));
}

function hasWork(header: Uint8Array): boolean {
  const work = scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 });
  return (work[31] ?? 0xff) < 0x7f;
}

function merkleRoot(hashes: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(32)] = hashes;
  if (hashes.length <= 1) return first;
  return merkleRoot(hashes.flatMap((hash, i) => (i % 2 === 0 ? [sha256d(hash, hashes[i + 1] ?? hash)] : [])));
}

const pay = (value: bigint, scriptPubKey = ANYONE): TxOut => ({ value, scriptPubKey });
const MAX_MONEY = 84_000_000n * 100_000_000n;

type Damage = (draft: Draft, ground: Ground, dice: Dice) => Draft;

const withOthers =
  (make: (ground: Ground, dice: Dice) => readonly Transaction[]): Damage =>
  (draft, ground, dice) => ({ ...draft, others: make(ground, dice) });
const withCoinbase =
  (change: (coinbase: Transaction, ground: Ground, dice: Dice) => Partial<Transaction>): Damage =>
  (draft, ground, dice) => ({ ...draft, coinbase: { ...draft.coinbase, ...change(draft.coinbase, ground, dice) } });
const withScriptSig = (make: (scriptSig: Uint8Array, ground: Ground) => Uint8Array): Damage =>
  withCoinbase(({ inputs }, ground) => ({
    inputs: inputs.map((input) => ({ ...input, scriptSig: make(input.scriptSig, ground) })),
  }));

const first = ({ coins }: Ground, at = 0): Coin => coins[at] ?? { txid: NO_TXID, vout: 0, value: 0n };

/** What may be wrong with a block, by name. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  none: (draft) => draft,
  'no work': (draft) => ({ ...draft, hasWork: false }),
  'an easier target': (draft) => ({ ...draft, bits: 0x2100_ffff }),
  'a harder target': (draft) => ({ ...draft, bits: 0x2010_ffff }),
  'no target': (draft) => ({ ...draft, bits: 0 }),
  'version 1': (draft) => ({ ...draft, version: 1 }),
  'version 3': (draft) => ({ ...draft, version: 3 }),
  'a negative version': (draft) => ({ ...draft, version: 0xffff_ffff }),
  'an old time': (draft) => ({ ...draft, time: draft.time - 100_000 }),
  'a future time': (draft) => ({ ...draft, time: draft.time + 7300 }),
  'an unknown parent': (draft) => ({ ...draft, previous: '11'.repeat(32) }),
  'another merkle root': (draft) => ({ ...draft, breaksRoot: true }),
  'a repeated transaction': (draft, ground) => ({
    ...draft,
    others: [spend([first(ground)]), spend([first(ground, 1)])],
    repeatsLast: true,
  }),
  'no commitment': (draft) => ({ ...draft, commits: false }),
  'no commitment to a witness': (draft, ground) => ({
    ...draft,
    commits: false,
    others: [spend([first(ground)], {}, { witness: [Uint8Array.of(1)] })],
  }),
  'a witness that nothing wants': withOthers((ground) => [spend([first(ground)], {}, { witness: [Uint8Array.of(1)] })]),
  'a short reserved value': (draft) => ({ ...draft, reserved: [new Uint8Array(31)] }),
  'two reserved values': (draft) => ({ ...draft, reserved: [RESERVED, RESERVED] }),
  'another reserved value': (draft) => ({ ...draft, reserved: [new Uint8Array(32).fill(1)] }),
  'no reserved value': (draft) => ({ ...draft, reserved: [] }),
  'a satoshi too much': withCoinbase((_, { subsidy }) => ({ outputs: [pay(subsidy + 1001n)] })),
  'all that may be paid': withCoinbase((_, { subsidy }) => ({ outputs: [pay(subsidy + 1000n)] })),
  'an output below zero': withCoinbase(() => ({ outputs: [pay(-1n)] })),
  'an output beyond all money': withCoinbase(() => ({ outputs: [pay(MAX_MONEY + 1n)] })),
  'outputs beyond all money': withCoinbase(() => ({ outputs: [pay(MAX_MONEY), pay(1n)] })),
  'another height': withScriptSig((_, { height }) => concat(pushNumber(height + 1), [0, 0])),
  'a short coinbase': withScriptSig(() => Uint8Array.of(0)),
  'a long coinbase': withScriptSig((scriptSig) => concat(scriptSig, new Uint8Array(101 - scriptSig.length))),
  'the longest coinbase': withScriptSig((scriptSig) => concat(scriptSig, new Uint8Array(100 - scriptSig.length))),
  'two coinbases': (draft) => ({ ...draft, others: [{ ...draft.coinbase, locktime: 1 }] }),
  'a first transaction that is no coinbase': (draft, ground) => ({
    ...draft,
    coinbase: spend([first(ground)]),
    commits: false,
  }),
  'a lock in the future': withOthers((ground) => [
    spend([first(ground)], { locktime: ground.height }, { sequence: 0 }),
  ]),
  'a lock that is over': withOthers((ground) => [
    spend([first(ground)], { locktime: ground.height - 1 }, { sequence: 0 }),
  ]),
  'a time lock in the future': withOthers((ground) => [
    spend([first(ground)], { locktime: ground.time + 10 }, { sequence: 0 }),
  ]),
  'a relative lock that is not met': withOthers((ground) => [spend([first(ground)], {}, { sequence: 60_000 })]),
  'a relative lock by time that is not met': withOthers((ground) => [
    spend([first(ground)], {}, { sequence: 0x0040_ffff }),
  ]),
  'an unknown coin': withOthers(() => [spend([{ txid: new Uint8Array(32).fill(7), vout: 0, value: 5000n }])]),
  'a coin spent twice': withOthers((ground) => [spend([first(ground)]), spend([first(ground)], { locktime: 1 })]),
  'a coin spent twice by one': withOthers((ground) => [spend([first(ground), first(ground)])]),
  'a coin of the same block': withOthers((ground) => {
    const parent = spend([first(ground)]);
    return [parent, spend([{ txid: txid(parent), vout: 0, value: parent.outputs[0]?.value ?? 0n }])];
  }),
  'a child before its parent': withOthers((ground) => {
    const parent = spend([first(ground)]);
    return [spend([{ txid: txid(parent), vout: 0, value: parent.outputs[0]?.value ?? 0n }]), parent];
  }),
  'a young coinbase': withOthers(({ young }) => [spend([young])]),
  'more paid than spent': withOthers((ground) => [
    spend([first(ground)], { outputs: [pay(first(ground).value + 1n)] }),
  ]),
  'no outputs': withOthers((ground) => [spend([first(ground)], { outputs: [] })]),
  'a null outpoint': withOthers((ground) => [spend([first(ground), { txid: NO_TXID, vout: 0xffff_ffff, value: 0n }])]),
  'an output below zero later': withOthers((ground) => [spend([first(ground)], { outputs: [pay(-5n)] })]),
  'a script that fails': withOthers((ground) => [spend([first(ground)], {}, { scriptSig: Uint8Array.of(0x6a) })]),
  'a script that leaves nothing true': withOthers((ground) => {
    const parent = spend([first(ground)], { outputs: [pay(first(ground).value - 1000n, Uint8Array.of(0))] });
    return [parent, spend([{ txid: txid(parent), vout: 0, value: first(ground).value - 1000n }])];
  }),
  'too many signature checks': withOthers((ground) => [
    spend([first(ground)], { outputs: [pay(1n, new Uint8Array(20_001).fill(0xac))] }),
  ]),
  'the most signature checks': withOthers((ground) => [
    spend([first(ground)], { outputs: [pay(1n, new Uint8Array(20_000).fill(0xac))] }),
  ]),
  'too many bytes': withOthers((ground) => [
    spend([first(ground)], { outputs: [pay(1n, new Uint8Array(1_000_000).fill(0x61))] }),
  ]),
  'too much weight': withOthers((ground) => [
    spend(
      [first(ground)],
      { outputs: [pay(1n, new Uint8Array(900_000).fill(0x61))] },
      {
        witness: [new Uint8Array(500_000)],
      },
    ),
  ]),
};

/** Changes a few random digits of a block. */
export function garbled(hex: string, dice: Dice): string {
  let text = hex;
  for (let i = dice.below(3); i >= 0; i -= 1) {
    const at = dice.below(text.length);
    text = text.slice(0, at) + dice.below(16).toString(16) + text.slice(at + 1);
  }
  return dice.below(8) === 0 ? text.slice(0, dice.below(text.length)) : text;
}
