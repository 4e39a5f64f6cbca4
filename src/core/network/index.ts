export { formatAmount } from '../encoding/amount.ts';
export {
  type Network,
  type NetworkAlias,
  type NetworkName,
  type NetworkOption,
  networks,
  resolveNetwork,
} from './networks.ts';
