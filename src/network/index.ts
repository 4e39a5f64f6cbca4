export { formatAmount } from '../encoding/amount.ts';
export {
  type Network,
  type NetworkName,
  networks,
  resolveNetwork,
} from './networks.ts';
