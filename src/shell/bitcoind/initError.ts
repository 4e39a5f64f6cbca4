/** A fault of the start, in the node's words: it is printed after `Error: `, logged, and the exit code is 1. */
export class InitError extends Error {
  override readonly name = 'InitError';
}
