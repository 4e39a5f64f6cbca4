import { type ByGeneration, byGeneration, type GenerationName } from '../../core/generations.ts';

type WarnedOption =
  | 'mintxfee'
  | 'maxapsfee'
  | 'fallbackfee'
  | 'discardfee'
  | 'paytxfee'
  | 'maxtxfee'
  | 'minrelaytxfee'
  | 'walletrbf';

interface WarningRules {
  /** Says that an option is on its way out. */
  readonly deprecated: Readonly<Partial<Record<WarnedOption, string>>>;
}

const warningRules: ByGeneration<WarningRules> = byGeneration<WarningRules>({
  'core-0.21': { deprecated: {} },
  'core-30': { deprecated: { paytxfee: '-paytxfee is deprecated and will be fully removed in v31.0.' } },
  'core-31': { deprecated: {} },
  'core-32': {
    deprecated: { walletrbf: '-walletrbf is deprecated and will be fully removed in the next release.' },
  },
});

/** In satoshi, or satoshi per 1000 virtual bytes. @see Bitcoin Core `HIGH_TX_FEE_PER_KB` */
const HIGH_RATE = 1_000_000;
const HIGH_APS_FEE = 10_000;
const HIGH_MAX_FEE = 100 * HIGH_RATE;

/** In Core's order: above what an amount is very high, and what it does. */
const WARNED: readonly (readonly [name: WarnedOption, high?: number, about?: string])[] = [
  ['mintxfee', HIGH_RATE, 'This is the minimum transaction fee you pay on every transaction.'],
  [
    'maxapsfee',
    HIGH_APS_FEE,
    'This is the maximum transaction fee you pay (in addition to the normal fee) to prioritize partial spend avoidance over regular coin selection.',
  ],
  ['fallbackfee', HIGH_RATE, 'This is the transaction fee you may pay when fee estimates are not available.'],
  ['discardfee', HIGH_RATE, 'This is the transaction fee you may discard if change is smaller than dust at this level'],
  ['paytxfee', HIGH_RATE, 'This is the transaction fee you will pay if you send a transaction.'],
  ['maxtxfee', HIGH_MAX_FEE, 'Fees this large could be paid on a single transaction.'],
  ['minrelaytxfee', HIGH_RATE, 'The wallet will avoid paying less than the minimum relay fee.'],
  ['walletrbf'],
];

type WarnedOptions = { readonly [K in WarnedOption]?: number | boolean | undefined };

/** Lists what a node says of its options when it loads a wallet. @see Bitcoin Core `CWallet::LoadWalletArgs` */
export function walletWarnings(options: WarnedOptions, generation: GenerationName): readonly string[] {
  const { deprecated } = warningRules[generation];
  return WARNED.flatMap(([name, high, about]) => {
    const value = options[name];
    if (value === undefined) return [];
    const outdated = deprecated[name];
    return [
      ...(outdated === undefined ? [] : [outdated]),
      ...(high !== undefined && Number(value) > high ? [`-${name} is set very high! ${about}`] : []),
    ];
  });
}
