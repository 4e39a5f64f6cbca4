import { describe, expect, test } from 'vitest';
import * as bitcoinjsMultisig from '../bench/peers/bitcoinjsMultisig.ts';
import * as bitcoinjsSingleKey from '../bench/peers/bitcoinjsSingleKey.ts';
import * as bitcoinjsTaproot from '../bench/peers/bitcoinjsTaproot.ts';
import * as scureMultisig from '../bench/peers/scureMultisig.ts';
import * as scureSingleKey from '../bench/peers/scureSingleKey.ts';
import * as scureTaproot from '../bench/peers/scureTaproot.ts';
import { cosigners, destination, masterXprv, seedWords } from '../examples/fixtures.ts';
import * as multisig from '../examples/multisig.ts';
import * as singleKey from '../examples/singleKey.ts';
import * as taproot from '../examples/taproot.ts';
import { accountFromDescriptors, accountFromKey, accountFromWords } from '../src/account/index.ts';
import {
  decodeTransaction,
  networks,
  parseAddress,
  parseHex,
  transactionSize,
  verifyTransaction,
} from '../src/index.ts';

const network = 'regtest';
const words = accountFromWords(seedWords, { network });
const [first, second, third] = cosigners;
const quorum = accountFromDescriptors(`wsh(sortedmulti(2,${first.xpub},${second.xpub},${third.xpub}))`, { network });
const key = accountFromKey(masterXprv, { network, purpose: 86 });

describe('the examples', () => {
  test.each([
    ['singleKey', singleKey, words.receive(3)],
    ['multisig', multisig, quorum.receive(3)],
    ['taproot', taproot, key.receive(3)],
  ] as const)('%s signs a valid transaction that pays 60 000 sat at 2 sat/vB', (_, { hex, txid }, from) => {
    expect(txid).toMatch(/^[0-9a-f]{64}$/);
    const tx = decodeTransaction(parseHex(hex ?? ''));
    expect(verifyTransaction(tx, [{ value: 100_000n, scriptPubKey: from.scriptPubKey }])).toMatchObject({
      isValid: true,
    });
    const [payment, change] = tx.outputs;
    expect(payment).toEqual({ value: 60_000n, scriptPubKey: parseAddress(destination, networks.regtest) });
    const fee = Number(100_000n - 60_000n - (change?.value ?? 0n));
    const rate = fee / transactionSize(tx).vsize;
    expect(rate).toBeGreaterThanOrEqual(2);
    expect(rate).toBeLessThan(2.02);
  });

  test.each([
    ['singleKey', singleKey, scureSingleKey, bitcoinjsSingleKey],
    ['multisig', multisig, scureMultisig, bitcoinjsMultisig],
    ['taproot', taproot, scureTaproot, bitcoinjsTaproot],
  ] as const)('%s makes the same transaction as the programs of the peers', (_, { txid }, scure, bitcoinjs) => {
    expect([scure.txid, bitcoinjs.txid]).toEqual([txid, txid]);
  });

  test('multisig says after the first signature which keys are still wanted', () => {
    expect(multisig.inputs).toMatchObject([{ isComplete: false, added: 1, quorums: [{ have: 1, required: 2 }] }]);
  });
});
