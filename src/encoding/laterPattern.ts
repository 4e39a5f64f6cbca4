/**
 * Makes a pattern when it is first used. V8 looks up the Unicode classes (`\p{L}`) of a literal while it reads the file: those
 * of this folder took 2 ms of a command's start.
 */
export function laterPattern(source: string, flags = 'u'): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source, flags);
    return pattern;
  };
}
