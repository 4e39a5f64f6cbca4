import { describe, expect, test } from 'vitest';
import { blockAfter, coinbaseOf, genesisOf, type MadeBlock } from '../../../support/blocks.ts';
import { openWithWallet, rpcFault } from '../../../support/feeding.ts';
import { formatHex, formatTxid, type NodeRpc, txid } from '../../../support/library.ts';
import { addressOf, keyOf } from '../../../support/walletKeys.ts';

const refuse = (code: number, message: string): object => expect.objectContaining({ code, message });
const MATURITY = 101;

/** Gives a 0.21 wallet a mature coin, and returns an address of it. */
function withCoin(rpc: NodeRpc): string {
  rpc.call('importprivkey', [keyOf(1).wif], 'w');
  let tip: MadeBlock = genesisOf('litecoin-regtest');
  for (let i = 0; i < MATURITY; i += 1) {
    tip = blockAfter(tip, i === 0 ? { script: formatHex(keyOf(1).program) } : {});
    rpc.call('submitblock', [tip.hex]);
  }
  rpc.call('sethdseed', [], 'w');
  return rpc.call('getnewaddress', [], 'w');
}

describe('setwalletflag', () => {
  test('sets and clears avoid_reuse, which balances then show', () => {
    const rpc = openWithWallet();
    expect(rpc.call('setwalletflag', ['avoid_reuse'], 'w')).toEqual({
      flag_name: 'avoid_reuse',
      flag_state: true,
      warnings:
        'You need to rescan the blockchain in order to correctly mark used destinations in the past. Until this is done, some destinations may be considered unused, even if the opposite is the case.',
    });
    expect(rpc.call('getwalletinfo', [], 'w')).toMatchObject({ avoid_reuse: true });
    expect(rpc.call('getbalances', [], 'w').mine).toHaveProperty('used');
    rpc.call('unloadwallet', ['w']);
    rpc.call('loadwallet', ['w']);
    expect(rpc.call('getwalletinfo', [], 'w')).toMatchObject({ avoid_reuse: true });
    const cleared = { flag_name: 'avoid_reuse', flag_state: false };
    expect(rpc.call('setwalletflag', ['avoid_reuse', false], 'w')).toEqual(cleared);
    expect(rpcFault(() => rpc.call('setwalletflag', ['avoid_reuse', false], 'w'))).toEqual(
      refuse(-8, 'Wallet flag is already set to false: avoid_reuse'),
    );
  });

  test.each([
    ['litecoin-0.21', 'litecoin-regtest', 'Unknown wallet flag: external_signer'],
    ['core-32', 'regtest', 'Wallet flag is immutable: external_signer'],
  ] as const)('of %s changes no other flag', (dialect, network, message) => {
    const rpc = openWithWallet(dialect, network);
    const fault = (flag: string): unknown => rpcFault(() => rpc.call('setwalletflag', [flag], 'w'));
    expect(fault('external_signer')).toEqual(refuse(-8, message));
    expect(fault('blank')).toEqual(refuse(-8, 'Wallet flag is immutable: blank'));
    expect(fault('nope')).toEqual(refuse(-8, 'Unknown wallet flag: nope'));
  });
});

describe('settxfee', () => {
  test('sets the rate of payments without a rate or a target, until the wallet is unloaded', () => {
    const rpc = openWithWallet();
    const address = withCoin(rpc);
    const reasonOf = (more: object): unknown =>
      (rpc.call as (method: string, params: object, wallet: string) => unknown)(
        'sendtoaddress',
        { address, amount: 1, verbose: true, ...more },
        'w',
      );
    expect(reasonOf({})).toMatchObject({ fee_reason: 'Fallback fee' });
    expect(rpc.call('settxfee', [0.0005], 'w')).toBe(true);
    expect(rpc.call('getwalletinfo', [], 'w')).toMatchObject({ paytxfee: 0.0005 });
    const sent = reasonOf({}) as { readonly txid: string; readonly fee_reason: string };
    expect(sent.fee_reason).toBe('PayTxFee set');
    const { vsize } = rpc.call('getmempoolentry', [sent.txid]);
    const { fee = 0 } = rpc.call('gettransaction', [sent.txid], 'w');
    // Signatures of low R may be a byte shorter than expected.
    expect(-fee * 1e8).toBeGreaterThanOrEqual(50 * vsize - 1);
    expect(-fee * 1e8).toBeLessThanOrEqual(50 * (vsize + 2));
    expect(reasonOf({ conf_target: 6 })).toMatchObject({ fee_reason: 'Fallback fee' });
    rpc.call('unloadwallet', ['w']);
    rpc.call('loadwallet', ['w']);
    expect(rpc.call('getwalletinfo', [], 'w')).toMatchObject({ paytxfee: 0 });
  });

  test('is the least rate of a replacement', () => {
    const rpc = openWithWallet();
    const address = withCoin(rpc);
    const pay = rpc.call as (method: string, params: object, wallet: string) => string;
    const id = pay('sendtoaddress', { address, amount: 1, replaceable: true }, 'w');
    rpc.call('settxfee', [0.05], 'w');
    const { origfee, fee } = rpc.call('bumpfee', [id], 'w');
    expect(fee / origfee).toBeGreaterThan(20);
  });

  test.each([
    ['litecoin-0.21', 'litecoin-regtest', 0.000009, 'less than min relay tx fee (0.00001000 LTC/kvB)'],
    ['litecoin-0.21', 'litecoin-regtest', 0.00009999, 'less than wallet min fee (0.00010000 LTC/kvB)'],
    ['litecoin-0.21', 'litecoin-regtest', 0.10000001, 'more than wallet max tx fee (0.10000000 LTC/kvB)'],
    ['core-0.21', 'regtest', 0.00000999, 'less than min relay tx fee (0.00001000 BTC/kvB)'],
  ] as const)('of %s on %s refuses %d', (dialect, network, rate, reason) => {
    const rpc = openWithWallet(dialect, network);
    expect(rpcFault(() => rpc.call('settxfee', [rate], 'w'))).toEqual(refuse(-8, `txfee cannot be ${reason}`));
    expect(rpc.call('settxfee', [0], 'w')).toBe(true);
  });

  test('is gone from Core 31', () => {
    const rpc = openWithWallet('core-32', 'regtest');
    expect(rpcFault(() => rpc.call('settxfee', [0], 'w'))).toEqual(refuse(-32601, 'Method not found'));
  });
});

