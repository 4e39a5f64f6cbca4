const LONGEST_NAME = 60;

/** Makes a name one of a file on any system: without what a path gives a meaning to, or dots and dashes at its start. */
export const safeFileName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|(?<!-)-+$/g, '')
    .slice(0, LONGEST_NAME) || 'wallet';
