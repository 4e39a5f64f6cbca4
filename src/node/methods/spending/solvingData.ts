import { readValue } from '../../../answers/arguments/argumentValues.ts';
import { parseDescriptorArgument } from '../../../answers/arguments/descriptorArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import type { Param } from '../../../answers/method/param.ts';
import { array, hexString, object, optional, string } from '../../../answers/method/parameters.ts';
import { PUBLIC_KEY } from '../../../answers/util/createmultisig.ts';
import { bytesKey } from '../../../core/bytes/compare.ts';
import { isHex, parseHex } from '../../../core/bytes/hex.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import { createDeriver, type Derived, singlePaths } from '../../../core/descriptors/derive.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { payToWitness } from '../../../core/script/build.ts';
import { createDescriptorProvider, type SigningProvider } from '../../../core/signing/signingProvider.ts';
import type { WalletContext } from '../context.ts';

const SCRIPT: Param<'script', Uint8Array, string> = {
  ...hexString('script', 'a script'),
  read: (value, { dialect }) => {
    const { value: text } = readValue(value, 'string', dialect);
    if (isHex(text) || text === '') return parseHex(text);
    throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `'${withoutSecrets(text)}' is not hex`);
  },
};

/** Keys, scripts and descriptors of foreign coins, to estimate the size of their inputs. @see Bitcoin Core 31 `solving_data` */
export const SOLVING_DATA = lasting(
  optional(
    object(
      'solving_data',
      [
        optional(array('pubkeys', { ...PUBLIC_KEY, name: 'pubkey' }, 'public keys')),
        optional(array('scripts', SCRIPT, 'scripts')),
        optional(array('descriptors', string('descriptor', 'a descriptor'), 'descriptors')),
      ],
      'what the size of inputs depends on that are not of the wallet',
    ),
  ),
  { since: 'core-29' },
);

export function parseSolvingData(
  data: ReturnType<typeof SOLVING_DATA.read>,
  context: WalletContext,
): SigningProvider | undefined {
  if (!data) return undefined;
  const keys = [...(data.pubkeys ?? [])];
  const listedScripts = [...(data.scripts ?? [])];
  const derived = [...(data.descriptors ?? [])].flatMap((text) => deriveFirst(text, context));
  const keysByHash = byHash(keys);
  const scripts = byHash([...listedScripts, ...keys.map((key) => payToWitness(0, hash160(key)))]);
  const described = createDescriptorProvider(derived);
  return {
    ...described,
    publicKey: (hash) => keysByHash.get(bytesKey(hash)) ?? described.publicKey(hash),
    script: (hash) => scripts.get(bytesKey(hash)) ?? described.script(hash),
  };
}

const byHash = (items: readonly Uint8Array[]): ReadonlyMap<string, Uint8Array> =>
  new Map(items.map((item) => [bytesKey(hash160(item)), item]));

function deriveFirst(text: string, context: WalletContext): readonly Derived[] {
  try {
    const descriptor = parseDescriptorArgument(text, context, { requireChecksum: true });
    return singlePaths(descriptor).map((single) => createDeriver(single, { ecc: context.ecc })(0));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw invalidParameter(`Unable to parse descriptor '${withoutSecrets(text)}': ${error.message}`);
  }
}
