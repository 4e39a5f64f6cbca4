import {
  decodeBlockFilter,
  encodeBlockFilter,
  matchesAny,
  prepareFilterScripts,
} from '../../../src/node/chain/blockFilter.ts';
import { blockCodec, coinCodec, countsCodec, pooledCodec, undoCodec } from '../../../src/node/chain/chainCodec.ts';
import { createMemoryStore, networks } from '../../support/library.ts';
import { begin, play, type Step } from '../../support/walletHistory.ts';
import {
  allAnswers,
  ask,
  hexOf,
  LEGACY,
  MODERN,
  makeWorld,
  mempoolOf,
  openWalletRpc,
} from '../../support/walletWorld.ts';
import { mutateBytes, mutateText } from '../mutate.ts';
import { joined, script } from '../shapes.ts';
import { createSource, type Source } from '../source.ts';
import { attempt, bytesTarget, holds, type Json, jsonTarget, same, sameBytes, type Target } from '../target.ts';

const HASH = new Uint8Array(32).fill(9);

const distinctScripts = (source: Source): readonly Uint8Array[] => {
  const scripts = Array.from({ length: source.next(12) }, () => script(source)).filter(({ length }) => length > 0);
  return [...new Map(scripts.map((one) => [Buffer.from(one).toString('hex'), one])).values()];
};

/** Makes the filter of some scripts, and changes it. */
function anyFilter(source: Source): Uint8Array {
  const filter = encodeBlockFilter(distinctScripts(source), HASH);
  return source.once(4) ? filter : mutateBytes(source, filter, [filter]);
}

function runFilter(bytes: Uint8Array): void {
  const filter = attempt(['bytes/', 'filter/invalid'], () => decodeBlockFilter(bytes));
  if (!filter) return;
  const { values } = filter;
  holds(
    values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0)),
    'the values ascend',
  );
  matchesAny(filter, HASH, prepareFilterScripts([Uint8Array.of(0x51), HASH]));
}

/** Requires each script of a filter to match it. Scripts are separated by their sizes. */
function runMatches(bytes: Uint8Array): void {
  const scripts = new Map<string, Uint8Array>();
  for (let at = 0; at < bytes.length; ) {
    const one = bytes.slice(at + 1, at + 1 + (bytes[at] ?? 0));
    at += 1 + (bytes[at] ?? 0);
    if (one.length > 0) scripts.set(Buffer.from(one).toString('hex'), one);
  }
  const own = [...scripts.values()];
  const encoded = encodeBlockFilter(own, HASH);
  const filter = decodeBlockFilter(encoded);
  holds(filter.values.length === own.length, 'a filter has a value for each script');
  for (const one of own) holds(matchesAny(filter, HASH, prepareFilterScripts([one])), 'a filter matches its scripts');
}

/** The codecs of records; their bytes are guarded by checksums, so that only their round trip counts. */
function runRecords(bytes: Uint8Array): void {
  const codes = ['bytes/', 'tx/', 'hex/'];
  const counts = attempt(codes, () => countsCodec.decode(bytes, ''));
  if (counts && Object.values(counts).every(Number.isSafeInteger))
    sameBytes(countsCodec.encode(counts), bytes.subarray(0, 32), 'counts');
  const coin = attempt(codes, () => coinCodec.decode(bytes, ''));
  if (coin && (bytes[4] ?? 0) < 2)
    sameBytes(coinCodec.encode(coin), bytes.subarray(0, coinCodec.encode(coin).length), 'a coin');
  const undo = attempt(codes, () => undoCodec.decode(bytes, ''));
  if (undo) undoCodec.encode(undo);
  attempt(codes, () => blockCodec.decode(bytes, '\0'.repeat(32)));
  attempt(codes, () => pooledCodec(networks.regtest).decode(bytes, ''));
}

const KINDS = [LEGACY, MODERN] as const;
const STEP_TYPES = ['pay', 'pay', 'pay', 'mine', 'undo', 'label', 'lock', 'abandon', 'reload'] as const;

function anyHistory(source: Source): Json {
  const number = (): number => source.next(30);
  return {
    kind: source.next(2),
    steps: Array.from({ length: 3 + source.next(14) }, () => {
      const type = source.pick(STEP_TYPES);
      const all = { coin: number(), to: [number(), number()], most: source.next(5), miner: number(), tx: number() };
      const rest = { address: number(), label: source.pick(['', 'a', '\n', '的']), unlock: source.once(2), which: 0 };
      return { type, ...all, ...rest, damage: source.once(4) ? source.next(1_000_000) : 0 };
    }),
  };
}

/** Tells whether a step still has the members that a generated one has. */
const isWhole = (step: object): boolean =>
  ['coin', 'to', 'most', 'miner', 'tx', 'address', 'label', 'unlock'].every((name) => Object.hasOwn(step, name));

/** Sends a changed copy of what the node knows: a transaction, or the hash of a block. */
function sendDamaged(world: ReturnType<typeof makeWorld>, damage: number, source: Source): void {
  const [tx] = mempoolOf(world);
  const hex = mutateText(source, tx ? hexOf(tx) : '02000000', ['00', 'ff', '51']);
  const calls: readonly (readonly [string, readonly unknown[]])[] = [
    ['sendrawtransaction', [hex]],
    ['testmempoolaccept', [[hex]]],
    ['submitblock', [hex]],
    ['submitheader', [hex.padEnd(160, '0').slice(0, 160)]],
    ['invalidateblock', [world.base.hash]],
    ['reconsiderblock', [world.base.hash]],
  ];
  const [method, params] = calls[damage % calls.length] ?? calls[0] ?? ['getblockcount', []];
  ask(world.rpc, method, params);
}

/** Requires a node that is opened again from its journal to give the same answers, whatever it was fed. */
function runHistory(input: Json): void {
  if (typeof input !== 'object' || input === null) return;
  const { kind, steps } = input as Readonly<Record<string, unknown>>;
  const chosen = KINDS[Number(kind)];
  if (!chosen || !Array.isArray(steps)) return;
  const store = createMemoryStore();
  const world = makeWorld(chosen, { store });
  const played = begin(world);
  for (const step of steps as readonly (Step & { readonly damage?: number })[]) {
    if (typeof step?.type !== 'string' || !isWhole(step)) continue;
    play(world, played, step);
    if (step.damage) {
      const source = createSource(step.damage, 'damage');
      source.begin(0);
      sendDamaged(world, step.damage, source);
    }
  }
  const before = JSON.stringify(allAnswers(world));
  const again = { ...world, rpc: openWalletRpc(chosen, store) };
  same(JSON.stringify(allAnswers(again)), before, 'a node that is opened again gives the same answers');
}

/** Writes scripts, each after its size. */
const sizedScripts = (source: Source): Uint8Array =>
  joined(...distinctScripts(source).map((one) => joined([Math.min(255, one.length)], one.slice(0, 255))));

export const CHAIN_TARGETS: readonly Target[] = [
  bytesTarget('block-filter', { generate: anyFilter, run: runFilter }),
  bytesTarget('block-filter-match', { generate: sizedScripts, run: runMatches }),
  bytesTarget('records', { generate: (source) => source.bytes(source.next(200)), run: runRecords }),
  jsonTarget('chain', { generate: anyHistory, run: runHistory }),
];
