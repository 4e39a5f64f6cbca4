/** Milliseconds of work for a thread, which waits between two groups. */
const GROUP_TIME = 50;
/** In lines. */
const FIRST_GROUP = 8;
const LARGEST_GROUP = 1000;
/** Weight of the newest time in the average. */
const NEWEST = 0.2;

/** Gives threads few lines at a time if lines take long, so that they finish together. */
export interface GroupLength {
  readonly lines: () => number;
  readonly note: (lines: number, time: number) => void;
}

export function createGroupLength(): GroupLength {
  let timeOfLine = GROUP_TIME / FIRST_GROUP;
  return {
    lines: () => Math.max(1, Math.min(Math.round(GROUP_TIME / timeOfLine), LARGEST_GROUP)),
    note: (lines, time) => {
      timeOfLine += NEWEST * (time / lines - timeOfLine);
    },
  };
}
