import { describe, expect, test } from 'vitest';
import { ask } from '../../support/askRpc.ts';
import {
  createMultisig,
  createRawTransaction,
  formatHex,
  formatWif,
  networks,
  nobleEcc,
} from '../../support/library.ts';

const network = 'regtest';
const secrets = [1, 2, 3].map((n) => new Uint8Array(32).fill(n));
const wifs = secrets.map((secretKey) => formatWif({ secretKey, isCompressed: true }, networks.regtest));
const keys = secrets.map((secretKey) => formatHex(nobleEcc.publicKey(secretKey)));
const { redeemScript: witnessScript, address } = createMultisig([2, keys, 'bech32'], { network });

const scriptOf = (text: string): string => {
  const { scriptPubKey } = ask('validateaddress', [text]) as { scriptPubKey: string };
  return scriptPubKey;
};

const prevtx = { txid: '11'.repeat(32), vout: 0, scriptPubKey: scriptOf(address), witnessScript, amount: '1' };
const unsigned = createRawTransaction([[prevtx], { [address]: '0.9' }], { network });

interface Signed {
  readonly hex: string;
  readonly complete: boolean;
}
const sign = (wif: string | undefined, hex = unsigned, prevtxs: readonly object[] = [prevtx]): Signed =>
  ask('signrawtransactionwithkey', [hex, [wif], prevtxs]) as Signed;

const combine = (hexes: readonly string[], prevtxs: readonly object[] = [prevtx]): unknown =>
  ask('combinerawtransaction', [hexes, prevtxs], { dialect: 'documented' });

describe('combinerawtransaction without a chain', () => {
  const [first, second, third] = wifs.map((wif) => sign(wif).hex);

  test('completes a transaction from the signatures of two, in any order', () => {
    const whole = sign(wifs[1], first);
    expect(whole.complete).toBe(true);
    expect(combine([first ?? '', second ?? ''])).toBe(whole.hex);
    expect(combine([second ?? '', first ?? '', unsigned])).toBe(whole.hex);
    expect(combine([unsigned, whole.hex, third ?? ''])).toBe(whole.hex);
  });

  test('drops what belongs to no key', () => {
    expect(
      combine([unsigned, first?.replace(/3044022[0-9a-f]{6}/, (text) => '00'.repeat(text.length / 2)) ?? '']),
    ).not.toBe(first);
  });

  test('needs the coins, and the amounts of segwit coins', () => {
    const { amount: _, ...withoutAmount } = prevtx;
    expect(combine([unsigned, unsigned], [])).toBe('-25 Input not found or already spent');
    expect(combine([first ?? '', second ?? ''], [withoutAmount])).toMatch(/^-3 Missing amount for /);
    expect(ask('combinerawtransaction', [[first, second], [prevtx]])).toMatch(
      /^-1 combinerawtransaction \["hexstring",\.\.\.\]/,
    );
  });

  test('refuses unlike transactions in core-32 only', () => {
    const other = createRawTransaction([[prevtx], { [address]: '0.8' }], { network });
    expect(combine([unsigned, other])).toBe('-8 Transaction number 2 not compatible with first transaction');
    expect(combine([unsigned])).toBe('-22 Missing transactions. At least two transactions required.');
    expect(ask('combinerawtransaction', [[unsigned, other]], { dialect: 'core-0.21' })).toBe(
      '-25 Input not found or already spent',
    );
    expect(ask('combinerawtransaction', [[]], { dialect: 'core-0.21' })).toBe('-22 Missing transactions');
  });
});

test('documented keeps valid Schnorr signatures, which a node drops', () => {
  const [secretKey = new Uint8Array()] = secrets;
  const x = formatHex(nobleEcc.publicKey(secretKey)).slice(2);
  const output = { ...prevtx, scriptPubKey: `5120${x}`, witnessScript: undefined };
  const descriptor = `rawtr(${formatWif({ secretKey, isCompressed: true }, networks.regtest)})`;
  const psbt = ask('descriptorprocesspsbt', [
    ask('utxoupdatepsbt', [ask('converttopsbt', [unsigned]), [], [JSON.parse(JSON.stringify(output)) as object]]),
    [descriptor],
  ]) as { hex: string; complete: boolean };
  expect(psbt.complete).toBe(true);
  expect(combine([unsigned, psbt.hex], [JSON.parse(JSON.stringify(output)) as object])).toBe(psbt.hex);
});
