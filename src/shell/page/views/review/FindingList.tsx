import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ReportLineJson } from '../../../../core/report/reviewJson.ts';
import type { PolicyCheck } from '../../../../core/review/finding.ts';
import { texts } from '../../texts.ts';
import { Badge, Card, useShortened } from '../parts.tsx';
import { type CheckFindings, findingsOf } from './reportLines.ts';

interface FindingListProps {
  readonly report: readonly ReportLineJson[];
  readonly accepted: ReadonlySet<PolicyCheck>;
  readonly onToggle: (check: PolicyCheck) => void;
}

/** Shows each check once, the worst first. */
export function FindingList({ report, accepted, onToggle }: FindingListProps): JSX.Element | null {
  const groups = findingsOf(report);
  if (groups.length === 0) return null;
  return (
    <Card title={texts.review.findings}>
      {groups.map((group) => {
        const check = group.first.key as PolicyCheck;
        return (
          <FindingItem key={check} group={group} isAccepted={accepted.has(check)} onToggle={() => onToggle(check)} />
        );
      })}
    </Card>
  );
}

interface FindingItemProps {
  readonly group: CheckFindings;
  readonly isAccepted: boolean;
  readonly onToggle: () => void;
}

const FOUND_SHOWN = 3;

function FindingItem({ group, isAccepted, onToggle }: FindingItemProps): JSX.Element {
  const { title = '', risk = '', remedy, tone } = group.first;
  const [shownTexts, more] = useShortened(group.texts, FOUND_SHOWN);
  const id = useId();
  const isRefusal = tone === 'stop';
  return (
    <article class={`finding ${isRefusal ? 'bad' : 'warn'}`} aria-labelledby={id}>
      <h3 id={id}>
        <Badge tone={isRefusal ? 'bad' : 'warn'}>{isRefusal ? texts.review.refuse : texts.review.warn}</Badge> {title}
      </h3>
      <ul class="found">
        {shownTexts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {more}
      {!isRefusal && (
        <p>
          <strong>{texts.review.risk}</strong> {risk}
        </p>
      )}
      <p>
        <strong>{texts.review.remedy}</strong> {remedy} {texts.review.remedyHere[group.first.key as PolicyCheck]}
      </p>
      {isRefusal && (
        <label class="check">
          <input type="checkbox" checked={isAccepted} onChange={onToggle} />
          <span>
            <strong>{texts.review.override(title)}</strong>
            <span class="check-risk">{texts.review.overrideRisk(risk)}</span>
          </span>
        </label>
      )}
    </article>
  );
}
