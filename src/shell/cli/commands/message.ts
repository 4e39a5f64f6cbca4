import { parseDestination } from '../../../answers/arguments/addressArgument.ts';
import { type Coins, PREVTXS, parsePrevtxs } from '../../../answers/arguments/prevtxs.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import {
  createDeriver,
  type Derived,
  hasPrivateKeys,
  isRanged,
  singlePaths,
} from '../../../core/descriptors/derive.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { printable, printableJson } from '../../../core/encoding/printable.ts';
import { type HeldKey, isExtended } from '../../../core/holder/heldKey.ts';
import { scriptErrorText } from '../../../core/interpreter/result.ts';
import {
  createDescriptorProvider,
  createSigningProvider,
  joinProviders,
  type SigningKey,
  type SigningProvider,
} from '../../../core/signing/signingProvider.ts';
import { CURRENT_RULES } from '../../../core/signing/signingRules.ts';
import { outpointKey, parseOutpointKey } from '../../../core/tx/txid.ts';
import type { MessageFormat } from '../../../kit/message/formats.ts';
import { parseSignedMessage } from '../../../kit/message/signedMessageFile.ts';
import { type ProvenCoin, signMessage } from '../../../kit/message/signMessage.ts';
import { type MessageFault, type MessageOutcome, verifyMessage } from '../../../kit/message/verifyMessage.ts';
import { type Io, readNamedFile } from '../../terminal/io.ts';
import { decodeUtf8 } from '../../terminal/lines.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { readDescriptors } from '../input/descriptorFiles.ts';
import { type KeyValues, wantsKeys } from '../input/secretFiles.ts';
import { readSigningKeys } from '../input/signingKeys.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import type { CommandLine } from '../options.ts';

interface MessageLine extends CommandLine, KeyValues {
  readonly prevtxsFile: string | undefined;
  readonly descriptorsFile: readonly string[];
}

/** Indexes of a descriptor at which an address is sought. */
const SEARCHED = 1000;
const INCONCLUSIVE = 2;

export async function runMessage(line: MessageLine, io: Io): Promise<number> {
  const names = line.command === 'signmessage' ? ['ADDRESS', 'MESSAGE'] : ['ADDRESS', 'SIGNATURE', 'MESSAGE'];
  const args = await readMessage(line, io);
  if (args.length !== names.length) throw new UsageError(`${line.command} --bip322 takes ${names.join(' ')}`);
  const [address = '', ...texts] = args;
  const context = await openContext(line, io);
  const destination = parseDestination(address, context);
  if (!destination || destination.mwebKeys) {
    const what = line.file === undefined ? 'the first argument' : '--file: the address in it';
    throw new UsageError(`${what} is not an address of the network ${context.network.name}`);
  }
  const { scriptPubKey } = destination;
  const coins = await readCoins(line, context, io);
  const [first = '', message = first] = texts;
  if (line.command === 'verifymessage') return verify({ address, signature: first, message, coins }, context, io);
  const spent = [...coins].map(([key, coin]): ProvenCoin => ({ ...coin, outpoint: parseOutpointKey(key) }));
  const scripts = [scriptPubKey, ...spent.map((coin) => coin.scriptPubKey)];
  const provider = await openProvider(scripts, line, { context, io });
  const { ecc } = context;
  const signature = withUsageErrors(() =>
    signMessage({ message, from: { scriptPubKey, provider }, coins: spent, ecc }),
  );
  await io.writeOut(`${signature}\n`);
  return 0;
}

/** Takes the arguments, or the file of a signed message in their place. */
async function readMessage({ command, args, file }: MessageLine, io: Io): Promise<readonly string[]> {
  if (file === undefined) return args;
  if (command === 'signmessage')
    throw new UsageError('signmessage --bip322 takes no file: give the message as an argument');
  if (args.length > 0) throw new UsageError('verifymessage --bip322 takes a file or arguments, not both');
  const text = decodeUtf8(await readNamedFile('--file', file, io));
  if (text === undefined) throw new UsageError('--file: the file is not text in UTF-8');
  const { address, signature, message } = withUsageErrors(() => parseSignedMessage(text));
  // A file may look as if it held another message, or another address.
  io.writeError(`address: ${printable(address)}\nmessage: ${printableJson(JSON.stringify(message))}\n`);
  return [address, signature, message];
}

async function readCoins(line: MessageLine, context: CommandContext, io: Io): Promise<Coins> {
  if (line.prevtxsFile === undefined) return new Map();
  const option = '--prevtxs-file';
  const value = parseJson(new TextDecoder().decode(await readNamedFile(option, line.prevtxsFile, io)));
  if (value?.type !== 'array') throw new UsageError(`${option} does not hold a JSON array`);
  return withUsageErrors(
    () => parsePrevtxs(PREVTXS.read(value, context), context),
    (reason) => `${option}: ${reason}`,
  );
}

