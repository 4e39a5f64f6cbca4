import { signLegacyMessage } from '../../kit/message/legacyMessage.ts';
import { parsePrivateKey } from '../arguments/signingArguments.ts';
import { method } from '../method/method.ts';
import { string } from '../method/parameters.ts';
import { text } from '../method/results.ts';

export const signmessagewithprivkey = method({
  name: 'signmessagewithprivkey',
  category: 'util',
  checksLate: true,
  about: `Signs a message with the private key of a P2PKH address. "countersign help signmessage" says how to sign for other
addresses.`,
  params: [
    string(
      'privkey',
      'the private key in wallet import format. Other users can read a command line: better send the call to batch or serve',
      { isSecret: true },
    ),
    string('message', 'the message'),
  ],
  result: text('the signature in base64'),
  examples: [`batch --network regtest <<< '{"id":1,"method":"signmessagewithprivkey","params":["cV6...","hello"]}'`],
  run: (args, context) => {
    const { privkey, message } = args;
    return signLegacyMessage(message, parsePrivateKey(privkey, context), context.network, { ecc: context.ecc });
  },
});
