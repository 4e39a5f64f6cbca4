import { readOptional, readValue } from '../../../answers/arguments/argumentValues.ts';
import { parseDescriptorArgument } from '../../../answers/arguments/descriptorArgument.ts';
import { findMember, type JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import { parsePublicKeyArgument } from '../../../answers/util/createmultisig.ts';
import { bytesKey } from '../../../core/bytes/compare.ts';
import { isHex, parseHex } from '../../../core/bytes/hex.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import { createDeriver, type Derived, singlePaths } from '../../../core/descriptors/derive.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { payToWitness } from '../../../core/script/build.ts';
import { createDescriptorProvider, type SigningProvider } from '../../../core/signing/signingProvider.ts';
import type { WalletContext } from '../context.ts';

/**
 * Parses keys, scripts and descriptors of foreign coins, to estimate the size of their inputs.
 * @see Bitcoin Core 31 `solving_data`
 */
export function parseSolvingData(value: JsonValue | undefined, context: WalletContext): SigningProvider | undefined {
  const { dialect } = context;
  const data = readOptional(value, 'object', dialect);
  if (!data) return undefined;
  const readItems = (name: string): readonly JsonValue[] =>
    readOptional(findMember(data.members, name), 'array', dialect)?.items ?? [];
  const keys = readItems('pubkeys').map((item) => parsePublicKeyArgument(item, dialect));
  const listedScripts = readItems('scripts').map((item) => parseHexScript(readValue(item, 'string', dialect).value));
  const derived = readItems('descriptors').flatMap((item) =>
    deriveFirst(readValue(item, 'string', dialect).value, context),
  );
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

function parseHexScript(text: string): Uint8Array {
  if (isHex(text) || text === '') return parseHex(text);
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `'${withoutSecrets(text)}' is not hex`);
}

function deriveFirst(text: string, context: WalletContext): readonly Derived[] {
  try {
    const descriptor = parseDescriptorArgument(text, context, { requireChecksum: true });
    return singlePaths(descriptor).map((single) => createDeriver(single, { ecc: context.ecc })(0));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw invalidParameter(`Unable to parse descriptor '${withoutSecrets(text)}': ${error.message}`);
  }
}
