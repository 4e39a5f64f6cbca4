import fc from 'fast-check';
import { bytes } from '../../support/arbitraries.ts';
import {
  derivePath,
  formatAmount,
  formatHex,
  formatTxid,
  formatXprv,
  formatXpub,
  HARDENED,
  masterKey,
  networks,
  type Outpoint,
  type Prevtx,
  type Psbt,
} from '../../support/library.ts';
import { sha256 } from '../scripts/bytes.ts';
import { mostly } from '../scripts/stackItems.ts';
import { wifOf } from '../signing/keys.ts';
import { type Inner, type Lock, multi, pk, pkh, type Wrapper, wpkh, wrap } from '../signing/locks.ts';
import { poolKey } from './coins.ts';
import { descriptorText, oddRange } from './descriptors.ts';
import { base64Of, parts } from './plans.ts';
import { outputTelling } from './records.ts';
import { type Call, call, junkJson, listText, objectText, quote } from './requests.ts';

/** Random updates of PSBTs with descriptors. */

const REGTEST = networks['litecoin-regtest'];
const MASTERS = [0, 1, 2].map((number) => masterKey(sha256(Uint8Array.of(number))));
/** The last derived index. */
const RANGE_END = 4;

/** A public key and its key expression. */
interface Written {
  readonly publicKey: Uint8Array;
  readonly text: string;
}

/** A lock, and its descriptor as an argument of `utxoupdatepsbt`. */
interface Described {
  readonly lock: Lock;
  readonly argument: string | { readonly desc: string; readonly range?: number | readonly [number, number] };
}

const origin = fc.oneof(
  fc.constant(''),
  fc.tuple(bytes(4), fc.nat({ max: 9 })).map(([fingerprint, step]) => `[${formatHex(fingerprint)}/${step}h]`),
);
const fixedKey: fc.Arbitrary<Written> = fc
  .tuple(poolKey, origin, mostly(fc.constant(false), fc.constant(true), 3))
  .filter(([{ form }]) => form === 'compressed')
  .map(([key, from, isPrivate]) => ({
    publicKey: key.publicKey,
    text: `${from}${isPrivate ? wifOf(key) : formatHex(key.publicKey)}`,
  }));
const rangedKey: fc.Arbitrary<Written> = fc
  .tuple(fc.constantFrom(...MASTERS), origin, fc.nat({ max: RANGE_END }), fc.boolean(), fc.boolean())
  .map(([master, from, index, isPrivate, isHardened]) => {
    const steps = isHardened && isPrivate ? [7 + HARDENED, index] : [7, index];
    const { publicKey } = derivePath(master, steps);
    const root = isPrivate ? formatXprv(master, REGTEST) : formatXpub(master, REGTEST);
    return { publicKey, text: `${from}${root}/7${steps[0] === 7 ? '' : 'h'}/*` };
  });
const writtenKey = fc.oneof(fixedKey, rangedKey);

const asKey = ({ publicKey }: Written) => ({ publicKey, secret: publicKey, form: 'compressed' as const });
const WRAP: Readonly<Record<Wrapper, (text: string) => string>> = {
  bare: (text) => text,
  sh: (text) => `sh(${text})`,
  wsh: (text) => `wsh(${text})`,
  'sh(wsh)': (text) => `sh(wsh(${text}))`,
};

const described = (inner: Inner, text: string, wrappers: readonly Wrapper[]): fc.Arbitrary<Described> =>
  fc.tuple(fc.constantFrom(...wrappers), fc.boolean()).map(([wrapper, isObject]) => {
    const desc = WRAP[wrapper](text);
    const isRanged = desc.includes('*');
    const argument = isRanged ? { desc, range: RANGE_END } : isObject ? { desc } : desc;
    return { lock: wrap(inner, wrapper), argument };
  });

