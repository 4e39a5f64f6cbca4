import { describe, expect, test } from 'vitest';
import { blockAfter, genesisOf, type MadeBlock, quickNetwork } from '../../support/blocks.ts';
import { createNodeRpc, type NodeRpc, stringifyRpc } from '../../support/library.ts';

const openRegtest = (): NodeRpc =>
  createNodeRpc({
    network: quickNetwork('litecoin-regtest'),
    dialect: 'litecoin-0.21',
    clock: () => 1_701_000_000,
    random: (size) => new Uint8Array(size),
  });

/** A version that votes for testdummy, by bit 28, and those that do not: without the bit, or without BIP9's top bits. */
const [YES, NO, OTHER] = [0x3000_0000, 0x2000_0000, 0x7000_0000];

/** Submits blocks of these versions after a block. @returns the last one */
function submit(rpc: NodeRpc, parent: MadeBlock, versions: readonly number[], salt = ''): MadeBlock {
  return versions.reduce((tip, version) => {
    const block = blockAfter(tip, { salt, version });
    rpc.call('submitblock', [block.hex]);
    return block;
  }, parent);
}

const testdummy = (rpc: NodeRpc) => rpc.call('getblockchaininfo').softforks?.['testdummy'];
const started = (elapsed: number, count: number, possible: boolean) => ({
  active: false,
  bip9: {
    status: 'started',
    bit: 28,
    since: 144,
    statistics: { period: 144, threshold: 108, elapsed, count, possible },
  },
});
const repeat = (version: number, count: number): readonly number[] => new Array<number>(count).fill(version);

describe('the vote on a soft fork', () => {
  test('counts blocks of BIP9 with the bit, in their period, and needs 108 of 144', () => {
    const rpc = openRegtest();
    const first = submit(rpc, genesisOf('litecoin-regtest'), repeat(YES, 143));
    expect(testdummy(rpc)).toMatchObject(started(0, 0, true));
    const lost = submit(rpc, first, [...repeat(YES, 107), ...repeat(NO, 36)]);
    expect(testdummy(rpc)).toMatchObject(started(143, 107, true));
    const third = submit(rpc, lost, [OTHER]);
    expect(testdummy(rpc)).toMatchObject(started(0, 0, true));
    const won = submit(rpc, third, [...repeat(NO, 36), ...repeat(YES, 107)]);
    expect(testdummy(rpc)).toMatchObject(started(143, 107, true));
    const locked = submit(rpc, won, [YES]);
    expect(testdummy(rpc)).toMatchObject({ active: false, bip9: { status: 'locked_in', since: 432 } });
    submit(rpc, locked, repeat(NO, 144));
    expect(testdummy(rpc)).toMatchObject({ active: true, height: 576, bip9: { status: 'active', since: 576 } });
  });

  test('cannot be won any more after 37 blocks without the bit', () => {
    const rpc = openRegtest();
    const first = submit(rpc, genesisOf('litecoin-regtest'), repeat(YES, 143));
    const still = submit(rpc, first, repeat(NO, 36));
    expect(testdummy(rpc)).toMatchObject(started(36, 0, true));
    submit(rpc, still, [NO]);
    expect(testdummy(rpc)).toMatchObject(started(37, 0, false));
  });

  test('is that of the active chain after a reorganization', () => {
    const rpc = openRegtest();
    const first = submit(rpc, genesisOf('litecoin-regtest'), repeat(YES, 143));
    submit(rpc, first, repeat(YES, 144));
    expect(testdummy(rpc)).toMatchObject({ bip9: { status: 'locked_in' } });
    submit(rpc, first, repeat(NO, 145), '01');
    expect(testdummy(rpc)).toMatchObject(started(1, 0, true));
  });

  test('is printed with all digits of the time at which it ends', () => {
    const answer = stringifyRpc(openRegtest().call('getblockchaininfo'));
    expect(answer).toContain(
      '"taproot":{"type":"bip9","bip9":{"status":"active","start_time":-1,"timeout":9223372036854775807,',
    );
  });
});
