import { parseDestination } from '../../../answers/arguments/addressArgument.ts';
import { templateAddress } from '../../../core/address/address.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import {
  createDeriver,
  type Derived,
  hasPrivateKeys,
  isRanged,
  singlePaths,
} from '../../../core/descriptors/derive.ts';
import { flatKeys } from '../../../core/descriptors/joinPaths.ts';
import { taprootSpend } from '../../../core/descriptors/taprootSpend.ts';
import { type HeldKey, heldKeysIn, isExtended, isMaster } from '../../../core/holder/heldKey.ts';
import type { OfferedWallet } from '../../../core/holder/heldWallets.ts';
import { derivePath } from '../../../core/keys/bip32.ts';
import { formatPath, HARDENED, parsePath } from '../../../core/keys/path.ts';
import { payToPubkeyHash, payToTaproot, payToWitness, wrapInScriptHash } from '../../../core/script/build.ts';
import { classifyScript } from '../../../core/script/template.ts';
import {
  createDescriptorProvider,
  createSigningProvider,
  joinProviders,
  type SigningKey,
  type SigningProvider,
} from '../../../core/signing/signingProvider.ts';
import { CURRENT_RULES } from '../../../core/signing/signingRules.ts';
import type { SingleKeyAddress } from '../../../kit/message/messageRequest.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { readDescriptors } from '../input/descriptorFiles.ts';
import type { MessageLine, ToSign } from '../input/messageInput.ts';
import { wantsKeys } from '../input/secretFiles.ts';
import { readSigningKeys } from '../input/signingKeys.ts';
import type { CommandContext } from '../openContext.ts';

/** Indexes of a descriptor at which an address is sought. */
const SEARCHED = 1000;

/** What signs for an address and for coins beside it. */
export interface MessageSigner {
  readonly address: string;
  readonly scriptPubKey: Uint8Array;
  readonly provider: SigningProvider;
  /** Why the address is not found, if it is not. */
  readonly advice?: string;
}

/** @throws UsageError for a text that is not an address of the network */
export function scriptOfAddress(address: string, what: string, context: CommandContext): Uint8Array {
  const destination = parseDestination(address, context);
  if (destination && !destination.mwebKeys) return destination.scriptPubKey;
  throw new UsageError(`${what} is not an address of the network ${context.network.name}`);
}

/** `coins` are the scripts of coins. */
export async function openSigner(
  toSign: ToSign,
  coins: readonly Uint8Array[],
  line: MessageLine,
  { context, io }: { readonly context: CommandContext; readonly io: Io },
): Promise<MessageSigner> {
  const given = 'address' in toSign ? scriptOfAddress(toSign.address, 'the first argument', context) : undefined;
  const path = 'path' in toSign ? toSign.path : pathOf(line);
  const { keys, wallets } = await openKeys(line, context, io);
  const keyAt = path ? keysAt(path, keys, context) : [];
  const scriptPubKey = given ?? scriptAt(toSign, keyAt, context);
  const scripts = [scriptPubKey, ...coins];
  const kinds: readonly string[] = scripts.map((script) => classifyScript(script).type);
  const likely = wallets.filter(({ descriptor }) => kindsOf(descriptor, context).some((kind) => kinds.includes(kind)));
  const derived = likely.flatMap(({ descriptor }) => derivedFor(scripts, descriptor, { path, context }));
  const signing = createSigningProvider(
    { keys: [...singleKeys(keys), ...keyAt], scripts: [] },
    { rules: CURRENT_RULES, ecc: context.ecc },
  );
  const isFound = derived.some((one) => holdsScript(one, [scriptPubKey]));
  const advice = isFound ? undefined : notFound(scriptPubKey, wallets, { path, context });
  return {
    address: 'address' in toSign ? toSign.address : addressOf(scriptPubKey, context),
    scriptPubKey,
    provider: joinProviders(signing, createDescriptorProvider(derived)),
    ...(advice !== undefined && { advice }),
  };
}

const pathOf = ({ path }: MessageLine): readonly number[] | undefined =>
  path === undefined ? undefined : withUsageErrors(() => parsePath(path));

interface Opened {
  readonly keys: readonly HeldKey[];
  readonly wallets: readonly OfferedWallet[];
}

async function openKeys(line: MessageLine, context: CommandContext, io: Io): Promise<Opened> {
  const own = await readDescriptors(line.descriptorsFile, context, io);
  const asks = wantsKeys(line) || !own.some(hasPrivateKeys);
  const { keys, wallets } = asks ? await readSigningKeys(line, context, io) : { keys: [], wallets: [] };
  const named = own.map((descriptor) => ({ descriptor, name: 'the descriptors given' }));
  return { keys: [...keys, ...heldKeysIn(own)], wallets: [...named, ...wallets] };
}