test('abortrescan finds no rescan to stop', () => {
  expect(openWithWallet().call('abortrescan', [], 'w')).toBe(false);
  expect(openWithWallet('core-32', 'regtest').call('abortrescan', [], 'w')).toBe(false);
});

describe('addmultisigaddress', () => {
  const PUBLIC_KEY = `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`;

  test('takes public keys, and addresses whose keys the wallet has', () => {
    const rpc = openWithWallet();
    rpc.call('sethdseed', [], 'w');
    const address = rpc.call('getnewaddress', [], 'w');
    const both = rpc.call('addmultisigaddress', [1, [address, PUBLIC_KEY], 'both'], 'w');
    const { pubkey = '' } = rpc.call('getaddressinfo', [address], 'w') as { readonly pubkey?: string };
    expect(both.redeemScript).toBe(`5121${pubkey}21${PUBLIC_KEY}52ae`);
    expect(both.descriptor).toMatch(/^wsh\(multi\(1,\[[0-9a-f]{8}\/0'\/0'\/0'\]0/);
    // A foreign key makes the address solvable, but not the wallet's.
    const info = { ismine: false, solvable: true, desc: both.descriptor, labels: ['both'] };
    expect(rpc.call('getaddressinfo', [both.address], 'w')).toMatchObject(info);
    expect(rpc.call('getaddressesbylabel', ['both'], 'w')).toEqual({ [both.address]: { purpose: 'send' } });
    const own = rpc.call('addmultisigaddress', [1, [address], null, 'p2sh-segwit'], 'w');
    expect(rpc.call('getaddressinfo', [own.address], 'w')).toMatchObject({ ismine: true, solvable: true });
  });

  test('receives what is paid from then on', () => {
    const rpc = openWithWallet();
    rpc.call('importprivkey', [keyOf(1).wif], 'w');
    const { address, redeemScript } = rpc.call(
      'addmultisigaddress',
      [1, [formatHex(keyOf(1).publicKey)], '', 'legacy'],
      'w',
    );
    const { scriptPubKey: script } = rpc.call('getaddressinfo', [address], 'w');
    const block = blockAfter(genesisOf('litecoin-regtest'), { script });
    rpc.call('submitblock', [block.hex]);
    const id = formatTxid(txid(coinbaseOf(block)));
    expect(rpc.call('gettransaction', [id], 'w').details).toMatchObject([{ address, category: 'immature' }]);
    expect(rpc.call('getaddressinfo', [address], 'w')).toMatchObject({ hex: redeemScript, script: 'multisig' });
  });

  test.each([
    [[0, [PUBLIC_KEY]], -8, 'a multisignature address must require at least one key to redeem'],
    [[2, [PUBLIC_KEY]], -8, 'not enough keys supplied (got 1 keys, but need at least 2 to redeem)'],
    [[1, ['nope']], -5, 'Invalid address: nope'],
    [[1, [`ff${PUBLIC_KEY.slice(2)}`]], -5, 'Invalid public key: ...'],
    [[1, [PUBLIC_KEY], '*'], -11, 'Invalid label name'],
    [[1, [PUBLIC_KEY], '', 'mweb'], -5, 'MWEB address type not supported for multi-sig'],
    [[1, [PUBLIC_KEY], '', 'nope'], -5, "Unknown address type 'nope'"],
    [[1, [1]], -1, 'JSON value is not a string as expected'],
  ] as const)('refuses %j', (params, code, message) => {
    const rpc = openWithWallet();
    expect(rpcFault(() => rpc.call('addmultisigaddress' as string, params, 'w'))).toEqual(refuse(code, message));
  });

  test('refuses addresses without a key, or without a known public key', () => {
    const rpc = openWithWallet();
    const { address } = rpc.call('addmultisigaddress', [1, [PUBLIC_KEY]], 'w');
    const fault = (key: string): unknown => rpcFault(() => rpc.call('addmultisigaddress', [1, [key]], 'w'));
    expect(fault(address)).toEqual(refuse(-5, `${address} does not refer to a key`));
    const foreign = addressOf(keyOf(2).program);
    expect(fault(foreign)).toEqual(refuse(-5, `no full public key for address ${foreign}`));
  });
});