const ofMulti = fc.array(writtenKey, { minLength: 1, maxLength: 3 }).chain((keys) => {
  // Keep only one ranged key: all keys of a script are derived at the same index.
  const same = keys.filter(({ text }, i) => !text.includes('*') || keys.findIndex((k) => k.text.includes('*')) === i);
  return fc
    .integer({ min: 1, max: same.length })
    .chain((required) =>
      described(multi(required, same.map(asKey)), `multi(${[required, ...same.map(({ text }) => text)].join()})`, [
        'bare',
        'sh',
        'wsh',
        'sh(wsh)',
      ]),
    );
});
export const describedLock: fc.Arbitrary<Described> = fc.oneof(
  writtenKey.chain((key) => described(pk(asKey(key)), `pk(${key.text})`, ['bare', 'sh', 'wsh', 'sh(wsh)'])),
  writtenKey.chain((key) => described(pkh(asKey(key)), `pkh(${key.text})`, ['bare', 'sh', 'wsh', 'sh(wsh)'])),
  writtenKey.chain((key) => described(wpkh(asKey(key)), `wpkh(${key.text})`, ['bare', 'sh'])),
  writtenKey.chain((key) =>
    fc
      .constantFrom(wrap(pkh(asKey(key)), 'bare'), wrap(wpkh(asKey(key)), 'bare'), wrap(wpkh(asKey(key)), 'sh'))
      .map((lock) => ({ lock, argument: { desc: `combo(${key.text})`, range: RANGE_END } })),
  ),
  ofMulti,
);

/** A coin on the chain with its descriptor. */
export interface KnownCoin {
  readonly described: Described;
  readonly outpoint: Outpoint;
  readonly value: bigint;
}

/** A call of `utxoupdatepsbt`: the node finds the coins itself, and ours gets them as `prevtxs`. */
export interface Update {
  readonly psbt: Psbt;
  readonly descriptors: readonly unknown[];
  readonly prevtxs: readonly Prevtx[];
}

const prevtxOf = ({ described: { lock }, outpoint, value }: KnownCoin): Prevtx => ({
  txid: formatTxid(outpoint.txid),
  vout: outpoint.vout,
  scriptPubKey: formatHex(lock.scriptPubKey),
  amount: formatAmount(value),
});

/** Makes updates of PSBTs that spend some of these coins and pay to some of their locks. */
export function updateOf(coins: readonly KnownCoin[]): fc.Arbitrary<Update> {
  const some = fc.shuffledSubarray([...coins], { minLength: 1, maxLength: 3 });
  return fc
    .tuple(
      some,
      some,
      fc.array(outputTelling, { minLength: 3, maxLength: 3 }),
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    )
    .chain(([spent, paid, tellings, coin]) => {
      const arguments_ = [...spent, ...paid].map(({ described: { argument } }) => argument);
      return fc.shuffledSubarray(arguments_, { minLength: arguments_.length >> 1 }).map((descriptors): Update => {
        const inputs = spent.map(({ outpoint }) => ({
          outpoint,
          scriptSig: new Uint8Array(0),
          sequence: 1,
          witness: [],
        }));
        const outputs = paid.map(({ described: { lock } }, i) => ({
          value: BigInt(i),
          scriptPubKey: lock.scriptPubKey,
        }));
        return {
          psbt: {
            global: { unsignedTx: { version: 2, inputs, outputs, locktime: 0 } },
            inputs: spent.map(({ described: { lock }, value }, i) => ({
              ...(coin[i] && coin[i + 3] && { witnessUtxo: { value, scriptPubKey: lock.scriptPubKey } }),
              ...(coin[i + 6] && coin[i + 9] && { redeemScript: lock.redeemScript ?? lock.scriptPubKey }),
            })),
            outputs: paid.map((_, i) => (coin[i + 4] ? (tellings[i] ?? {}) : {})),
          },
          descriptors,
          prevtxs: spent.map(prevtxOf),
        };
      });
    });
}

const withRange = (desc: string, range: string): string =>
  objectText([
    ['desc', quote(desc)],
    ['range', range],
  ]);
/** Always has a range: without one, nodes derive a thousand keys, which is slow. */
const usualArgument = fc
  .tuple(descriptorText, fc.constantFrom('3', '[1,2]'), fc.boolean())
  .map(([desc, range, isObject]) =>
    desc.includes('*') ? withRange(desc, range) : isObject ? objectText([['desc', quote(desc)]]) : quote(desc),
  );
const oddArgument = fc.oneof(
  junkJson,
  fc.tuple(descriptorText, oddRange).map(([desc, range]) => withRange(desc, range)),
  descriptorText.map(quote),
  fc.constantFrom('{"range":3}', '{"desc":null}', '{"desc":1}', '{"desc":"raw(51)","range":null}', '{"desc":""}'),
);

/** Calls of `utxoupdatepsbt` with possibly invalid descriptors, for coins unknown to the node. */
export const oddUpdate: fc.Arbitrary<Call> = fc
  .tuple(parts, fc.array(mostly(usualArgument, oddArgument, 5), { maxLength: 3 }))
  .map(([[psbt], items]) => call('utxoupdatepsbt', psbt ? quote(base64Of(psbt)) : '""', listText(items)));
