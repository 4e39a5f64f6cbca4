import { readFileSync } from 'node:fs';

/** How the comment of a file begins. */
const markOf = (name) => `/* ${name}, in base64`;

/**
 * Returns files of packages as comments for the end of the single-file program: Node skips a comment faster than a text,
 * and most commands never read them. They are in lines, since editors cope badly with one of a million characters.
 *
 * - `paths`: below node_modules
 */
export const trailingComments = (root, paths) =>
  paths
    .map((path) => {
      const base64 = readFileSync(`${root}node_modules/${path}`).toString('base64');
      return `${markOf(path)}\n${base64.match(/.{1,4000}/g).join('\n')}\n*/\n`;
    })
    .join('');

/**
 * Returns the code of a function that reads such a file, as a Buffer.
 *
 * - `readProgram`: the code that returns the text of the program
 */
export const trailingFileReader = (path, readProgram) => `() => {
  const program = ${readProgram};
  const start = program.lastIndexOf(${JSON.stringify(markOf(path))}) + ${markOf(path).length};
  return Buffer.from(program.slice(start, program.indexOf('*/', start)), 'base64');
}`;
