// A custom element that shows what a PSBT does, in any page: <psbt-review network="regtest" psbt="cHNidP..."></psbt-review>.
// Bundle it with any bundler: esbuild examples/browser/psbtReview.ts --bundle --format=esm.
import {
  BtcError,
  createHolder,
  formatReview,
  type NetworkName,
  networks,
  nobleEcc,
  parseDescriptor,
  parsePsbt,
  reviewPsbt,
} from 'countersign';

class PsbtReview extends HTMLElement {
  static readonly observedAttributes = ['psbt', 'network', 'descriptors'];

  connectedCallback(): void {
    this.show();
  }

  attributeChangedCallback(): void {
    this.show();
  }

  /** Shows the review, or why there is none. All of it is text: nothing in a PSBT can become markup. */
  private show(): void {
    const pre = document.createElement('pre');
    try {
      pre.textContent = this.review();
    } catch (error) {
      pre.textContent = error instanceof BtcError ? error.message : 'The PSBT cannot be read';
      pre.setAttribute('role', 'alert');
    }
    this.replaceChildren(pre);
  }

  /**
   * Reviews the PSBT with the descriptors of the attribute, one per line. No private key is at hand, so that they are taken for the
   * user's because the page lists them. @throws BtcError if it cannot be read
   */
  private review(): string {
    const network = networks[(this.getAttribute('network') ?? 'main') as NetworkName] ?? networks.main;
    const lines = (this.getAttribute('descriptors') ?? '').split('\n').filter((line) => line.trim() !== '');
    const wallets = lines.map((line) => ({ descriptor: parseDescriptor(line.trim(), network) }));
    const holder = createHolder({ network, ecc: nobleEcc, wallets });
    return formatReview(reviewPsbt(parsePsbt(this.getAttribute('psbt') ?? ''), { holder }));
  }
}

customElements.define('psbt-review', PsbtReview);
