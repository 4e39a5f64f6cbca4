import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { campaign } from '../support/campaign.ts';
import {
  encodeTransaction,
  formatAmount,
  formatHex,
  formatTxid,
  formatWif,
  networks,
  nobleEcc,
  OP,
  parseTxid,
  RpcError,
  type SigningKey,
  type SigningResultJson,
  signRawTransactionWithKey,
  signTransaction,
  type Transaction,
  verifyTransaction,
} from '../support/library.ts';
import { concat } from '../support/naiveSighash.ts';
import { kinds, SECRETS } from '../support/spends.ts';

/** The kinds that `signrawtransactionwithkey` can sign: all except script path spends, for which it knows no tree. */
const KINDS = Object.entries(kinds).filter(([name]) => name !== 'tr(,pk)');
const KEYS: readonly SigningKey[] = SECRETS.map((secretKey) => ({ secretKey, isCompressed: true }));
const SCRIPTS = KINDS.flatMap(([, { known }]) => known?.scriptCode ?? []);
const ecc = nativeSecp256k1Ecc;
const TYPES = [0, 1, 2, 3, 0x81, 0x82, 0x83];

const coins = fc.array(
  fc.record({ kind: fc.constantFrom(...KINDS), value: fc.bigInt({ min: 1n, max: 10n ** 12n }), sequence: fc.nat() }),
  { minLength: 1, maxLength: 4 },
);
const unsigned = fc
  .record({ coins, version: fc.nat(), locktime: fc.nat(), outputs: fc.nat({ max: 4 }) })
  .map((given) => {
    const tx: Transaction = {
      version: given.version,
      locktime: given.locktime,
      inputs: given.coins.map(({ sequence }, vout) => ({
        outpoint: { txid: parseTxid('ab'.repeat(32)), vout },
        scriptSig: new Uint8Array(0),
        sequence,
        witness: [],
      })),
      outputs: Array.from({ length: given.outputs }, (_, i) => ({
        value: BigInt(i),
        scriptPubKey: Uint8Array.of(OP.RETURN, i),
      })),
    };
    return { tx, prevouts: given.coins.map(({ kind: [, { scriptPubKey }], value }) => ({ scriptPubKey, value })) };
  });
const someKeys = fc.subarray([...KEYS]);
const hex = (tx: Transaction): string => formatHex(encodeTransaction(tx));

