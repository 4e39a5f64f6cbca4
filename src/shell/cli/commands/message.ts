import { type Coins, PREVTXS, parsePrevtxs } from '../../../answers/arguments/prevtxs.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import { printable, printableJson } from '../../../core/encoding/printable.ts';
import { classifyScript } from '../../../core/script/template.ts';
import { outpointKey, parseOutpointKey } from '../../../core/tx/txid.ts';
import { messageOutcomeText } from '../../../kit/message/messageOutcomeText.ts';
import { type NotFound, signFound } from '../../../kit/message/messageSigner.ts';
import { formatSignedMessage } from '../../../kit/message/signedMessageFile.ts';
import type { ProvenCoin, SignMessageInput } from '../../../kit/message/signMessage.ts';
import { verifyMessage } from '../../../kit/message/verifyMessage.ts';
import { type Io, readNamedFile } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { assertInputOnce, type MessageLine, readToSign, readToVerify } from '../input/messageInput.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { openSigner, scriptOfAddress } from './messageSigner.ts';

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
  const input: SignMessageInput = {
    ...{ message, from: { scriptPubKey, provider }, coins, network, ecc, prefix: !line.noPrefix },
    ...(line.legacy && { format: 'legacy' }),
  };
  const signature = withUsageErrors(() => signFound(signer, input, adviceFor));
  if (line.bip322) io.writeError(formNotes(signature, line, scriptPubKey));
  const text = line.armor
    ? withUsageErrors(() => formatSignedMessage({ message, address, signature }))
    : `${signature}\n`;
  await io.writeOut(text);
  return 0;
}

const adviceFor = (notFound: NotFound): string =>
  notFound.kind === 'path'
    ? notFound.reason
    : `${notFound.searched}\n${notFound.wallets}: name its path, such as --path ${notFound.examplePath}`;

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
  await io.writeOut(`${messageOutcomeText(outcome, 'pass all coins of the proof with --prevtxs-file')}\n`);
  return outcome.kind === 'valid' ? 0 : outcome.kind === 'invalid' ? 1 : INCONCLUSIVE;
}
