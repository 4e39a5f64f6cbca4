/** A command line that makes no sense: its text goes to the person at the terminal, and the exit code is 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
