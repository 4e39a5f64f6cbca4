import { type DomainName, parseDomainName } from '../../core/dnssec/domainName.ts';
import { BITCOIN_SIGN, plainName } from '../../core/review/paymentName.ts';

/** A payment name, and the domain name of its record. @see BIP353 "Records" */
interface PaymentName {
  /** Without ₿, in lower case, since a domain name has no case. */
  readonly name: string;
  readonly domainName: DomainName;
  /** True if a part is written as punycode, for letters beyond ASCII. @see RFC 5891 */
  readonly isPunycode: boolean;
}

const MARK = '_bitcoin-payment';

/**
 * Parses `alice@example.com`. Either half may have several labels, of any printable ASCII; if one of them were the mark that stands
 * between the halves, two names would have the same record.
 */
export function parsePaymentName(text: string): PaymentName | undefined {
  const [user, domain, ...others] = text.split('@');
  if (!user || !domain || others.length > 0 || text.includes('\\') || text.startsWith(BITCOIN_SIGN)) return undefined;
  const domainName = parseDomainName(`${user}.user.${MARK}.${domain}`);
  if (!domainName || domainName.filter((label) => label === MARK).length > 1 || domainName[0] === '*') return undefined;
  return { name: plainName(text), domainName, isPunycode: domainName.some((label) => label.startsWith('xn--')) };
}
