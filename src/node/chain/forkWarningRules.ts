import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** How a release warns of an invalid branch with much work. */
export interface ForkWarningRules {
  readonly forkWarning: string;
  readonly warnsWhileCatchingUp: boolean;
  /** Runs `-alertnotify` when the warning begins. */
  readonly alertsOfForks: boolean;
}

export const forkWarningRules: ByGeneration<ForkWarningRules> = byGeneration<ForkWarningRules>({
  'core-0.21': {
    forkWarning:
      'Warning: We do not appear to fully agree with our peers! You may need to upgrade, or other nodes may need to upgrade.',
    warnsWhileCatchingUp: false,
    alertsOfForks: false,
  },
  'core-29': { alertsOfForks: true },
  'core-31': {
    forkWarning:
      'Warning: Found invalid chain more than 6 blocks longer than our best chain. This could be due to database corruption or consensus incompatibility with peers.',
    warnsWhileCatchingUp: true,
  },
});
