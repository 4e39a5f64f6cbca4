import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flatKeys } from '../../src/core/descriptors/joinPaths.ts';
import { parseWalletFile } from '../../src/kit/account/index.ts';
import { campaign } from '../support/campaign.ts';
import { BtcError, formatHex } from '../support/library.ts';
import { expectHidden, pasted } from '../support/secrets.ts';
import { descriptorsOf, WALLET_FILES, walletFile } from '../support/walletFiles.ts';

interface Damage {
  readonly how: 'cut' | 'change' | 'remove' | 'swap' | 'repeat';
  readonly at: number;
  readonly with: string;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  how: fc.constantFrom('cut', 'change', 'remove', 'swap', 'repeat'),
  at: fc.nat(1_000_000),
  with: fc.constantFrom(...'0123456789abcxyzAZ#/\'()[]{}<>;:,*@"\n \\\0é'),
});

/** Damages a text in one place: a character, or a line and the one after it. */
function damaged(text: string, { how, at, with: letter }: Damage): string {
  const place = at % text.length;
  if (how === 'cut') return text.slice(0, place);
  if (how === 'change') return text.slice(0, place) + letter + text.slice(place + 1);
  const lines = text.split('\n');
  const line = at % lines.length;
  const [own = '', next = ''] = lines.slice(line, line + 2);
  const changed = { remove: [next], swap: [next, own], repeat: [own, own, next] }[how];
  return [...lines.slice(0, line), ...changed, ...lines.slice(line + 2)].join('\n');
}

/** Lists the public keys of a wallet file, with their chain codes. */
const keysOf = (text: string): readonly string[] =>
  parseWalletFile(text).descriptors.flatMap((descriptor) =>
    flatKeys(descriptor).map((key) =>
      key.kind === 'extended' ? formatHex(key.key.publicKey) + formatHex(key.key.chainCode) : formatHex(key.publicKey),
    ),
  );

/** Returns the result of a call, or the message of its refusal; any other error fails the test. */
function resultOf<T>(run: () => T): { readonly result: T } | { readonly message: string } {
  try {
    return { result: run() };
  } catch (error) {
    if (error instanceof BtcError) return { message: `${error.message} ${JSON.stringify(error.data)}` };
    throw error;
  }
}

/** Lists the pieces of the private keys and seed words in a wallet file. */
const secretsIn = (text: string): readonly string[] => [
  ...(text.match(/[a-z]prv[0-9A-Za-z]+/g) ?? []).flatMap((key) => [key.slice(4, 20), key.slice(50, 66)]),
  'abandon abandon',
];

describe('a damaged wallet file', () => {
  test.each(WALLET_FILES)('%s has the same keys, or is refused without showing a private key', (name) => {
    const text = walletFile(name);
    const known = new Set(keysOf(text));
    const secrets = secretsIn(text);
    fc.assert(
      fc.property(damage, (how) => {
        const outcome = resultOf(() => keysOf(damaged(text, how)));
        if ('message' in outcome) expect(secrets.filter((secret) => outcome.message.includes(secret))).toEqual([]);
        else expect(outcome.result.filter((key) => !known.has(key))).toEqual([]);
      }),
      campaign(40),
    );
  });

  test.each(['sparrow-multisig.txt', 'sparrow-taproot.txt'])('%s has the same descriptors, or is refused', (name) => {
    const text = walletFile(name);
    const known = descriptorsOf(text);
    fc.assert(
      fc.property(damage, (how) => {
        const outcome = resultOf(() => descriptorsOf(damaged(text, how)));
        if ('result' in outcome) expect(outcome.result).toEqual(known);
      }),
      campaign(100),
    );
  });
});

test('a secret pasted anywhere into a wallet file appears in no error', () => {
  const place = fc.record({ name: fc.constantFrom(...WALLET_FILES), at: fc.nat(), own: fc.boolean(), secret: pasted });
  fc.assert(
    fc.property(place, ({ name, at, own, secret }) => {
      const text = walletFile(name);
      const cut = at % text.length;
      const given = own ? secret.text : text.slice(0, cut) + secret.text + text.slice(cut);
      const outcome = resultOf(() => parseWalletFile(given));
      if ('message' in outcome) expectHidden(outcome.message, secret, given);
    }),
    campaign(300),
  );
});
