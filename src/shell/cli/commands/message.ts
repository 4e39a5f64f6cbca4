import { type Coins, PREVTXS, parsePrevtxs } from '../../../answers/arguments/prevtxs.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import { printable, printableJson } from '../../../core/encoding/printable.ts';
import { BtcError } from '../../../core/errors.ts';
import { scriptErrorText } from '../../../core/interpreter/result.ts';
import { classifyScript } from '../../../core/script/template.ts';
import { outpointKey, parseOutpointKey } from '../../../core/tx/txid.ts';
import type { MessageFormat } from '../../../kit/message/formats.ts';
import { formatSignedMessage } from '../../../kit/message/signedMessageFile.ts';
import { type ProvenCoin, type SignMessageInput, signMessage } from '../../../kit/message/signMessage.ts';
import { type MessageFault, type MessageOutcome, verifyMessage } from '../../../kit/message/verifyMessage.ts';
import { type Io, readNamedFile } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { assertInputOnce, type MessageLine, readToSign, readToVerify } from '../input/messageInput.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { type MessageSigner, openSigner, scriptOfAddress } from './messageSigner.ts';

const INCONCLUSIVE = 2;

export async function runMessage(line: MessageLine, io: Io): Promise<number> {
  if (line.legacy && line.bip322) throw new UsageError('give one of --legacy and --bip322');
  assertInputOnce(line);
  const context = await openContext(line, io);
  return line.command === 'signmessage' ? sign(line, context, io) : verify(line, context, io);
}

async function sign(line: MessageLine, context: CommandContext, io: Io): Promise<number> {
  const toSign = await readToSign(line, context.network, io);
  const { message } = toSign;
  const coins = [...(await readCoins(line, context, io))].map(
    ([key, coin]): ProvenCoin => ({ ...coin, outpoint: parseOutpointKey(key) }),
  );
  const scripts = coins.map(({ scriptPubKey }) => scriptPubKey);
  const signer = await openSigner(toSign, scripts, line, { context, io });
  const { address, scriptPubKey, provider } = signer;
  if (line.file !== undefined || line.messageFile !== undefined) showMessage({ address, message }, io);
  const { network, ecc } = context;
  const signature = signOr(signer, {
    ...{ message, from: { scriptPubKey, provider }, coins, network, ecc, prefix: !line.noPrefix },
    ...(line.legacy && { format: 'legacy' }),
  });
  if (line.bip322) io.writeError(formNotes(signature, line, scriptPubKey));
  const text = line.armor
    ? withUsageErrors(() => formatSignedMessage({ message, address, signature }))
    : `${signature}\n`;
  await io.writeOut(text);
  return 0;
}

/** An address that is not found among those of the keys lacks an index, rather than keys. */
function signOr({ advice }: MessageSigner, input: SignMessageInput): string {
  return withUsageErrors(() => {
    try {
      return signMessage(input);
    } catch (error) {
      const isAddress =
        error instanceof BtcError &&
        error.code === 'message/incomplete' &&
        'inputIndex' in error.data &&
        error.data.inputIndex === 0;
      if (isAddress && advice !== undefined) throw new UsageError(advice);
      throw error;
    }
  });
}

const PREFIXES: Readonly<Record<string, string>> = {
  smp: 'a simple signature',
  ful: 'a full signature',
  pof: 'a proof of funds',
};

/** Says who may refuse a signature of BIP322. */
function formNotes(signature: string, { noPrefix }: MessageLine, scriptPubKey: Uint8Array): string {
  const prefix = signature.slice(0, 3);
  const letters = `note: ${prefix} marks ${PREFIXES[prefix]} of BIP322; --no-prefix leaves it out, for
verifiers such as bip322-js that refuse it\n`;
  const isOld = classifyScript(scriptPubKey).type === 'pubkeyhash';
  const old = 'note: most verify only --legacy for this kind of address, as nodes do\n';
  return `${noPrefix ? '' : letters}${isOld ? old : ''}`;
}

/** A file may look as if it held another message, or another address. */
const showMessage = ({ address, message }: { readonly address: string; readonly message: string }, io: Io): void =>
  io.writeError(`address: ${printable(address)}\nmessage: ${printableJson(JSON.stringify(message))}\n`);

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

async function verify(line: MessageLine, context: CommandContext, io: Io): Promise<number> {
  const signed = await readToVerify(line, io);
  const { network, ecc } = context;
  const isShown = line.file !== undefined || line.messageFile !== undefined;
  if (isShown) showMessage(signed, io);
  scriptOfAddress(
    signed.address,
    line.file === undefined ? 'the first argument' : '--file: the address in it',
    context,
  );
  const coins = await readCoins(line, context, io);
  const coinOf = (outpoint: ProvenCoin['outpoint']) => coins.get(outpointKey(outpoint));
  const outcome = verifyMessage({ ...signed, network, coinOf, ecc });
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
