import { RpcError } from '../../errors.ts';
import { signLegacyMessage } from '../../message/legacyMessage.ts';
import { readValue } from '../argumentValues.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../errorCodes.ts';
import type { RpcMethod } from '../method.ts';
import { parsePrivateKeys } from '../rawtransaction/signingArguments.ts';

/** @see Bitcoin Core `signmessagewithprivkey` */
export const signmessagewithprivkey: RpcMethod<string> = {
  name: 'signmessagewithprivkey',
  needs: 'nothing',
  params: [
    { name: 'privkey', type: 'string', isSecret: true },
    { name: 'message', type: 'string' },
  ],
  checksLate: true,
  help: `Signs a message with the private key of a P2PKH address. "countersign help signmessage" says how to sign for other
addresses.

Arguments:
1. privkey    (string, required) the private key in wallet import format. Other users can read a command line: better
              send the call to batch or serve
2. message    (string, required) the message

Result:
signature     (string) the signature in base64

Examples:
> echo '{"id":1,"method":"signmessagewithprivkey","params":["cV6...","hello"]}' | countersign batch --network regtest`,
  run: (args, context) => {
    const key = readValue(args[0], 'string', context.dialect);
    const message = readValue(args[1], 'string', context.dialect).value;
    const [parsed] = parsePrivateKeys([key], context);
    if (!parsed) throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid private key');
    return signLegacyMessage(message, parsed, context.network, context.ecc);
  },
};
