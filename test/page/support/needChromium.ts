import { existsSync } from 'node:fs';
import { beforeEach } from 'vitest';
import { CHROMIUM } from './chromium.ts';

// Without a browser, tests are skipped and say so.
beforeEach(({ skip }) => skip(!existsSync(CHROMIUM), `${CHROMIUM} is missing: install Debian's package chromium`));
