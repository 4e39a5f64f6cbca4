import { expect, test } from 'vitest';
import { cosigners, masterXprv, seedWords } from '../../../examples/fixtures.ts';
import { flatKeys } from '../../../src/core/descriptors/joinPaths.ts';
import type { AccountParts } from '../../../src/kit/account/account.ts';
import { openKeys } from '../../../src/shell/page/openKeys.ts';
import { wipeParts } from '../../../src/shell/page/publicParts.ts';
import { nobleEcc } from '../../support/library.ts';

const secretsIn = ({ masters = [], descriptors }: AccountParts): readonly Uint8Array[] => [
  ...masters.flatMap(({ secretKey, chainCode }) =>
    [secretKey ?? [], chainCode].flatMap((part) => (part instanceof Uint8Array ? [part] : [])),
  ),
  ...descriptors.flatMap(flatKeys).flatMap((key) => (key.kind === 'fixed' ? key.secretKey : key.key.secretKey) ?? []),
];

test.each([
  ['seed words', seedWords, 3],
  ['an extended key', masterXprv, 3],
  ['a private key', 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA', 1],
  ['a descriptor', `wpkh(${cosigners[0].xprv})`, 1],
])('wiping overwrites the private keys of %s', (_, text, count) => {
  const at = text === masterXprv ? 'account' : undefined;
  const { parts } = openKeys({ text, network: 'regtest', ...(at && { at }) }, nobleEcc);
  const secrets = secretsIn(parts);
  expect(secrets).toHaveLength(count);
  expect(secrets.every((secret) => secret.some((byte) => byte !== 0))).toBe(true);
  wipeParts(parts);
  expect(secrets.every((secret) => secret.every((byte) => byte === 0))).toBe(true);
});
