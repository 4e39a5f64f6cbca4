import { describe, expect, test } from 'vitest';
import { concat } from '../../../live/scripts/bytes.ts';
import { openWithWallet } from '../../../support/feeding.ts';
import { formatHex, hash160, type NodeRpc, sha256 } from '../../../support/library.ts';
import { addressOf, keyOf } from '../../../support/walletKeys.ts';

interface Info {
  readonly solvable: boolean;
  readonly desc?: string;
  readonly timestamp?: number;
}

describe('getaddressinfo of 0.21', () => {
  const info = (rpc: NodeRpc, script: Uint8Array): Info => rpc.call('getaddressinfo', [addressOf(script)], 'w') as Info;

  test('does not call a P2WPKH of an uncompressed key solvable', () => {
    const rpc = openWithWallet();
    const { publicKey, program } = keyOf(1, false);
    rpc.call('importpubkey', [formatHex(publicKey)], 'w');
    rpc.call('importaddress', [formatHex(program), '', false], 'w');
    expect(info(rpc, program)).toMatchObject({ solvable: false });
    expect(info(rpc, program)).not.toHaveProperty('desc');
  });

  test('shows a descriptor with an uncompressed key that the spend does not need', () => {
    const rpc = openWithWallet();
    const keys = [keyOf(2, false).publicKey, keyOf(1).publicKey];
    const script = concat([0x51], ...keys.flatMap((key) => [[key.length], key]), [0x52, 0xae]);
    const output = concat([0, 32], sha256(script));
    const pubkeys = keys.map((key) => formatHex(key));
    const request = { scriptPubKey: formatHex(output), witnessscript: formatHex(script), pubkeys, timestamp: 1 };
    rpc.call('importmulti', [[request]], 'w');
    const { solvable, desc } = info(rpc, output);
    expect(solvable).toBe(true);
    expect(desc).toMatch(/^wsh\(multi\(1,\[[0-9a-f]{8}\]04[0-9a-f]{128},\[[0-9a-f]{8}\]0[23][0-9a-f]{64}\)\)#/);
  });

  test('shows no timestamp for an address that it knows only as a script', () => {
    const rpc = openWithWallet();
    const { publicKey } = keyOf(1);
    const inner = concat([0x76, 0xa9, 20], hash160(publicKey), [0x88, 0xac]);
    const output = concat([0, 32], sha256(inner));
    const known = { witnessscript: formatHex(inner), pubkeys: [formatHex(publicKey)] };
    rpc.call('importmulti', [[{ scriptPubKey: formatHex(output), ...known, timestamp: 5 }]], 'w');
    expect(info(rpc, output)).toMatchObject({ solvable: true, timestamp: 5 });
    expect(info(rpc, concat([0xa9, 20], hash160(inner), [0x87]))).not.toHaveProperty('timestamp');
  });
});
