import { formatAddress } from '../address/address.ts';
import { formatHex } from '../bytes/hex.ts';
import { decodeUtf8WithoutMark } from '../bytes/utf8.ts';
import { printable } from '../encoding/printable.ts';
import type { Network } from '../network/networks.ts';
import type { OutputReview } from '../review/outputs.ts';
import { formatAsm } from '../script/asm.ts';
import { instructions, pushedData } from '../script/instructions.ts';
import { classifyScript } from '../script/template.ts';
import type { PayeeData } from './lines.ts';

/** Names the address that the script of a silent payment follows from, or will, in the place of its own, and a proven name. */
export function outputPayee(
  { silentPayment, scriptPubKey, name: proven }: Pick<OutputReview, 'silentPayment' | 'scriptPubKey' | 'name'>,
  network: Network,
): PayeeData {
  const { address, status } = silentPayment ?? {};
  const payee: PayeeData =
    address !== undefined && (status === 'proven' || status === 'conditional' || status === 'open')
      ? { kind: 'silent-payment', address }
      : payeeOf(scriptPubKey, network);
  return proven && 'address' in payee ? { ...payee, name: proven.name } : payee;
}

const SHOWN_SCRIPT = 520;

/** Says what a script pays: an address, the texts of data, or the script itself. */
export function payeeOf(scriptPubKey: Uint8Array, network: Network): PayeeData {
  const address = formatAddress(scriptPubKey, network);
  if (address !== undefined) return { kind: 'address', address };
  const texts = dataTexts(scriptPubKey);
  if (texts) return { kind: 'data', texts };
  const prefix = scriptPubKey.slice(0, SHOWN_SCRIPT);
  const { length: bytes } = scriptPubKey;
  return { kind: 'script', bytes, ...(bytes > SHOWN_SCRIPT ? { hex: formatHex(prefix) } : { asm: formatAsm(prefix) }) };
}

/** Returns what an OP_RETURN output says, if all of it is printable text. */
function dataTexts(scriptPubKey: Uint8Array): readonly string[] | undefined {
  if (scriptPubKey.length > SHOWN_SCRIPT || classifyScript(scriptPubKey).type !== 'nulldata') return undefined;
  const [, ...pushes] = [...instructions(scriptPubKey)].map(
    (instruction) => instruction && pushedData(scriptPubKey, instruction),
  );
  const texts = pushes.map((push) => (push && push.length > 0 ? decodeUtf8WithoutMark(push) : undefined));
  const areTexts = texts.length > 0 && texts.every((text) => text !== undefined && printable(text) === text);
  return areTexts ? texts.map((text = '') => text) : undefined;
}
