import { TestRunner } from 'vitest';

/** Vitest's runner, which `campaign.ts` needs to collect tests. */
export default class MutationRunner extends TestRunner {
  constructor(config: TestRunner['config']) {
    super(config);
    Object.assign(globalThis, { mutationRunner: this });
  }
}