/** Those that no descriptor implies, such as WIF keys. */
const singleKeys = (keys: readonly HeldKey[]): readonly SigningKey[] =>
  keys.flatMap((held) =>
    isExtended(held) ? [] : [{ secretKey: held.key.secretKey, isCompressed: held.key.publicKey.length === 33 }],
  );

/** Derives the keys at a path from the master key, as far as a key that is held lies above. */
function keysAt(path: readonly number[], keys: readonly HeldKey[], { ecc }: CommandContext): readonly SigningKey[] {
  return keys.flatMap((held) => {
    const origin = isMaster(held) ? [] : held.origin?.path;
    if (!isExtended(held) || !origin?.every((step, i) => step === path[i])) return [];
    const { secretKey } = withUsageErrors(() => derivePath(held.key, path.slice(origin.length), { ecc }));
    return secretKey ? [{ secretKey, isCompressed: true }] : [];
  });
}

function scriptAt(toSign: ToSign, keys: readonly SigningKey[], { ecc }: CommandContext): Uint8Array {
  const { path, kind } = 'path' in toSign ? toSign : { path: [], kind: 'p2pkh' as const };
  const scripts = keys.map(({ secretKey }) => SCRIPTS[kind](ecc.publicKey(secretKey, true), ecc));
  const [script, ...others] = scripts;
  if (script && others.every((other) => equalBytes(other, script))) return script;
  const what = script
    ? 'the keys given have several addresses there: give one'
    : 'give the seed words or the master key (an xprv of depth 0) above it';
  throw new UsageError(`the request is for the key at m${formatPath(path)}: ${what}`);
}

const SCRIPTS: Readonly<Record<SingleKeyAddress, (publicKey: Uint8Array, ecc: CommandContext['ecc']) => Uint8Array>> = {
  p2pkh: (key) => payToPubkeyHash(hash160(key)),
  'p2sh-p2wpkh': (key) => wrapInScriptHash(payToWitness(0, hash160(key))),
  p2wpkh: (key) => payToWitness(0, hash160(key)),
  p2tr: (key, ecc) => payToTaproot(taprootSpend(key.slice(1), [], ecc).outputKey),
};

const addressOf = (scriptPubKey: Uint8Array, { network, dialect }: CommandContext): string =>
  templateAddress(classifyScript(scriptPubKey, dialect.templates), network) ?? '';

interface Place {
  readonly path: readonly number[] | undefined;
  readonly context: CommandContext;
}

/** Derives a wallet at the index of a path, or at the first indexes until the scripts are found. */
function derivedFor(
  scripts: readonly Uint8Array[],
  descriptor: OfferedWallet['descriptor'],
  { path, context: { ecc } }: Place,
): readonly Derived[] {
  const [first, last] = indexes(descriptor, path);
  return singlePaths(descriptor).flatMap((single) => {
    const derive = createDeriver(single, { ecc });
    const matches: Derived[] = [];
    for (let index = first; index <= last && matches.length < scripts.length; index += 1) {
      const derived = withUsageErrors(() => derive(index));
      if (holdsScript(derived, scripts)) matches.push(derived);
    }
    return matches;
  });
}

function indexes(descriptor: OfferedWallet['descriptor'], path: Place['path']): readonly [first: number, last: number] {
  if (!isRanged(descriptor)) return [0, 0];
  const step = path?.at(-1);
  return step === undefined ? [0, SEARCHED - 1] : [step % HARDENED, step % HARDENED];
}

const holdsScript = ({ scriptPubKeys }: Derived, scripts: readonly Uint8Array[]): boolean =>
  scriptPubKeys.some((own) => scripts.some((script) => equalBytes(own, script)));

/** Names the wallets that have addresses of this kind; nothing for keys without wallets, which have no index. */
function notFound(
  scriptPubKey: Uint8Array,
  wallets: readonly OfferedWallet[],
  { path, context }: Place,
): string | undefined {
  if (path) return `the address is not that at m${formatPath(path)} of the keys and wallets given`;
  const { type } = classifyScript(scriptPubKey);
  const ofKind = wallets.filter(
    ({ descriptor }) => isRanged(descriptor) && kindsOf(descriptor, context).includes(type),
  );
  const [first] = ofKind.flatMap(({ descriptor }) => flatKeys(descriptor));
  if (!first) return undefined;
  const names = [...new Set(ofKind.map(({ name = 'a wallet' }) => name))];
  return `the address is not among the first ${SEARCHED} receive and change addresses of
${names.join(' and ')}: name its path, such as --path m${formatPath(first.origin?.path ?? [])}/0/1490`;
}

const kindsOf = (descriptor: OfferedWallet['descriptor'], { ecc }: CommandContext): readonly string[] =>
  singlePaths(descriptor).flatMap((single) =>
    withUsageErrors(() => createDeriver(single, { ecc })(0)).scriptPubKeys.map((script) => classifyScript(script).type),
  );
