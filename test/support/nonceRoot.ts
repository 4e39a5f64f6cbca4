import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isWithoutHistory } from '../../src/shell/store/nonceDirectory.ts';

/** Where nonces may be kept, which a container's `/tmp` may refuse; `undefined` where no file system is fit for them. */
export const NONCE_ROOT: string | undefined = [tmpdir(), '/dev/shm'].find(
  (path) => existsSync(path) && isWithoutHistory(path),
);

/** Ends the titles of tests that are skipped without it. */
export const nonceTitle: string = NONCE_ROOT === undefined ? ' (skipped: no ext4, xfs or tmpfs)' : '';
