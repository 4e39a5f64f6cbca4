import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockAfter, coinbaseOf, type MadeBlock } from '../../support/blocks.ts';
import { campaign } from '../../support/campaign.ts';
import { formatTxid, type NodeRpc, parseHex, type Transaction, txid, wtxid } from '../../support/library.ts';
import { ask, idOf, LEGACY, MODERN, makeWorld, payment, put, type WalletWorld } from '../../support/walletWorld.ts';

interface Entry {
  readonly txid: string;
  readonly wtxid: string;
  readonly alternate_wtxids: readonly string[];
  readonly category: string;
  readonly abandoned?: boolean;
}

const entriesOf = (rpc: NodeRpc, tx: Transaction): readonly Entry[] =>
  (ask(rpc, 'listsinceblock') as { readonly transactions: readonly Entry[] }).transactions.filter(
    (entry) => entry.txid === idOf(tx),
  );

/** The witnesses of four copies: two of equal weight, a heavier one, and none. */
const WITNESSES = [[parseHex('01')], [parseHex('02')], [parseHex('010203')], []];

const withWitness = (tx: Transaction, witness: readonly Uint8Array[]): Transaction => ({
  ...tx,
  inputs: tx.inputs.map((input) => ({ ...input, witness })),
});

const rawId = (tx: Transaction): Buffer => Buffer.from(wtxid(tx));

/** Returns copies of a payment to the wallet in its order of preference; equal weights by the bytes of their wtxids. */
function copiesIn({ coins: [coin], scripts: [own = ''] }: WalletWorld): readonly Transaction[] {
  if (!coin) throw new Error('no coin');
  const copies = WITNESSES.map((witness) => withWitness(payment(coin, [own, own]), witness));
  const lightest = copies.slice(0, 2).sort((a, b) => rawId(a).compare(rawId(b)));
  return [...lightest, ...copies.slice(2)];
}

/** An action on a copy of a transaction, by its number. */
type Step = readonly ['send' | 'mine', number] | readonly ['drop' | 'undo' | 'unload' | 'load'];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constantFrom('send' as const, 'mine' as const), fc.nat(WITNESSES.length - 1)),
  fc.tuple(fc.constantFrom('drop' as const, 'undo' as const, 'unload' as const, 'load' as const)),
);

/** The heavier copy's block leaves the chain while the wallet is not loaded. */
const RELOADED: Step[] = [['send', 0], ['drop'], ['mine', 2], ['unload'], ['undo'], ['drop'], ['load']];
const REPLACED: Step[] = [['send', 3], ['drop'], ['send', 2], ['drop'], ['send', 1], ['drop'], ['send', 0]];

/** The state of the copies, by number: the one in the mempool or in a block, and those that the wallet has seen. */
interface Model {
  readonly seen: Set<number>;
  waiting: number | undefined;
  mined: { readonly copy: number; readonly block: MadeBlock } | undefined;
  isLoaded: boolean;
  blocks: number;
}

function play({ rpc, base }: WalletWorld, copies: readonly Transaction[], model: Model, [type, copy = 0]: Step): void {
  const tx = copies[copy];
  if (!tx) throw new Error('no copy');
  switch (type) {
    case 'send':
      if (model.mined || model.waiting !== undefined) return;
      put(rpc, tx);
      model.waiting = copy;
      break;
    case 'mine': {
      if (model.mined) return;
      model.blocks += 1;
      const block = blockAfter(base, { salt: model.blocks.toString(16).padStart(4, '0'), txs: [tx] });
      expect(ask(rpc, 'submitblock', [block.hex])).toBeNull();
      model.mined = { copy, block };
      model.waiting = undefined;
      break;
    }
    case 'drop':
      if (model.waiting === undefined) return;
      ask(rpc, 'droptransaction', [idOf(tx)]);
      model.waiting = undefined;
      break;
    case 'undo':
      if (!model.mined) return;
      ask(rpc, 'invalidateblock', [model.mined.block.hash]);
      model.waiting = model.mined.copy;
      model.mined = undefined;
      break;
    default:
      rpc.call(`${model.isLoaded ? 'unload' : 'load'}wallet`, ['w']);
      model.isLoaded = !model.isLoaded;
  }
}

/** Marks the copy in the mempool or in a block as seen, if the wallet is loaded. */
function see({ seen, mined, waiting, isLoaded }: Model): void {
  const now = mined?.copy ?? waiting;
  if (isLoaded && now !== undefined) seen.add(now);
}

/** Returns the wtxids that both entries of the payment show: that of the canonical copy, then those of the others. */
function shownOf({ seen, mined }: Model, copies: readonly Transaction[]): { tx: Transaction; shown: unknown } {
  const known = copies.filter((_, copy) => seen.has(copy));
  const chosen = mined ? copies[mined.copy] : known[0];
  const [tx] = copies;
  if (!tx) throw new Error('no copy');
  if (!chosen) return { tx, shown: [] };
  const others = known.filter((copy) => copy !== chosen).sort((a, b) => rawId(a).compare(rawId(b)));
  const ids = [chosen, ...others].map((copy) => formatTxid(wtxid(copy)));
  return { tx, shown: [ids, ids] };
}

describe('copies of a transaction with different witnesses', () => {
  test('are all kept; the mined one is shown, otherwise the lightest with a witness', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 20 }), (steps) => {
        const world = makeWorld(MODERN, { assumevalid: 'all' });
        const copies = copiesIn(world);
        const model: Model = { seen: new Set(), waiting: undefined, mined: undefined, isLoaded: true, blocks: 0 };
        for (const action of steps) {
          play(world, copies, model, action);
          see(model);
        }
        if (!model.isLoaded) play(world, copies, model, ['load']);
        see(model);
        const { tx, shown } = shownOf(model, copies);
        const entries = entriesOf(world.rpc, tx);
        expect(entries.map((entry) => [entry.wtxid, ...entry.alternate_wtxids])).toEqual(shown);
      }),
      { ...campaign(60), examples: [[RELOADED], [REPLACED]] },
    );
  });
});

describe('a coinbase whose block leaves the chain while the wallet is not loaded', () => {
  test.each([
    ['31', MODERN, true],
    ['0.21', LEGACY, false],
  ])('is abandoned when a wallet of %s is loaded, with its descendants: %s', (_, kind, isAbandoned) => {
    const { rpc, scripts, base } = makeWorld(kind);
    const [own = '', , , foreign = ''] = scripts;
    const block = blockAfter(base, { script: own });
    rpc.call('submitblock', [block.hex]);
    const child = payment({ txid: txid(coinbaseOf(block)), vout: 0 }, [foreign, foreign]);
    put(rpc, child);
    rpc.call('unloadwallet', ['w']);
    rpc.call('invalidateblock', [block.hash]);
    rpc.call('loadwallet', ['w']);
    expect(entriesOf(rpc, coinbaseOf(block))).toMatchObject([
      { category: 'orphan', confirmations: 0, ...(isAbandoned && { abandoned: true }) },
    ]);
    const sent = entriesOf(rpc, child);
    expect(sent.map(({ abandoned }) => abandoned)).toEqual([isAbandoned, isAbandoned]);
    // The coinbase returns with its block.
    rpc.call('reconsiderblock', [block.hash]);
    expect(entriesOf(rpc, coinbaseOf(block))).toMatchObject([{ category: 'immature', confirmations: 1 }]);
  });
});
