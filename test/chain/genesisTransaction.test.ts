import { describe, expect, test } from 'vitest';
import { consensusParamsOf } from '../../src/chain/consensusParams.ts';
import { genesisTransaction } from '../../src/chain/genesisTransaction.ts';
import { formatTxid, networks, txid } from '../support/library.ts';

describe('the transaction of a genesis block', () => {
  test.each(Object.values(networks))('of $name has the merkle root of the block as its id', (network) => {
    const tx = genesisTransaction(network);
    expect(tx && formatTxid(txid(tx))).toBe(consensusParamsOf(network)?.genesis.merkleRoot);
  });

  test("is unknown of a caller's own network", () => {
    expect(genesisTransaction({ ...networks.regtest, name: 'own' })).toBeUndefined();
  });
});
