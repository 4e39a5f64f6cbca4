export { formatAddress, parseAddress } from './address.ts';
