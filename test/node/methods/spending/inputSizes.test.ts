import { expect, test } from 'vitest';
import { type DialectName, formatDescriptor, type NodeRpc, networks } from '../../../support/library.ts';
import { descriptorOf, LETTERS } from '../../../support/spendingWays.ts';
import { ask, openWalletRpc } from '../../../support/walletWorld.ts';

/**
 * The virtual sizes that Core 31 pays for when it spends one coin of a descriptor to two P2WPKH outputs: with the private keys,
 * and where it only watches. Asked of a node built from its source.
 */
const SIZES: readonly (readonly [descriptor: string, signing: number, watching: number])[] = [
  ['pkh(A)', 219, 220],
  ['pk(A)', 185, 186],
  ['multi(1,A,B)', 186, 187],
  ['wpkh(A)', 141, 141],
  ['sh(wpkh(A))', 164, 164],
  ['tr(A)', 131, 131],
  ['rawtr(A)', 131, 131],
  ['sh(multi(2,A,B,C))', 364, 368],
  ['sh(pkh(A))', 245, 246],
  ['wsh(pkh(A))', 147, 147],
  ['wsh(pk(A))', 141, 141],
  ['sh(wsh(pk(A)))', 176, 176],
  ['wsh(sortedmulti(2,A,B,C))', 177, 177],
  ['sh(wsh(multi(1,A,B)))', 185, 186],
  ['wsh(or_d(multi(2,A,B),and_v(v:pkh(C),older(10000))))', 177, 177],
  ['wsh(or_d(pk(A),and_v(v:pkh(B),older(10))))', 158, 158],
  ['tr(A,and_v(v:pk(B),older(10)))', 131, 131],
  ['tr(NUMS,multi_a(2,A,B,C))', 131, 131],
  ['tr(NUMS,pk(A))', 131, 131],
  ['tr(A,{pk(B),{multi_a(2,B,C,D),and_v(v:pk(E),after(500))}})', 131, 131],
  ['wsh(andor(pk(A),sha256(SHA),and_v(v:pk(B),after(500))))', 170, 170],
  ['wsh(thresh(2,pk(A),s:pk(B),sln:older(10)))', 172, 172],
  ['wsh(or_i(and_v(v:pkh(A),sha256(SHA)),thresh(2,pk(B),s:pk(C),s:pk(D))))', 196, 196],
  ['wsh(or_b(pk(A),a:and_b(pk(B),a:pk(C))))', 179, 179],
  ['wsh(multi(3,A,B,C,D,E))', 212, 213],
];

const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

/** Funds a wallet of a descriptor, and returns the fee of a payment at 1 sat/vB, in satoshi. */
function feeOf(dialect: DialectName, text: string, signers: readonly string[]): number {
  const rpc: NodeRpc = openWalletRpc({ network: 'regtest', dialect });
  const isWatching = signers.length === 0;
  rpc.call('createwallet', ['w', isWatching, true]);
  const desc = formatDescriptor(descriptorOf(text, signers), networks.regtest, { isPrivate: !isWatching });
  rpc.call('importdescriptors', [[{ desc, timestamp: 'now' }]], 'w');
  rpc.call('generateblock', [formatDescriptor(descriptorOf(text, []), networks.regtest), []]);
  rpc.call('generatetoaddress', [100, PAYEE]);
  const options = { fee_rate: 1, changeAddress: PAYEE, changePosition: 1 };
  const { fee } = ask(rpc, 'walletcreatefundedpsbt', [[], [{ [PAYEE]: 1 }], 0, options]) as { fee: number };
  return Math.round(fee * 1e8);
}

test.each(SIZES)('%s is sized as by Core 31', (text, signing, watching) => {
  expect([feeOf('core-31', text, LETTERS), feeOf('core-31', text, [])]).toEqual([signing, watching]);
});
