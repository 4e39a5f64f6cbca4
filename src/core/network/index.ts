export { formatAmount } from '../encoding/amount.ts';
export {
  type Network,
  type NetworkAlias,
  type NetworkName,
  networks,
  resolveNetwork,
} from './networks.ts';
