import { expect, test } from 'vitest';
import { cosigners, masterXprv, seedWords } from '../../../examples/fixtures.ts';
import { flatKeys } from '../../../src/core/descriptors/joinPaths.ts';
import type { AccountParts } from '../../../src/kit/account/account.ts';
import { openTypedKeys } from '../../../src/shell/page/openKeys.ts';
import { wipeParts } from '../../../src/shell/page/publicParts.ts';
import { nobleEcc } from '../../support/library.ts';

const secretsIn = ({ keys = [], wallets }: AccountParts): readonly Uint8Array[] => [
  ...keys.flatMap(({ key: { secretKey, chainCode } }) => [secretKey, ...(chainCode ? [chainCode] : [])]),
  ...wallets
    .flatMap(({ descriptor }) => flatKeys(descriptor))
    .flatMap((key) => (key.kind === 'fixed' ? key.secretKey : key.key.secretKey) ?? []),
];

test.each([
  ['seed words', seedWords, {}, 3],
  ['an extended key', masterXprv, { at: 'account' }, 3],
  ['a private key', 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA', {}, 2],
  ['a descriptor', `wpkh(${cosigners[0].xprv})`, {}, 3],
] as const)('wiping overwrites the private keys of %s', (_, text, form, count) => {
  const { parts } = openTypedKeys({ text, network: 'regtest', ...form }, nobleEcc);
  const secrets = secretsIn(parts);
  expect(secrets).toHaveLength(count);
  expect(secrets.every((secret) => secret.some((byte) => byte !== 0))).toBe(true);
  wipeParts(parts);
  expect(secrets.every((secret) => secret.every((byte) => byte === 0))).toBe(true);
});
