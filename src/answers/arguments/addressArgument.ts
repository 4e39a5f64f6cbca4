import { parseAddress, templateAddress } from '../../core/address/address.ts';
import { formatMwebAddress, isMwebKeys, parseMwebAddress } from '../../core/encoding/mwebAddress.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { RpcError, unlessRefused } from '../../core/errors.ts';
import { classifyScript } from '../../core/script/template.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../method/errorCodes.ts';

export function addressText(destination: Uint8Array, { network, dialect }: RpcContext): string | undefined {
  if (isMwebKeys(destination)) return network.mwebHrp && formatMwebAddress(network.mwebHrp, destination);
  return templateAddress(classifyScript(destination, dialect.templates), network);
}

export const tryParseAddress = (text: string, { network }: RpcContext): Uint8Array | undefined =>
  unlessRefused(() => parseAddress(text, network));

export interface Destination {
  /** Empty for an address of Litecoin's extension block, whose outputs a transaction does not show. */
  readonly scriptPubKey: Uint8Array;
  /** Of an address of the extension block. */
  readonly mwebKeys?: Uint8Array;
}

/** Parses addresses of the extension block, too, in dialects that know it. */
export function parseDestination(text: string, context: RpcContext): Destination | undefined {
  const { mwebHrp } = context.network;
  const isMweb = mwebHrp !== undefined && context.dialect.showsMweb;
  const mwebKeys = isMweb ? parseMwebAddress(mwebHrp, text) : undefined;
  if (mwebKeys) return { scriptPubKey: new Uint8Array(0), mwebKeys };
  const scriptPubKey = tryParseAddress(text, context);
  return scriptPubKey && { scriptPubKey };
}

/** Quotes the text in the error with `shows`. @throws RpcError -5 */
export function addressArg(text: string, context: RpcContext, { shows = false }: { shows?: boolean } = {}): Uint8Array {
  const script = tryParseAddress(text, context);
  if (script) return script;
  const coinName = context.dialect.coinName;
  throw new RpcError(
    RPC_INVALID_ADDRESS_OR_KEY,
    `Invalid ${coinName} address${shows ? `: ${withoutSecrets(text, 'address')}` : ''}`,
  );
}
