// Spends a coin of a 2-of-3 multisig over files, as a memory card carries them: one machine builds the PSBT, two machines sign
// copies of it on their own, and a fourth one, without keys, combines and finalizes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  accountFromDescriptors,
  buildPsbt,
  combinePsbts,
  encodePsbt,
  encodeTransaction,
  extractTransaction,
  finalizePsbt,
  formatHex,
  parsePsbt,
  signWith,
} from 'countersign';
import { coinTxid, cosigners, destination } from './fixtures.ts';

const [first, second, third] = cosigners;
const options = { network: 'regtest' } as const;
const card = mkdtempSync(join(tmpdir(), 'card-'));
const on = (name: string): string => join(card, name);

/** Builds the PSBT on a machine that only watches. */
function build(): void {
  const watching = accountFromDescriptors(`wsh(sortedmulti(2,${first.xpub},${second.xpub},${third.xpub}))`, options);
  const coin = { txid: coinTxid, vout: 0, value: 100_000n, from: watching.receive(3) };
  const change = watching.change(0);
  const psbt = buildPsbt({ inputs: [coin], outputs: { [destination]: 60_000n }, change, feeRate: 2 });
  writeFileSync(on('spend.psbt'), encodePsbt(psbt));
}

/** Signs the PSBT on the machine of a cosigner. @returns the keys that are still needed, as text */
function sign(name: string, descriptor: string): string {
  const { psbt, inputs } = signWith(accountFromDescriptors(descriptor, options), readFileSync(on('spend.psbt')));
  writeFileSync(on(`${name}.psbt`), encodePsbt(psbt));
  return inputs.map(({ quorums }) => quorums.map(({ have, required }) => `${have} of ${required}`).join()).join();
}

/** Combines the copies, verifies all signatures, and makes the transaction. */
function finish(names: readonly string[]): string {
  const { psbt, conflicts } = combinePsbts(names.map((name) => parsePsbt(readFileSync(on(`${name}.psbt`)))));
  if (conflicts.length > 0) throw new Error('the copies disagree');
  const { psbt: final, isComplete } = finalizePsbt(psbt);
  if (!isComplete) throw new Error('a signature is missing');
  return formatHex(encodeTransaction(extractTransaction(final)));
}

build();
export const progress = [
  sign('alice', `wsh(sortedmulti(2,${first.xprv},${second.xpub},${third.xpub}))`),
  sign('carol', `wsh(sortedmulti(2,${first.xpub},${second.xpub},${third.xprv}))`),
];
export const hex = finish(['alice', 'carol']);
rmSync(card, { recursive: true });
