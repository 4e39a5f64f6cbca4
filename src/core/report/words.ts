import type { Role } from '../holder/role.ts';
import type { Network } from '../network/networks.ts';
import type { FindingData, PolicyCheck } from '../review/finding.ts';
import type { LabelledRole, LineData, QuestionData } from './lines.ts';

/** Where a finding is, and how amounts are written. */
export interface FindingPlace {
  readonly network: Network;
  readonly inputIndex?: number;
  readonly outputIndex?: number;
  /** Formats satoshi without the ticker of the coin. */
  readonly coins: (sats: bigint) => string;
  /** Formats satoshi with the ticker of the coin: `0.01000000 BTC`. */
  readonly money: (sats: bigint) => string;
}

/** The words of a check. */
export interface CheckWords<Check extends PolicyCheck> {
  /** A heading. */
  readonly title: string;
  /** Says what was found, in a sentence or two. */
  readonly what: (data: FindingData[Check], place: FindingPlace) => string;
  /** What may happen to whoever signs nevertheless. */
  readonly risk: string;
  /** What to do instead of signing. */
  readonly remedy: string;
  /** The option, command or method of countersign that helps, where there is a command line. */
  readonly tool?: string;
}

/** The words of a report in one language: a function for each key, which takes the data of its lines. */
export interface ReportWords {
  readonly checks: { readonly [Check in PolicyCheck]: CheckWords<Check> };
  readonly lines: { readonly [Key in keyof LineData]: (data: LineData[Key], place: FindingPlace) => string };
  /** Stand before lines, in at most eight letters. */
  readonly labels: Readonly<Record<LabelledRole, string>>;
  /** Head the outputs of each kind. */
  readonly kinds: Readonly<Record<Role, string>>;
  /** Begins a finding, before its sentence. */
  readonly refused: string;
  readonly warning: string;
  /** Says where else a check found the same: `also inputs 1 to 3`. */
  readonly also: (places: {
    readonly inputs: readonly number[];
    readonly outputs: readonly number[];
    readonly count: number;
  }) => string;
  /** What is asked before signing. */
  readonly question: (data: QuestionData, place: FindingPlace) => string;
}
