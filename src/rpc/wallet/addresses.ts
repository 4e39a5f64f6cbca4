import { parseAddress, templateAddress } from '../../address/address.ts';
import { RpcError } from '../../errors.ts';
import { classifyScript } from '../../script/template.ts';
import { parseBase58Check } from '../../text/base58check.ts';
import { unlessRefused } from '../attempt.ts';
import type { RpcContext } from '../dialect.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../errorCodes.ts';

/** The text of an address, by its script. */
export function addressText(destination: Uint8Array, { network, dialect }: RpcContext): string | undefined {
  return templateAddress(classifyScript(destination, dialect.templates), network);
}

/** The script of an address, or `undefined` for what is none of this network. */
export const parseAddressOf = (text: string, { network }: RpcContext): Uint8Array | undefined =>
  unlessRefused(() => parseAddress(text, network));

const EXTENDED_KEY_SIZE = 78;
/** A prefix and 32 bytes, and perhaps the mark of a compressed key. */
const WIF_SIZES: readonly number[] = [33, 34];

/** A text as error texts show it: a private key, of whatever network, is left out, for errors are written into logs. */
export function shownText(text: string): string {
  const payload = unlessRefused(() => parseBase58Check(text, EXTENDED_KEY_SIZE));
  if (!payload) return text;
  const isExtended = payload.length === EXTENDED_KEY_SIZE && payload[45] === 0;
  return isExtended || WIF_SIZES.includes(payload.length) ? '...' : text;
}

/** The script of an address. @throws RpcError -5, with the text itself where `shows` */
export function addressArg(text: string, context: RpcContext, { shows = false }: { shows?: boolean } = {}): Uint8Array {
  const script = parseAddressOf(text, context);
  if (script) return script;
  const { coinName } = context.dialect;
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `Invalid ${coinName} address${shows ? `: ${shownText(text)}` : ''}`);
}
