import { parseAddress } from '../../core/address/address.ts';
import type { Network, NetworkName } from '../../core/network/networks.ts';
import { classifyScript } from '../../core/script/template.ts';
import { isSilentPaymentText } from '../../core/silentPayments/address.ts';
import { open } from '../../kit/open/open.ts';
import { openedText } from '../../kit/open/openedText.ts';
import type { IdentifiedView } from './protocol.ts';
import { sentence } from './refusals.ts';

/** Says what a text or a file is, and keeps nothing of it. */
export function identify(content: string | Uint8Array, network: Network): IdentifiedView {
  const opened = open(content, { network });
  switch (opened.kind) {
    case 'psbt':
    case 'transaction':
      return { kind: 'document' };
    case 'address': {
      const { address, networks } = opened;
      const [first = network] = networks;
      const type = isSilentPaymentText(address) ? 'silent-payment' : classifyScript(parseAddress(address, first)).type;
      return { kind: 'address', address, type, networks: networks.map(({ name }) => name as NetworkName) };
    }
    case 'refused':
      return { kind: 'unknown', text: sentence(opened.error.message) };
    default: {
      const what = openedText(opened);
      const isKnown = opened.kind !== 'unknown' && opened.kind !== 'hex';
      return { kind: isKnown ? 'other' : 'unknown', text: what === undefined ? NOTHING : `This is ${what}.` };
    }
  }
}

const NOTHING = 'This is nothing that the page knows: copy all of it, or it is mistyped.';
