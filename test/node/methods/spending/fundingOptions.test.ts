import { beforeAll, describe, expect, test } from 'vitest';
import { blocksAfter, genesisOf } from '../../../support/blocks.ts';
import { makeKeyWallet } from '../../../support/keyWallet.ts';
import type { NodeRpc } from '../../../support/library.ts';
import { ask, LEGACY, MODERN, NOW, openWalletRpc } from '../../../support/walletWorld.ts';

// The errors of Core 31, in the words and the order of its source.

const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const NOTHING = '11'.repeat(32);

describe('options of payments in core-32', () => {
  let rpc: NodeRpc;
  beforeAll(() => {
    rpc = openWalletRpc(MODERN, undefined, () => NOW);
    makeKeyWallet(rpc, MODERN);
    for (const { hex } of blocksAfter(genesisOf(MODERN.network), 3)) ask(rpc, 'submitblock', [hex]);
  });

  const funding = (options: unknown, outputs: unknown = [{ [ADDRESS]: 0.1 }], inputs: unknown = []): unknown =>
    ask(rpc, 'walletcreatefundedpsbt', [inputs, outputs, 0, options]);

  test.each([
    [{ fee_rate: 1.2345 }, -3, 'Invalid amount'],
    [{ fee_rate: 2, changePosition: 2 }, -8, 'changePosition out of bounds'],
    [{ fee_rate: 2, changePosition: -1 }, -8, 'changePosition out of bounds'],
    [{ changePosition: 2, minconf: -1 }, -8, 'changePosition out of bounds'],
    [{ minconf: -1, fee_rate: 'x' }, -8, 'Negative minconf'],
    [{ minconf: 3, maxconf: 2 }, -8, "maxconf can't be lower than minconf: 2 < 3"],
    [{ change_type: 'foo' }, -5, "Unknown change type 'foo'"],
    [
      { subtractFeeFromOutputs: [1], foo: 1 },
      -8,
      "Invalid parameter 'subtract fee from output', position too large: 1",
    ],
    [
      { subtractFeeFromOutputs: ['x'] },
      -8,
      "Invalid parameter 'subtract fee from output', destination x not found in tx outputs",
    ],
    [{ subtractFeeFromOutputs: [true] }, -8, "Invalid parameter 'subtract fee from output', invalid value type: bool"],
    [{ input_weights: [] }, -8, 'Input weights should be specified in inputs rather than in options.'],
    [{ max_tx_weight: 259, fee_rate: 2 }, -4, 'Maximum transaction weight must be between 260 and 400000'],
    [{ solving_data: { scripts: ['xx'] } }, -5, "'xx' is not hex"],
    [{}, -4, 'Fee estimation failed. Fallbackfee is disabled. Wait a few blocks or enable -fallbackfee.'],
    [{ fee_rate: 2 }, -4, 'Insufficient funds'],
  ])('%j', (options, code, message) => {
    expect(funding(options)).toEqual({ code, message });
  });

  test('dust is refused before the fee rate, and the fee rate before the coins', () => {
    expect(funding({}, [{ [ADDRESS]: 0.00000001 }])).toEqual({ code: -4, message: 'Transaction amount too small' });
    const sent = ask(rpc, 'send', [[{ [ADDRESS]: 0.1 }], null, 'unset', 0.5]);
    expect(sent).toEqual({
      code: -4,
      message:
        'Fee rate (0.500 sat/vB) is lower than the minimum fee rate setting (1.000 sat/vB).\nConsider modifying -mintxfee (1.000 sat/vB) or -minrelaytxfee (0.100 sat/vB).',
    });
  });

  test('given inputs must exist, and a weight must be possible', () => {
    const input = { txid: NOTHING, vout: 0 };
    expect(funding({ fee_rate: 2 }, undefined, [input])).toEqual({
      code: -4,
      message: 'Unable to find UTXO for external input',
    });
    expect(funding({}, undefined, [{ ...input, weight: 164 }])).toMatchObject({ code: -8 });
    expect(funding({}, undefined, [{ ...input, weight: 400_001 }])).toEqual({
      code: -8,
      message: 'Invalid parameter, weight cannot be greater than the maximum standard tx weight of 400000',
    });
  });

  test('wrong outputs are refused before wrong inputs, and wrong payers before wrong weights', () => {
    const bad = { inputs: [{ txid: 'x', vout: 0 }], input_weights: [] };
    const send = (outputs: unknown, options: unknown): unknown =>
      ask(rpc, 'send', [outputs, null, 'unset', 2, options]);
    expect(send([{ bad: 1 }], bad)).toMatchObject({ code: -5, message: 'Invalid Bitcoin address: bad' });
    const payers = { subtract_fee_from_outputs: [3] };
    expect(send([{ [ADDRESS]: 0.1 }], { ...bad, ...payers })).toMatchObject({
      message: "Invalid parameter 'subtract fee from output', position too large: 3",
    });
    expect(funding({ subtractFeeFromOutputs: [3], input_weights: [] })).toMatchObject({
      message: "Invalid parameter 'subtract fee from output', position too large: 3",
    });
  });

  test('sendall wants an address without an amount', () => {
    expect(ask(rpc, 'sendall', [[{ [ADDRESS]: 1 }]])).toEqual({
      code: -8,
      message: 'Must provide at least one address without a specified amount',
    });
    expect(ask(rpc, 'sendall', [[ADDRESS], null, 'unset', 2])).toEqual({
      code: -6,
      message:
        "Total value of UTXO pool too low to pay for transaction. Try using lower feerate or excluding uneconomic UTXOs with 'send_max' option.",
    });
  });
});

test('litecoin-0.21 takes -1 as the place of the change for one at random', () => {
  const rpc = openWalletRpc(LEGACY, undefined, () => NOW);
  makeKeyWallet(rpc, LEGACY);
  const funding = (changePosition: number): unknown =>
    ask(rpc, 'walletcreatefundedpsbt', [[], [{ data: '00' }], 0, { changePosition }]);
  expect(funding(-1)).toEqual({ code: -4, message: 'Insufficient funds' });
  expect(funding(-2)).toEqual({ code: -8, message: 'changePosition out of bounds' });
});
