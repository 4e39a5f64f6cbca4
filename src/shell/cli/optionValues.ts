import { dialects } from '../../answers/dialect/dialect.ts';
import { networkAliases, networks } from '../../core/network/networks.ts';
import { ARITHMETICS } from './arithmetics.ts';
import { ENCODINGS } from './output/destination.ts';

/** The values of options that have few, by the name of the option. Aliases of dialects are left out. */
export const OPTION_VALUES: Readonly<Record<'network' | 'dialect' | 'arithmetic' | 'format', readonly string[]>> = {
  network: [...Object.keys(networks), ...Object.keys(networkAliases)],
  dialect: Object.keys(dialects),
  arithmetic: ARITHMETICS,
  format: ENCODINGS,
};