async function openProvider(
  scripts: readonly Uint8Array[],
  line: MessageLine,
  { context, io }: { readonly context: CommandContext; readonly io: Io },
): Promise<SigningProvider> {
  const ownDescriptors = await readDescriptors(line.descriptorsFile, context, io);
  const asks = wantsKeys(line) || !ownDescriptors.some(hasPrivateKeys);
  const { keys, wallets } = asks ? await readSigningKeys(line, context, io) : { keys: [], wallets: [] };
  const descriptors = [...ownDescriptors, ...wallets.map(({ descriptor }) => descriptor)];
  const derived = descriptors.flatMap((descriptor) => derivedFor(scripts, descriptor, context));
  const given = createSigningProvider(
    { keys: singleKeys(keys), scripts: [] },
    { rules: CURRENT_RULES, ecc: context.ecc },
  );
  return joinProviders(given, createDescriptorProvider(derived));
}

/** Those that no descriptor implies, such as WIF keys. */
const singleKeys = (keys: readonly HeldKey[]): readonly SigningKey[] =>
  keys.flatMap((held) =>
    isExtended(held) ? [] : [{ secretKey: held.key.secretKey, isCompressed: held.key.publicKey.length === 33 }],
  );

function derivedFor(
  scripts: readonly Uint8Array[],
  descriptor: Descriptor,
  { ecc }: CommandContext,
): readonly Derived[] {
  const last = isRanged(descriptor) ? SEARCHED - 1 : 0;
  return singlePaths(descriptor).flatMap((single) => {
    const derive = createDeriver(single, { ecc });
    const matches: Derived[] = [];
    for (let index = 0; index <= last && matches.length < scripts.length; index += 1) {
      const derived = withUsageErrors(() => derive(index));
      if (derived.scriptPubKeys.some((own) => scripts.some((script) => equalBytes(own, script)))) matches.push(derived);
    }
    return matches;
  });
}

interface Signed {
  readonly address: string;
  readonly signature: string;
  readonly message: string;
  readonly coins: Coins;
}

async function verify({ coins, ...signed }: Signed, { network, ecc }: CommandContext, io: Io): Promise<number> {
  const outcome = verifyMessage({
    ...signed,
    network,
    coinOf: (outpoint) => coins.get(outpointKey(outpoint)),
    ecc,
  });
  await io.writeOut(`${outcomeText(outcome)}\n`);
  return outcome.kind === 'valid' ? 0 : outcome.kind === 'invalid' ? 1 : INCONCLUSIVE;
}

const FORMATS: Readonly<Record<MessageFormat, string>> = {
  legacy: 'legacy, as Bitcoin Core signs',
  bip137: 'legacy, as BIP137 signs segwit',
  electrum: 'legacy, as Electrum signs segwit',
  simple: 'BIP322, simple',
  full: 'BIP322, full',
  'proof-of-funds': 'BIP322, proof of funds',
};

const REASONS: Readonly<Record<MessageFault, string>> = {
  text: 'the message has half a character, which nobody can sign',
  base64: 'the signature is not base64: copy all of it again',
  encoding: 'the base64 holds no such signature: copy all of it again',
  address: 'this kind of address has no such signatures; ask for BIP322',
  header: 'the key is right, but signed for another kind of its addresses',
  message: 'by the keys of the address, but for another message; or damaged',
  key: 'by a key or script that is not that of the address',
  signature: 'for another message, or by a key that is not that of the address',
  changed: 'for this message, but not for this transaction and its coins',
  'sighash-type': 'the hash type leaves parts open: it must be ALL or DEFAULT',
  transaction: 'what was signed is a payment, not a message',
  script: 'the script fails',
  upgradable: 'it uses features reserved for future upgrades',
  coins: 'pass all coins of the proof with --prevtxs-file',
};

function outcomeText(outcome: MessageOutcome): string {
  const { kind, format } = outcome;
  const form = format === undefined ? '' : ` (${invalidForm(outcome) ?? FORMATS[format]})`;
  if (outcome.kind !== 'valid') {
    const { failure, inputIndex = 0 } = outcome.kind === 'invalid' ? outcome : {};
    const place = inputIndex > 0 ? `coin ${inputIndex} of the proof: ` : '';
    const error = failure && outcome.reason === 'script' ? `: ${scriptErrorText(failure.error)}` : '';
    return `${kind}${form}: ${place}${REASONS[outcome.reason]}${error}`;
  }
  const { locktime, sequence, coins } = outcome;
  const locks = locktime > 0 || sequence > 0 ? ` from lock time ${locktime} and sequence ${sequence} on` : '';
  const proof = coins.length > 0 ? `, with ${coins.reduce((sum, { value }) => sum + value, 0n)} satoshi` : '';
  return `valid${locks}${proof}${form}`;
}

/** Which of the legacy forms it is shows only once the key is right. */
const invalidForm = ({ kind, format }: MessageOutcome): string | undefined =>
  kind === 'invalid' && format === 'legacy' ? 'legacy' : undefined;
