import fc from 'fast-check';
import { blockAfter, type MadeBlock } from './blocks.ts';
import { type Outpoint, type Transaction, txid } from './library.ts';
import { ask, hexOf, idOf, importLater, mempoolOf, payment, type WalletWorld } from './walletWorld.ts';

/** A step of a random history; numbers choose among what exists at the time. */
export type Step =
  | { readonly type: 'pay'; readonly coin: number; readonly to: readonly [number, number] }
  | { readonly type: 'mine'; readonly most: number; readonly miner: number }
  | { readonly type: 'undo' }
  | { readonly type: 'label'; readonly address: number; readonly label: string }
  | { readonly type: 'lock'; readonly coin: number; readonly unlock: boolean }
  | { readonly type: 'abandon'; readonly tx: number }
  | { readonly type: 'import'; readonly which: number }
  /** Adds a transaction with a proof that it is mined. */
  | { readonly type: 'prove'; readonly tx: number }
  /** Removes a transaction from the wallet. */
  | { readonly type: 'remove'; readonly tx: number }
  | { readonly type: 'flag'; readonly isSet: boolean }
  /** Sets the fee rate of a 0.21 wallet. */
  | { readonly type: 'fee'; readonly rate: number }
  /** Adds a multisig address to a 0.21 wallet. */
  | { readonly type: 'multisig'; readonly required: number }
  | { readonly type: 'reload' };

export const index = fc.nat(30);

/** How often steps occur; by default those without a weight never do. */
interface Weights {
  readonly undo: number;
  readonly import?: number;
  /** Adding and removing transactions, and settings of the wallet. */
  readonly settings?: number;
}

const settings: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('prove' as const), tx: index }),
  fc.record({ type: fc.constant('remove' as const), tx: index }),
  fc.record({ type: fc.constant('flag' as const), isSet: fc.boolean() }),
  fc.record({ type: fc.constant('fee' as const), rate: fc.constantFrom(0, 0.0002, 0.001, 0.05) }),
  fc.record({ type: fc.constant('multisig' as const), required: fc.integer({ min: 1, max: 2 }) }),
);

export const steps = (weights: Weights): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({ type: fc.constant('pay' as const), coin: index, to: fc.tuple(index, index) }),
      },
      { weight: 3, arbitrary: fc.record({ type: fc.constant('mine' as const), most: fc.nat(4), miner: index }) },
      { weight: weights.undo, arbitrary: fc.record({ type: fc.constant('undo' as const) }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('label' as const), address: index, label: fc.string() }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('lock' as const), coin: index, unlock: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('abandon' as const), tx: index }) },
      { weight: weights.import ?? 0, arbitrary: fc.record({ type: fc.constant('import' as const), which: index }) },
      { weight: weights.settings ?? 0, arbitrary: settings },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('reload' as const) }) },
    ),
    { minLength: 5, maxLength: 25 },
  );

/** The coins, transactions and blocks that a history has created so far. */
export interface Played {
  readonly coins: Outpoint[];
  readonly txs: Transaction[];
  tip: MadeBlock;
  readonly parents: Map<string, MadeBlock>;
  blocks: number;
}

export const at = <T>(items: readonly T[], number: number): T => {
  const item = items[number % items.length];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};

export const begin = ({ coins, base }: WalletWorld): Played => ({
  coins: [...coins],
  txs: [],
  tip: base,
  parents: new Map(),
  blocks: 0,
});

/** Plays a step, and records what the node accepts. @returns the node's answer */
export function play(world: WalletWorld, played: Played, step: Step): unknown {
  const { rpc, scripts, kind } = world;
  switch (step.type) {
    case 'pay': {
      const tx = payment(at(played.coins, step.coin), [at(scripts, step.to[0]), at(scripts, step.to[1])]);
      const answer = ask(rpc, 'sendrawtransaction', [hexOf(tx)]);
      if (answer === idOf(tx) && !played.txs.some((known) => idOf(known) === idOf(tx))) {
        played.txs.push(tx);
        played.coins.push({ txid: txid(tx), vout: 0 }, { txid: txid(tx), vout: 1 });
      }
      return answer;
    }
    case 'mine': {
      const script = at(scripts, step.miner);
      return mine(world, played, { script, txs: mempoolOf(world).slice(0, step.most) });
    }
    case 'undo':
      return played.parents.size === 0 ? null : undo(world, played);
    case 'label':
      return ask(rpc, 'setlabel', [at(addressTexts(world), step.address), step.label]);
    case 'lock': {
      const { txid: id, vout } = at(played.coins, step.coin);
      return ask(rpc, 'lockunspent', [step.unlock, [{ txid: Buffer.from(id).reverse().toString('hex'), vout }]]);
    }
    case 'abandon':
      return played.txs.length === 0 ? null : ask(rpc, 'abandontransaction', [idOf(at(played.txs, step.tx))]);
    case 'import':
      return importLater(world, step.which);
    case 'prove':
      return played.txs.length === 0 ? null : prove(world, at(played.txs, step.tx));
    case 'remove':
      return played.txs.length === 0 ? null : ask(rpc, 'removeprunedfunds', [idOf(at(played.txs, step.tx))]);
    case 'flag':
      return ask(rpc, 'setwalletflag', ['avoid_reuse', step.isSet]);
    case 'fee':
      return ask(rpc, 'settxfee', [step.rate]);
    case 'multisig': {
      const [first, second] = addressTexts(world);
      return ask(rpc, 'addmultisigaddress', [step.required, [first, second], 'both']);
    }
    default:
      ask(rpc, 'unloadwallet');
      return [kind.dialect, ask(rpc, 'loadwallet', ['w'])];
  }
}

/** Adds a transaction to the wallet, with a proof of the block that one of its outputs is unspent in. */
function prove({ rpc }: WalletWorld, tx: Transaction): unknown {
  const proof = ask(rpc, 'gettxoutproof', [[idOf(tx)]]);
  return typeof proof === 'string' ? ask(rpc, 'importprunedfunds', [hexOf(tx), proof]) : proof;
}

const addressTexts = ({ rpc, scripts }: WalletWorld): readonly string[] =>
  scripts.map((script) => {
    const shown = ask(rpc, 'decodescript', [script]) as { readonly address?: string; readonly addresses?: [string] };
    return shown.address ?? shown.addresses?.[0] ?? '';
  });

export function mine(
  { rpc }: WalletWorld,
  played: Played,
  content: { readonly script: string; readonly txs: readonly Transaction[] },
): unknown {
  played.blocks += 1;
  const block = blockAfter(played.tip, { salt: played.blocks.toString(16).padStart(4, '0'), ...content });
  const answer = ask(rpc, 'submitblock', [block.hex]);
  if (answer !== null) return answer;
  played.parents.set(block.hash, played.tip);
  played.tip = block;
  return answer;
}

export function undo({ rpc }: WalletWorld, played: Played): unknown {
  const parent = played.parents.get(played.tip.hash);
  if (!parent) return null;
  const answer = ask(rpc, 'invalidateblock', [played.tip.hash]);
  played.tip = parent;
  return answer;
}
