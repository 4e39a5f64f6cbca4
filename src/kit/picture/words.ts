import type { OptionNames } from '../../core/bytes/knownOptions.ts';

/** The words of a picture, all of them: another table draws it in another language. */
export interface PictureWords {
  /** Of the picture, for screen readers. */
  readonly title: string;
  /** Above the coins. */
  readonly coins: (count: number) => string;
  /** Above the outputs. */
  readonly outputs: (count: number) => string;
  /** Above all, if the policy refuses what `count` checks find. */
  readonly verdict: (count: number) => string;
  /** A coin of the signer. */
  readonly coin: string;
  /** An output of the signer that is not change. */
  readonly yours: string;
  readonly change: string;
  /** What only a wallet file makes the signer's: no key at hand. */
  readonly notProven: string;
  readonly notRegistered: string;
  /** A coin that no key and no wallet at hand has. */
  readonly foreign: string;
  readonly payment: string;
  /** An output of the signer that a review counts as paid. */
  readonly countedAsPaid: string;
  /** An output that others can change while a signature stays valid. */
  readonly open: string;
  /** An output that pays nobody. */
  readonly data: string;
  readonly anchor: string;
  readonly fee: string;
  readonly unknownAmount: string;
  readonly refused: string;
  /** An output that claims a key of the signer, and pays somebody else. */
  readonly notYours: string;
  /** Coins or outputs that are summed up. */
  readonly more: (count: number) => string;
  /** Before a script without an address. */
  readonly script: string;
  /** Of what is not a payment. */
  readonly message: string;
  readonly proof: string;
  readonly movesNothing: string;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const WORDS: PictureWords = {
  title: 'Where the money goes',
  coins: (count) => counted(count, 'coin'),
  outputs: (count) => counted(count, 'output'),
  verdict: (count) => `Refused: ${counted(count, 'reason')} not to sign`,
  coin: 'your coin',
  yours: 'yours',
  change: 'your change',
  notProven: 'not proven',
  notRegistered: 'not registered',
  foreign: 'not known to be yours',
  payment: 'payment',
  countedAsPaid: 'counted as paid',
  open: 'others can change it',
  data: 'data',
  anchor: 'anchor',
  fee: 'fee',
  unknownAmount: 'unknown amount',
  refused: 'REFUSED',
  notYours: 'not your change',
  more: (count) => `${count} more`,
  script: 'script',
  message: 'Signs a message',
  proof: 'Proves reserves',
  movesNothing: 'Moves nothing',
};

export const WORD_NAMES = {
  title: 'needed',
  coins: 'needed',
  outputs: 'needed',
  verdict: 'needed',
  coin: 'needed',
  yours: 'needed',
  change: 'needed',
  notProven: 'needed',
  notRegistered: 'needed',
  foreign: 'needed',
  payment: 'needed',
  countedAsPaid: 'needed',
  open: 'needed',
  data: 'needed',
  anchor: 'needed',
  fee: 'needed',
  unknownAmount: 'needed',
  refused: 'needed',
  notYours: 'needed',
  more: 'needed',
  script: 'needed',
  message: 'needed',
  proof: 'needed',
  movesNothing: 'needed',
} satisfies OptionNames<PictureWords>;
