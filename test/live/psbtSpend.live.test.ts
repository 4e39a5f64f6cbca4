import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createRpc,
  derivePath,
  type ExtendedKey,
  formatAmount,
  formatHex,
  formatTxid,
  formatXprv,
  formatXpub,
  HARDENED,
  keyFingerprint,
  masterKey,
  networks,
  neuter,
  type Outpoint,
  withChecksum,
} from '../support/library.ts';
import { seed } from '../support/seed.ts';
import { hasLitecoind } from './litecoind.ts';
import { type Bank, NOBODY, startBank } from './psbt/fundingNode.ts';
import { countersign, type Processed, processApart } from './psbt/process.ts';
import { secret } from './signing/keys.ts';

const REGTEST = networks['litecoin-regtest'];
const rpc = createRpc({ network: 'litecoin-regtest' });

const COIN = 100_000_000n;
const FEE = 100_000n;

/** A participant's account key, as public and private key expressions for descriptors. */
interface Participant {
  readonly xpub: string;
  readonly xprv: string;
}

function participant(entropy: Uint8Array): Participant {
  const master = masterKey(entropy);
  const path = [48 + HARDENED, 1 + HARDENED, HARDENED, 2 + HARDENED];
  const account: ExtendedKey = derivePath(master, path);
  const origin = `[${formatHex(keyFingerprint(master))}/48h/1h/0h/2h]`;
  return {
    xpub: `${origin}${formatXpub(neuter(account), REGTEST)}/0/*`,
    xprv: `${origin}${formatXprv(account, REGTEST)}/0/*`,
  };
}

const addressOf = (descriptor: string, index: number): string =>
  (rpc.call('deriveaddresses', [withChecksum(descriptor), [index, index]]) as string[])[0] ?? '';

