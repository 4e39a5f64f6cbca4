const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'file exists',
  EIO: 'I/O error',
  EISDIR: 'it is a directory',
  ENAMETOOLONG: 'file name too long',
  ENOENT: 'no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of the path is not a directory',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

/** Describes a system error in words, else by its name (`EXDEV`). */
export function systemReason(error: unknown, otherwise: string): string {
  return error instanceof Error && 'code' in error ? reasonOfCode(String(error.code)) : otherwise;
}

/** As in `systemReason`, but `ENOENT` means a missing directory. */
export function writeReason(error: unknown, otherwise: string): string {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing ? 'no such directory' : systemReason(error, otherwise);
}

export const reasonOfCode = (code: string): string => REASONS[code] ?? code;