describe('signTransaction', () => {
  test('completes with all keys, and reports completeness exactly as verification does', () => {
    fc.assert(
      fc.property(unsigned, fc.constantFrom(...TYPES), someKeys, ({ tx, prevouts }, sighashType, keys) => {
        const all = signTransaction({ tx, prevouts, keys: KEYS, scripts: SCRIPTS, sighashType, ecc });
        // SINGLE without a matching output is not signed.
        const isSigned = (sighashType & 3) !== 3 || tx.inputs.length <= tx.outputs.length;
        expect(all.isComplete).toBe(isSigned);
        const some = signTransaction({ tx, prevouts, keys, scripts: SCRIPTS, sighashType, ecc });
        const { isValid, inputs } = verifyTransaction(some.tx, prevouts, { ecc });
        expect(some.isComplete).toBe(isValid);
        expect(some.inputs.map(({ kind }) => kind === 'complete')).toEqual(inputs.map(({ kind }) => kind === 'valid'));
      }),
      campaign(150),
    );
  });

  test('changes nothing when repeated, whatever the sighash type', () => {
    fc.assert(
      fc.property(unsigned, someKeys, fc.constantFrom(...TYPES), ({ tx, prevouts }, keys, again) => {
        const given = { prevouts, scripts: SCRIPTS, ecc };
        const once = signTransaction({ ...given, tx, keys, sighashType: 1 });
        expect(hex(signTransaction({ ...given, tx: once.tx, keys, sighashType: 1 }).tx)).toBe(hex(once.tx));
        const whole = signTransaction({ ...given, tx, keys: KEYS, sighashType: 1 });
        const withoutTaproot = prevouts.every(({ scriptPubKey }) => scriptPubKey[0] !== OP['1']);
        const more = signTransaction({ ...given, tx: whole.tx, keys: KEYS, sighashType: again });
        if (withoutTaproot) expect(hex(more.tx)).toBe(hex(whole.tx));
      }),
      campaign(100),
    );
  });

  test('gives the same bytes for any split of the keys into rounds', () => {
    fc.assert(
      fc.property(
        unsigned,
        fc.shuffledSubarray([...KEYS], { minLength: 3 }),
        fc.nat({ max: 3 }),
        ({ tx, prevouts }, keys, cut) => {
          const given = { prevouts, scripts: SCRIPTS, sighashType: 1, ecc };
          const whole = signTransaction({ ...given, tx, keys: KEYS });
          const rounds = [keys.slice(0, cut), keys.slice(cut)];
          const last = rounds.reduce((signed, some) => signTransaction({ ...given, tx: signed, keys: some }).tx, tx);
          // The first keys to sign fill a quorum, so multisigs give the same bytes only if the first round has the first keys.
          const multisigs = prevouts.some(({ scriptPubKey }) => isMultisig(scriptPubKey));
          if (!multisigs || isPrefix(rounds[0] ?? [])) expect(hex(last)).toBe(hex(whole.tx));
          expect(verifyTransaction(last, prevouts, { ecc }).isValid).toBe(true);
        },
      ),
      campaign(150),
    );
  });

  test('gives the same bytes with every curve backend', () => {
    fc.assert(
      fc.property(unsigned, fc.constantFrom(...TYPES), ({ tx, prevouts }, sighashType) => {
        const given = { tx, prevouts, keys: KEYS, scripts: SCRIPTS, sighashType };
        expect(hex(signTransaction({ ...given, ecc: nobleEcc }).tx)).toBe(hex(signTransaction({ ...given, ecc }).tx));
      }),
      campaign(20),
    );
  });

  test('never shows a private key in an answer or an error', () => {
    const wifs = KEYS.map((key) => formatWif(key, networks.regtest));
    const odd = fc.constantFrom('', ' ', 'x', '0', '\n');
    const call = (privkeys: readonly string[], tx: string, prevtxs: readonly object[]): string => {
      try {
        const answer: SigningResultJson = signRawTransactionWithKey([tx, privkeys, prevtxs as never], {
          network: 'regtest',
          ecc,
        });
        return JSON.stringify(answer);
      } catch (error) {
        expect(error).toBeInstanceOf(RpcError);
        return String(error) + JSON.stringify(error);
      }
    };
    fc.assert(
      fc.property(unsigned, fc.subarray(wifs), odd, odd, ({ tx, prevouts }, some, before, after) => {
        const prevtxs = prevouts.map(({ value, scriptPubKey }, vout) => ({
          txid: formatTxid(parseTxid('ab'.repeat(32))),
          vout,
          scriptPubKey: formatHex(scriptPubKey),
          amount: formatAmount(value),
        }));
        const text = call(
          some.map((wif) => `${before}${wif}${after}`),
          hex(tx),
          prevtxs,
        );
        for (const wif of wifs) expect(text).not.toContain(wif);
        for (const secret of SECRETS) expect(text).not.toContain(formatHex(secret));
      }),
      campaign(100),
    );
  });
});

const MULTISIGS = ['multi', 'sh(multi)', 'wsh(multi)', 'sh(wsh(multi))'].map((name) =>
  formatHex(concat(kinds[name]?.scriptPubKey ?? [])),
);
const isMultisig = (scriptPubKey: Uint8Array): boolean => MULTISIGS.includes(formatHex(scriptPubKey));
/** Tells whether the keys are the first of all keys, in any order. */
const isPrefix = (keys: readonly SigningKey[]): boolean =>
  KEYS.slice(0, keys.length).every((key) => keys.includes(key));
