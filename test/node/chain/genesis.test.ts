import { describe, expect, test } from 'vitest';
import { genesisTransaction } from '../../../src/node/chain/genesis.ts';
import { formatTxid, networks, txid } from '../../support/library.ts';

describe('the transaction of a genesis block', () => {
  test.each(Object.values(networks))('of $name has the merkle root of the block as its id', (network) => {
    const tx = genesisTransaction(network);
    expect(tx && formatTxid(txid(tx))).toBe(network.genesis?.header?.merkleRoot);
  });

  test("is unknown of a caller's own network that does not state it", () => {
    const genesis = { hash: '11'.repeat(32), time: 1 };
    expect(genesisTransaction({ ...networks.regtest, name: 'own', genesis })).toBeUndefined();
  });
});
