const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the quota is used up',
  EEXIST: 'there is such a file',
  EIO: 'the disk fails',
  EISDIR: 'is a directory',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'what is above it is no directory',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

/**
 * What the system said, in words for a person; by the system's name (`EXDEV`) what has no words here.
 *
 * - `otherwise`: for an error that is not the system's
 */
export function systemReason(error: unknown, otherwise: string): string {
  return error instanceof Error && 'code' in error ? reasonOfCode(String(error.code)) : otherwise;
}

/** The same where something was to be written: what is missing then is not the file. */
export function writeReason(error: unknown, otherwise: string): string {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing ? 'no such directory' : systemReason(error, otherwise);
}

/** The same by the system's name. */
export const reasonOfCode = (code: string): string => REASONS[code] ?? code;
