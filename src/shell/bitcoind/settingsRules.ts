import { byGeneration } from '../../core/generations.ts';

interface SettingsRules {
  /** The warning of `-datacarrier` and `-datacarriersize`; empty for none. */
  readonly dataCarrierWarning: string;
  /** Says that settings.json is not valid JSON. */
  readonly invalidJson: (path: string) => string;
  /** What `getrpcinfo` shows for `-nodebuglogfile`: 0.21 takes its value for a path. */
  readonly noLogPath: '' | '0';
  /** The most megabytes of the mempool under `-blocksonly`, if it is smaller then. */
  readonly blocksOnlyMempool: number | undefined;
  /** Takes `unix:PATH` as an address of ZeroMQ, and refuses a wrong port of one. */
  readonly publishesAtPaths: boolean;
}

const RESET = 'and can be fixed by removing the file, which will reset settings to default values.';

export const settingsRules = byGeneration<SettingsRules>({
  'core-0.21': {
    invalidJson: (path) => `Unable to parse settings file ${path}`,
    dataCarrierWarning: '',
    noLogPath: '0',
    blocksOnlyMempool: undefined,
    publishesAtPaths: false,
  },
  'core-29': {
    noLogPath: '',
    blocksOnlyMempool: 5,
    publishesAtPaths: true,
    invalidJson: (path) =>
      `Settings file ${path} does not contain valid JSON. This is probably caused by disk corruption or a crash, ${RESET}`,
  },
  'core-30': {
    dataCarrierWarning:
      "Options '-datacarrier' or '-datacarriersize' are set but are marked as deprecated and are expected to be removed in a future version.",
  },
  'core-31': { dataCarrierWarning: '' },
  'core-32': {
    invalidJson: (path) =>
      `Settings file ${path} does not contain valid JSON. This may be caused by a crash, power loss, full disk, or storage error, ${RESET}`,
  },
});
