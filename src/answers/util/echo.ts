import { method } from '../method/method.ts';
import { json, of, optional } from '../method/parameters.ts';

/** @see Bitcoin Core `echo` */
export const echo = method({
  name: 'echo',
  about: 'Answers whether it was given an argument.',
  params: [optional(json('arg0', of<unknown>(), { shownType: 'any' }, 'anything'))],
  examples: ['echo 1'],
  run: ({ arg0 }): boolean => arg0 !== undefined,
});