describe.runIf(hasLitecoind())(`Litecoin Core on this machine mines spends by PSBT, with seed ${seed}:`, () => {
  let bank: Bank;
  const people = fc.sample(secret, { numRuns: 3, seed }).map(participant);
  const [a, b, c] = people as [Participant, Participant, Participant];

  beforeAll(async () => {
    bank = await startBank();
  });
  afterAll(async () => {
    await bank.stop();
  });

  async function expectMined(hex: string, spent: Outpoint): Promise<void> {
    const { txid } = await bank.call<{ txid: string }>('decoderawtransaction', hex);
    expect(await bank.call('sendrawtransaction', hex)).toBe(txid);
    await bank.mine(txid);
    expect(await bank.call('gettxout', txid, 0)).toMatchObject({ confirmations: 1 });
    expect(await bank.call('gettxout', formatTxid(spent.txid), spent.vout)).toBeNull();
  }

  test('two of three participants sign separately', async () => {
    const descriptorWith = (...keys: readonly string[]): string => `wsh(sortedmulti(2,${keys.join()}))`;
    const watched = withChecksum(descriptorWith(a.xpub, b.xpub, c.xpub));
    const range = [0, 4];
    await bank.call('importmulti', [{ desc: watched, range, timestamp: 'now', watchonly: true }]);
    const [address = '', change = ''] = await bank.call<string[]>('deriveaddresses', watched, range);
    expect(addressOf(watched.slice(0, -9), 0)).toBe(address);
    const outpoint = await bank.pay(address, COIN);
    const options = { includeWatching: true, changeAddress: change, feeRate: '0.001' };
    const created = await bank.call<{ psbt: string }>(
      'walletcreatefundedpsbt',
      [],
      [{ [NOBODY]: 0.4 }],
      0,
      options,
      true,
    );

    const byA = processApart(created.psbt, [{ desc: descriptorWith(a.xprv, b.xpub, c.xpub), range }]);
    const byC = processApart(created.psbt, [{ desc: descriptorWith(a.xpub, b.xpub, c.xprv), range }]);
    for (const { psbt, complete } of [byA, byC]) {
      expect(complete).toBe(false);
      expect(JSON.parse(countersign('finalizepsbt', psbt))).toMatchObject({ complete: false });
      expect(await bank.call('analyzepsbt', psbt)).toMatchObject({ next: 'signer' });
    }
    const combined = countersign('combinepsbt', JSON.stringify([byA.psbt, byC.psbt]));
    expect(await bank.call('combinepsbt', [byA.psbt, byC.psbt])).toBe(combined);
    expect(await bank.call('analyzepsbt', combined)).toMatchObject({ next: 'finalizer' });
    const final = JSON.parse(countersign('finalizepsbt', combined)) as Processed;
    expect(final).toMatchObject({ complete: true });
    expect(await bank.call('finalizepsbt', combined)).toEqual(final);
    await expectMined(final.hex ?? '', outpoint);
  });

  /**
   * Has the node create a PSBT that spends a coin of a descriptor, and adds the coin and the descriptor's keys with
   * ours.
   */
  async function unsigned(
    outpoint: Outpoint,
    descriptor: string,
    { sequence, locktime }: { sequence: number; locktime: number },
  ): Promise<string> {
    const input = { txid: formatTxid(outpoint.txid), vout: outpoint.vout, sequence };
    const output = { [NOBODY]: formatAmount(COIN - FEE) };
    const psbt = await bank.call<string>('createpsbt', [input], [output], locktime);
    const scriptPubKey = (await bank.call<{ scriptPubKey: { hex: string } }>('gettxout', input.txid, input.vout))
      .scriptPubKey.hex;
    const coin = { ...input, scriptPubKey, amount: formatAmount(COIN) };
    return rpc.call('utxoupdatepsbt', [psbt, [{ desc: descriptor, range: 1 }], [coin]]) as string;
  }

  /** Signs with the second key, which the script allows only after a time, and finalizes in another process. */
  function signLate(psbt: string, descriptorWith: (...keys: readonly string[]) => string): Processed {
    const descriptors = [{ desc: descriptorWith(a.xpub, b.xprv), range: 1 }];
    const signed = processApart(psbt, descriptors);
    const final = JSON.parse(countersign('finalizepsbt', signed.psbt)) as Processed;
    expect(final.complete).toBe(signed.complete);
    return final;
  }

  test('a key under older() can spend once its coin is old enough', async () => {
    const descriptorWith = (now: string, later: string): string =>
      `wsh(or_d(pk(${now}),and_v(v:pk(${later}),older(3))))`;
    const descriptor = descriptorWith(a.xpub, b.xpub);
    const outpoint = await bank.pay(addressOf(descriptor, 1), COIN);
    // A transaction with too low a sequence is not complete,
    const hasty = await unsigned(outpoint, descriptor, { sequence: 2, locktime: 0 });
    expect(signLate(hasty, descriptorWith)).toMatchObject({ complete: false });
    // and the node refuses one with the right sequence until the coin is old enough.
    const { complete, hex = '' } = signLate(
      await unsigned(outpoint, descriptor, { sequence: 3, locktime: 0 }),
      descriptorWith,
    );
    expect(complete).toBe(true);
    expect(await bank.refusal('sendrawtransaction', hex)).toEqual({ code: -26, message: 'non-BIP68-final' });
    await bank.wait(1);
    expect(await bank.refusal('sendrawtransaction', hex)).toEqual({ code: -26, message: 'non-BIP68-final' });
    expect((await bank.refusal('generateblock', 'raw(51)#8lvh9jxk', [hex])).message).toContain('bad-txns-nonfinal');
    await bank.wait(1);
    await expectMined(hex, outpoint);
  });

  test('a key under after() can spend from a height on', async () => {
    const height = (await bank.call<number>('getblockcount')) + 4;
    const descriptorWith = (now: string, later: string): string =>
      `wsh(andor(pk(${now}),older(1),and_v(v:pkh(${later}),after(${height}))))`;
    const descriptor = descriptorWith(a.xpub, b.xpub);
    const outpoint = await bank.pay(addressOf(descriptor, 1), COIN);
    const sequence = 0xffff_fffe;
    const hasty = await unsigned(outpoint, descriptor, { sequence, locktime: height - 1 });
    expect(signLate(hasty, descriptorWith)).toMatchObject({ complete: false });
    const final = await unsigned(outpoint, descriptor, { sequence: 0xffff_ffff, locktime: height });
    expect(signLate(final, descriptorWith)).toMatchObject({ complete: false });
    const psbt = await unsigned(outpoint, descriptor, { sequence, locktime: height });
    const { complete, hex = '' } = signLate(psbt, descriptorWith);
    expect(complete).toBe(true);
    for (;;) {
      const isTooEarly = (await bank.call<number>('getblockcount')) < height;
      if (!isTooEarly) break;
      expect(await bank.refusal('sendrawtransaction', hex)).toEqual({ code: -26, message: 'non-final' });
      await bank.wait(1);
    }
    await expectMined(hex, outpoint);
  });
});
