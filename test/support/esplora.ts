import { answerEsplora, type Esplora, openEsplora } from '../../src/node/esplora/answerEsplora.ts';
import { blockAfter, blocksAfter, coinbaseOf, GENESIS, type MadeBlock, spend } from './blocks.ts';
import { openNode, submit } from './feeding.ts';
import { hash160, type NodeRpc, type Outpoint, parseHex, sha256, type Transaction, txid } from './library.ts';
import { put } from './walletWorld.ts';

/** A reply as a client reads it. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  /** Parsed, if it is JSON. */
  readonly body: unknown;
}

/** Sends a request without HTTP. */
export function ask(esplora: Esplora, path: string, body?: string): Answer {
  const method = body === undefined ? 'GET' : 'POST';
  const { status, type, body: sent } = answerEsplora(esplora, { method, path, body: body ?? '' });
  return { status, type, body: type === 'application/json' ? JSON.parse(String(sent)) : sent };
}

/** Returns the body of a reply that must be a success. */
export function get<T = never>(esplora: Esplora, path: string): T {
  const { status, body } = ask(esplora, path);
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
  return body as T;
}

const bytes = (...parts: readonly (number | Uint8Array)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part])));

const TRUE = Uint8Array.of(0x51);
const P2WSH = bytes(0, 32, sha256(TRUE));
const PUBKEY = parseHex(`02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`);

/** A scriptPubKey of each kind that Esplora names. Those whose names begin with `true` anybody can spend. */
export const SCRIPTS = {
  true: TRUE,
  trueP2sh: bytes(0xa9, 20, hash160(TRUE), 0x87),
  trueP2wsh: P2WSH,
  trueNested: bytes(0xa9, 20, hash160(P2WSH), 0x87),
  p2pk: bytes(33, PUBKEY, 0xac),
  p2pkh: bytes(0x76, 0xa9, 20, hash160(PUBKEY), 0x88, 0xac),
  p2wpkh: bytes(0, 20, hash160(PUBKEY)),
  p2tr: bytes(0x51, 32, PUBKEY.slice(1)),
  anchor: bytes(0x51, 2, 0x4e, 0x73),
  multisig: bytes(0x51, 33, PUBKEY, 0x51, 0xae),
  data: bytes(0x6a, 2, 1, 2),
  empty: bytes(),
} as const;

export type ScriptName = keyof typeof SCRIPTS;

/** The order of the outputs of the transaction that pays all kinds of scripts. */
export const NAMES = Object.keys(SCRIPTS) as readonly ScriptName[];

/** Pays names in order, 1000 satoshi to the first, 1001 to the second, and so on. */
export const pay = (coins: readonly Outpoint[], names: readonly ScriptName[], first = 1000n): Transaction => ({
  ...spend(coins),
  outputs: names.map((name, i) => ({ value: first + BigInt(i), scriptPubKey: SCRIPTS[name] })),
});

export const coinOf = (tx: Transaction, vout: number): Outpoint => ({ txid: txid(tx), vout });

const firstCoin = (block: MadeBlock | undefined): Outpoint => {
  if (!block) throw new Error('no such block');
  return coinOf(coinbaseOf(block), 0);
};

/** A small chain that is indexed as it grows. */
export interface EsploraWorld {
  readonly rpc: NodeRpc;
  readonly esplora: Esplora;
  /** By height; coinbases pay `true`. */
  readonly blocks: readonly MadeBlock[];
  /** In block 111: pays each of `NAMES`. */
  readonly fan: Transaction;
  /** In block 112: spends what anybody can spend of it, and pays `p2wpkh`, `data` and `true`. */
  readonly gathered: Transaction;
  /** In the mempool: pays `p2tr` and, with a coin of the latter, `p2tr` again. */
  readonly pooled: readonly [Transaction, Transaction];
  /** A coinbase of `true` that nothing spends. */
  readonly spare: Outpoint;
}

const MATURE = 110;

export function makeEsploraWorld(rpc: NodeRpc = openNode()): EsploraWorld {
  const esplora = openEsplora(rpc);
  const early = blocksAfter(GENESIS, MATURE);
  const fan = pay([firstCoin(early[0])], NAMES);
  const withFan = blockAfter(early.at(-1) ?? GENESIS, { txs: [fan] });
  const gathered = gather(fan);
  const withGathered = blockAfter(withFan, { txs: [gathered] });
  const blocks = [GENESIS, ...early, withFan, withGathered];
  submit(rpc, blocks.slice(1));
  const parent = pay([firstCoin(early[1])], ['p2tr', 'true'], 5_000n);
  const child = pay([coinOf(parent, 1)], ['p2tr'], 2_000n);
  for (const tx of [parent, child]) put(rpc, tx);
  return { rpc, esplora, blocks, fan, gathered, pooled: [parent, child], spare: firstCoin(early[2]) };
}

function gather(fan: Transaction): Transaction {
  const names: readonly ScriptName[] = ['true', 'trueP2sh', 'trueP2wsh', 'trueNested'];
  const proofs = {
    true: {},
    trueP2sh: { scriptSig: bytes(1, TRUE) },
    trueP2wsh: { witness: [TRUE] },
    trueNested: { scriptSig: bytes(34, P2WSH), witness: [TRUE] },
  };
  const whole = pay(
    names.map((name) => coinOf(fan, NAMES.indexOf(name))),
    ['p2wpkh', 'data', 'true'],
    300n,
  );
  const inputs = whole.inputs.map((input, i) => ({ ...input, ...proofs[names[i] as keyof typeof proofs] }));
  return { ...whole, inputs };
}
