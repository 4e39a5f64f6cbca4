import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { campaign } from '../../support/campaign.ts';
import { createMemoryStore, type RecordStore } from '../../support/library.ts';
import { begin, play, steps } from '../../support/walletHistory.ts';
import {
  allAnswers,
  ask,
  LEGACY,
  MODERN,
  makeWorld,
  openWalletRpc,
  type WalletWorld,
} from '../../support/walletWorld.ts';

const WALLETS = [
  ['0.21', LEGACY, false],
  ['0.21 with avoid_reuse', LEGACY, true],
  ['31', MODERN, false],
  ['31 with avoid_reuse', MODERN, true],
] as const;

const LISTS = ['getbalances', 'listlabels', 'listtransactions', 'listaddressgroupings'];

/** Answers without handing out an address. */
const lookAt = (world: WalletWorld): unknown => [allAnswers(world), LISTS.map((method) => ask(world.rpc, method))];

const answersOf = (world: WalletWorld): unknown => [lookAt(world), ask(world.rpc, 'getnewaddress')];

const lasting = (store: RecordStore): RecordStore => ({ ...store, close: () => undefined });

describe.each(WALLETS)('a wallet of %s', (_, kind, avoidsReuse) => {
  test('answers alike after each opening, at any step of a history', () => {
    fc.assert(
      fc.property(steps({ undo: 2, import: 1, settings: 3 }), fc.nat(3), fc.boolean(), (history, pause, looks) => {
        const whole = makeWorld(kind, { avoidsReuse });
        const store = lasting(createMemoryStore());
        let reopened = makeWorld(kind, { avoidsReuse, store });
        const [played, alike] = [begin(whole), begin(reopened)];
        for (const [i, step] of history.entries()) {
          expect(play(reopened, alike, step)).toEqual(play(whole, played, step));
          if (i % (pause + 1) !== 0) continue;
          reopened.rpc.close();
          reopened = { ...reopened, rpc: openWalletRpc(kind, store) };
          // Later steps otherwise change a wallet whose records have not been read.
          if (looks) expect(lookAt(reopened)).toEqual(lookAt(whole));
        }
        expect(answersOf(reopened)).toEqual(answersOf(whole));
      }),
      campaign(25),
    );
  });
});
