import { type Network, resolveNetwork } from '../network/networks.ts';

/**
 * Parses a custom network from JSON: the fields of `Network`, with `maxMoney` as a whole number of the smallest unit,
 * in quotes if it is above 2^53. `scriptHashAccepted` and `mweb` are optional.
 * @throws BtcError `network/invalid`; SyntaxError for invalid JSON
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
