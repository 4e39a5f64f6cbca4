import { parseAddress, templateAddress } from '../../address/address.ts';
import { withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError, unlessRefused } from '../../errors.ts';
import { classifyScript } from '../../script/template.ts';
import type { RpcContext } from '../dialect.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../errorCodes.ts';

/** Formats the address of a script, if it has one. */
export function addressText(destination: Uint8Array, { network, dialect }: RpcContext): string | undefined {
  return templateAddress(classifyScript(destination, dialect.templates), network);
}

/** Parses an address. @returns its script, or `undefined` for anything but an address of this network */
export const parseAddressOf = (text: string, { network }: RpcContext): Uint8Array | undefined =>
  unlessRefused(() => parseAddress(text, network));

/** Parses an address. @returns its script @throws RpcError -5, which with `shows` quotes the text */
export function addressArg(text: string, context: RpcContext, { shows = false }: { shows?: boolean } = {}): Uint8Array {
  const script = parseAddressOf(text, context);
  if (script) return script;
  const coinName = context.dialect.coinName;
  throw new RpcError(
    RPC_INVALID_ADDRESS_OR_KEY,
    `Invalid ${coinName} address${shows ? `: ${withoutSecrets(text, 'address')}` : ''}`,
  );
}
