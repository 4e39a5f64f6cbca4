import type { JSX } from 'preact';
import type { ReportLineJson } from '../../../../core/report/reviewJson.ts';
import { texts } from '../../texts.ts';
import { Badge } from '../parts.tsx';
import { findingsOf } from './reportLines.ts';

const TITLES_SHOWN = 4;

/** Shows before all else what refuses or warns, by its title: the smallest phone has it on its first screen. */
export function Verdict({ report }: { readonly report: readonly ReportLineJson[] }): JSX.Element {
  const groups = findingsOf(report);
  const refusals = groups.filter(({ first }) => first.tone === 'stop').length;
  const warnings = groups.length - refusals;
  const verdicts = report.filter(({ role }) => role === 'verdict');
  const tone = refusals > 0 ? 'bad' : verdicts.some((verdict) => verdict.tone === 'good') ? 'good' : 'warn';
  return (
    <section class={`card verdict ${tone}`} aria-label={texts.review.verdict} role="status">
      {groups.length > 0 && (
        <p class="badges">
          {refusals > 0 && <Badge tone="bad">{texts.review.refused(refusals)}</Badge>}
          {warnings > 0 && <Badge tone="warn">{texts.review.warned(warnings)}</Badge>}
        </p>
      )}
      <ul class="plain-list">
        {groups.slice(0, TITLES_SHOWN).map(({ first }) => (
          <li key={`${first.key} ${first.tone}`}>
            <strong>{first.tone === 'stop' ? texts.review.refuse : texts.review.warn}:</strong> {first.title}
          </li>
        ))}
        {groups.length > TITLES_SHOWN && <li>{texts.review.moreFindings(groups.length - TITLES_SHOWN)}</li>}
      </ul>
      {verdicts.map(({ key, text }) => (
        <p key={key}>
          <strong>{text}</strong> {texts.review.noFindingsHelp}
        </p>
      ))}
    </section>
  );
}
