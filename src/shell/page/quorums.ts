import { decodeUtf8WithoutMark } from '../../core/bytes/utf8.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { isExtended } from '../../core/holder/heldKey.ts';
import { keyParts } from '../../core/keys/writtenKeys.ts';
import type { Network } from '../../core/network/networks.ts';
import { resolveNetwork } from '../../core/network/networks.ts';
import { chooseQuorum } from '../../kit/account/chooseQuorum.ts';
import { signerKeysOf } from '../../kit/account/publicKeys.ts';
import { parseWalletFile } from '../../kit/account/walletFiles/parseWalletFile.ts';
import { open } from '../../kit/open/open.ts';
import { openedText } from '../../kit/open/openedText.ts';
import type { Wallets } from './pageWallets.ts';
import type { QuorumForm, SignerView, WalletView } from './protocol.ts';
import { refuse } from './refusals.ts';

/** Makes multisig wallets from the keys of their signers. */
export interface Quorums {
  readonly read: (content: string | Uint8Array, name: string) => SignerView;
  /** The keys that the master keys at hand give to multisigs with others. */
  readonly own: (network: Network) => readonly SignerView[];
  readonly make: (form: QuorumForm) => WalletView;
}

/** Tells whether a content is an extended public key alone. */
function isBareKey(content: string | Uint8Array): boolean {
  const text = (typeof content === 'string' ? content : (decodeUtf8WithoutMark(content) ?? '')).trim();
  return /^[a-z]pub/i.test(text) && keyParts(text)?.extended === text;
}

const NO_ORIGIN =
  'is a key without its origin, by which a signer finds it again: paste both, as in [fingerprint/48h/0h/0h/2h]xpub…. The wallet of the signer exports them together, as its key for a multisig';

export function createQuorums(wallets: Wallets, ecc: Ecc, current: () => Network): Quorums {
  return {
    read: (content, fileName) => {
      const name = shownPath(fileName);
      const opened = open(content, { network: current() });
      const keys = 'file' in opened && opened.kind !== 'secret' ? opened.file.signers : [];
      if (keys.length === 0 && isBareKey(content)) refuse(`${name} ${NO_ORIGIN}`);
      if (opened.kind === 'refused') throw opened.error;
      if (keys.length === 0) {
        refuse(`${name} has no key for a multisig: it is ${openedText(opened) ?? 'of no known form'}`);
      }
      return { name, keys, isOwn: false };
    },
    own: (network) =>
      wallets.list().flatMap(({ file, parts, view }) =>
        file || parts.network.name !== network.name
          ? []
          : (parts.keys ?? []).filter(isExtended).map(({ key }) => ({
              name: view.name,
              keys: signerKeysOf(key, { network, ecc }),
              isOwn: true,
            })),
      ),
    make: ({ required, signers, script, network: name }) => {
      const network = resolveNetwork(name);
      const given = signers.map((signer) => ({ name: shownPath(signer.name), signers: signer.keys }));
      const descriptor = chooseQuorum(required, given, script);
      const file = parseWalletFile(descriptor, { network, ecc });
      return wallets.addFile(file, `${required} of ${signers.length}`);
    },
  };
}
