import { type Network, resolveNetwork } from '../network/networks.ts';

/**
 * Reads a network of one's own from JSON: the members of `Network`, with `maxMoney` as a whole number of the smallest
 * unit, in quotes if it is above 2^53. `scriptHashAccepted` and `mweb` may be left out.
 * @throws BtcError `network/invalid`; SyntaxError for what is no JSON
 */
export function parseNetworkFile(text: string): Network {
  const given: unknown = JSON.parse(text);
  const members: Record<string, unknown> = typeof given === 'object' && given !== null ? { ...given } : {};
  const { maxMoney } = members;
  const isWhole = typeof maxMoney === 'string' ? /^[0-9]+$/.test(maxMoney) : Number.isSafeInteger(maxMoney);
  const network = {
    scriptHashAccepted: [],
    mweb: false,
    ...members,
    maxMoney: isWhole ? BigInt(String(maxMoney)) : maxMoney,
  };
  return resolveNetwork(network as unknown as Network);
}
