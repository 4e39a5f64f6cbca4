/** An invalid command line, or a fault that the user can fix: the text is printed, and the exit code is 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
