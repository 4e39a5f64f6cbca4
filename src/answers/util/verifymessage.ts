import { parseBase64 } from '../../core/bytes/base64.ts';
import { RpcError, unlessRefused } from '../../core/errors.ts';
import { classifyScript } from '../../core/script/template.ts';
import { verifyLegacyMessage } from '../../kit/message/legacyMessage.ts';
import { parseDestination } from '../arguments/addressArgument.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { RPC_TYPE_ERROR } from '../method/errorCodes.ts';
import { method } from '../method/method.ts';
import { string } from '../method/parameters.ts';
import { flag } from '../method/results.ts';
import { messageRules } from './utilRules.ts';

export const verifymessage = method({
  name: 'verifymessage',
  category: 'util',
  checksLate: true,
  about: 'Tells whether the key of a P2PKH address signed a message.',
  params: [
    string('address', 'the address'),
    string('signature', 'the signature in base64'),
    string('message', 'the message'),
  ],
  result: flag('whether the signature is valid'),
  examples: ['verifymessage 1D1Z... H0Ns... hello'],
  run: (args, context) => {
    const { address, signature: text, message } = args;
    const { hash: keyHash } = messageKeyHash(address, context);
    const signature = parseSignatureArgument(text, context);
    return verifyLegacyMessage({ message, signature, keyHash, network: context.network });
  },
});

/** @throws RpcError -5, in 0.21 -3 */
export function messageKeyHash(
  text: string,
  context: RpcContext,
): { readonly scriptPubKey: Uint8Array; readonly hash: Uint8Array } {
  const { dialect } = context;
  const destination = parseDestination(text, context);
  if (!destination) throw new RpcError(messageRules[dialect.generation].invalidAddress, 'Invalid address');
  const { scriptPubKey } = destination;
  const template = classifyScript(scriptPubKey, dialect.templates);
  if (template.type === 'pubkeyhash') return { scriptPubKey, hash: template.hash };
  throw new RpcError(RPC_TYPE_ERROR, 'Address does not refer to key');
}

function parseSignatureArgument(text: string, { dialect }: RpcContext): Uint8Array {
  const { invalidBase64, cutsSignaturesAtNul } = messageRules[dialect.generation];
  const [beforeNul = ''] = text.split('\0', 1);
  const bytes = unlessRefused(() => parseBase64(cutsSignaturesAtNul ? beforeNul : text));
  if (bytes) return bytes;
  throw new RpcError(invalidBase64, 'Malformed base64 encoding');
}
