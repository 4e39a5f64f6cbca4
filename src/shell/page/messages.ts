import { parseAddress } from '../../core/address/address.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { isBtcError } from '../../core/errors.ts';
import { isExtended } from '../../core/holder/heldKey.ts';
import type { Network, NetworkName } from '../../core/network/networks.ts';
import { classifyScript } from '../../core/script/template.ts';
import { isSilentPaymentText } from '../../core/silentPayments/address.ts';
import { messageOutcomeText } from '../../kit/message/messageOutcomeText.ts';
import { parseMessageRequest } from '../../kit/message/messageRequest.ts';
import {
  findMessageSigner,
  type MessageSigner,
  type NotFound,
  signFound,
  type WantedSigner,
} from '../../kit/message/messageSigner.ts';
import {
  formatSignedMessage,
  parseSignedMessage,
  type SignedMessageFile,
} from '../../kit/message/signedMessageFile.ts';
import { verifyMessage } from '../../kit/message/verifyMessage.ts';
import { networksOfAddress, open } from '../../kit/open/open.ts';
import { openedText } from '../../kit/open/openedText.ts';
import { networkTitle } from './format.ts';
import type { Wallets } from './pageWallets.ts';
import type {
  MessageForm,
  MessageVerdictView,
  PreparedMessageView,
  SignatureForm,
  SignedMessageView,
} from './protocol.ts';
import { refuse, sentence } from './refusals.ts';

/** Signs and verifies messages. */
export interface Messages {
  readonly prepare: (form: MessageForm) => PreparedMessageView;
  /** Signs what was prepared last. */
  readonly sign: (format: SignatureForm) => SignedMessageView;
  readonly verify: (form: string | SignedMessageFile) => MessageVerdictView;
  /** The last signed message, as a file. */
  readonly signed: () => string;
  readonly forget: () => void;
}

interface MessagesContext {
  readonly wallets: Wallets;
  readonly ecc: Ecc;
  readonly network: () => Network;
}

interface Prepared {
  readonly message: string;
  readonly signer: MessageSigner;
  readonly network: Network;
}

const PROOF = 'a proof of funds holds only while its coins are unspent, which a node knows: ask one';

export function createMessages({ wallets, ecc, network }: MessagesContext): Messages {
  let prepared: Prepared | undefined;
  let signed: string | undefined;
  const networkOf = (address: string): Network => {
    const fitting = networksOfAddress(address);
    if (fitting.length === 0) refuse('The text is not a valid address: copy all of it');
    if (isSilentPaymentText(address)) refuse('An address of silent payments signs no messages');
    const opened = wallets.list().map(({ parts }) => parts.network.name);
    const isFitting = ({ name }: Network): boolean => fitting.some((each) => each.name === name);
    return [network(), ...fitting.filter(({ name }) => opened.includes(name)), ...fitting].find(isFitting) ?? network();
  };
  const wantedIn = (form: MessageForm): Pick<Prepared, 'message' | 'network'> & { readonly wanted: WantedSigner } => {
    if ('request' in form) {
      const { message, ...wanted } = parseMessageRequest(form.request, network());
      return { message, wanted, network: network() };
    }
    const address = form.address.trim();
    const own = networkOf(address);
    return { message: form.message, wanted: { address, scriptPubKey: parseAddress(address, own) }, network: own };
  };
  return {
    prepare: (form) => {
      [prepared, signed] = [undefined, undefined];
      const { message, wanted, network: own } = wantedIn(form);
      assertPublic(message);
      const { holder } = wallets.holderFor(own);
      if (holder.keys.length === 0)
        refuse(`No private key for ${networkTitle(own.name as NetworkName)} is open: add your keys first`);
      const offered = wallets.list().filter(({ parts }) => parts.network.name === own.name);
      const source = { keys: holder.keys, wallets: offered.flatMap((wallet) => wallet.offered), network: own, ecc };
      const signer = findMessageSigner(wanted, [], source);
      // A single key is in no wallet: whether it signs for the address is seen when it does.
      if (!signer.isFound && wanted.path === undefined && holder.keys.every(isExtended)) {
        refuse(sentence(signer.notFound ? adviceFor(signer.notFound) : NO_WALLET));
      }
      prepared = { message, signer, network: own };
      const { type } = classifyScript(signer.scriptPubKey);
      return {
        address: signer.address,
        message,
        network: own.name as NetworkName,
        forms: LEGACY_TYPES.has(type) ? ['bip322', 'legacy'] : ['bip322'],
        usual: type === 'pubkeyhash' ? 'legacy' : 'bip322',
      };
    },
    sign: (form) => {
      const { message, signer, network: own } = prepared ?? refuse('No message is prepared: show it first');
      const { scriptPubKey, provider, address } = signer;
      const input = {
        ...{ message, from: { scriptPubKey, provider }, network: own, ecc },
        ...(form === 'legacy' && { format: 'legacy' as const }),
      };
      const signature = unlessTooFew(signer, () => signFound(signer, input, adviceFor));
      signed = formatSignedMessage({ message, address, signature });
      return { signature, block: signed };
    },
    verify: (form) => {
      const given = typeof form === 'string' ? parseSignedMessage(form) : form;
      const { message } = given;
      const [address, signature] = [given.address.trim(), given.signature.trim()];
      assertPublic(message);
      const outcome = verifyMessage({ message, address, signature, network: networkOf(address), ecc });
      return {
        kind: outcome.kind,
        address,
        message,
        reason: messageOutcomeText(outcome, PROOF).slice(outcome.kind.length),
      };
    },
    signed: () => signed ?? refuse('No message is signed'),
    forget: () => {
      [prepared, signed] = [undefined, undefined];
    },
  };
}

const LEGACY_TYPES: ReadonlySet<string> = new Set(['pubkeyhash', 'witness_v0_keyhash', 'scripthash']);

const adviceFor = (notFound: NotFound): string =>
  notFound.kind === 'path'
    ? notFound.reason
    : `${notFound.searched} ${notFound.wallets}: it may not be yours. If it is, paste a request that names its path, such as ${notFound.examplePath}`;

const NO_WALLET =
  'The address is of no wallet that is open here: it may not be yours. If it is that of a wallet that you share, open the file or descriptors of that wallet, too';

/** @throws `page/refused` if the address is found, but the keys at hand do not suffice for it */
function unlessTooFew({ isFound }: MessageSigner, sign: () => string): string {
  try {
    return sign();
  } catch (error) {
    if (!isFound || !isBtcError(error, 'message/incomplete')) throw error;
    return refuse(
      'The keys that are open here do not suffice to sign for this address: a shared wallet needs as many of its keys as spend from it, open at the same time. Add them, too.',
    );
  }
}

/** Who pastes seed words as the message would sign and show them. */
function assertPublic(message: string): void {
  const opened = open(message);
  if (opened.kind === 'secret') refuse(`The message is not for others to read: it is ${openedText(opened)}`);
}
