/** Milliseconds of work that a thread gets at a time; between two groups, it waits. */
const GROUP_TIME = 50;
/** In lines. */
const FIRST_GROUP = 8;
const LARGEST_GROUP = 1000;
/** Weight of the newest time in the average. */
const NEWEST = 0.2;

/** Decides how many lines a thread gets at a time: few if they take long, so that threads finish together. */
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
