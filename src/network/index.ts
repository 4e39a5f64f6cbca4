export { formatAmount } from './amount.ts';
export {
  type Network,
  type NetworkName,
  networks,
  resolveNetwork,
} from './networks.ts';
