/** A thread gets lines for about this much work at a time, in milliseconds: between two groups, it waits. */
const GROUP_TIME = 50;
/** The first groups, and the largest, in lines. */
const FIRST_GROUP = 8;
const LARGEST_GROUP = 1000;
/** Weight of the newest time in the average. */
const NEWEST = 0.2;

/** Decides how many lines a thread gets at a time: fewer if they take long, so that none waits for the last group of another. */
export interface GroupLength {
  readonly lines: () => number;
  /** Notes the milliseconds that lines took. */
  readonly note: (lines: number, time: number) => void;
}

/** Learns the length of groups from the time that lines take. */
export function createGroupLength(): GroupLength {
  let timeOfLine = GROUP_TIME / FIRST_GROUP;
  return {
    lines: () => Math.max(1, Math.min(Math.round(GROUP_TIME / timeOfLine), LARGEST_GROUP)),
    note: (lines, time) => {
      timeOfLine += NEWEST * (time / lines - timeOfLine);
    },
  };
}
