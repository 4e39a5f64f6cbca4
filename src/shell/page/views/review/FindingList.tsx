import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Finding, PolicyCheck } from '../../../../core/review/policy.ts';
import { checkTexts, texts } from '../../texts.ts';
import { Badge, Card, useShortened } from '../parts.tsx';

interface FindingListProps {
  /** True if coins are the user's only because their wallet is listed. */
  readonly isListed: boolean;
  readonly findings: readonly Finding[];
  readonly accepted: ReadonlySet<PolicyCheck>;
  readonly onToggle: (check: PolicyCheck) => void;
}

/** Shows each check once, refusals first. */
export function FindingList({ findings, isListed, accepted, onToggle }: FindingListProps): JSX.Element {
  const groups = groupFindings(findings);
  const refusals = groups.filter(({ action }) => action === 'refuse').length;
  const warnings = groups.length - refusals;
  const aside = (
    <span class="badges" role="status">
      {refusals > 0 && <Badge tone="bad">{texts.review.refused(refusals)}</Badge>}
      {warnings > 0 && <Badge tone="warn">{texts.review.warned(warnings)}</Badge>}
      {groups.length === 0 && (
        <Badge tone={isListed ? 'warn' : 'good'}>
          {isListed ? texts.review.noFindingsListed : texts.review.noFindings}
        </Badge>
      )}
    </span>
  );
  return (
    <Card title={texts.review.findings} aside={aside}>
      {groups.length === 0 && <p class="help">{texts.review.noFindingsHelp}</p>}
      {groups.map((group) => (
        <FindingItem
          key={group.check}
          group={group}
          isAccepted={accepted.has(group.check)}
          onToggle={() => onToggle(group.check)}
        />
      ))}
    </Card>
  );
}

interface Group {
  readonly check: PolicyCheck;
  readonly action: Finding['action'];
  readonly messages: readonly string[];
}

function groupFindings(findings: readonly Finding[]): readonly Group[] {
  const groups = new Map<PolicyCheck, Group>();
  for (const { check, action, text } of findings) {
    groups.set(check, { check, action, messages: [...(groups.get(check)?.messages ?? []), text] });
  }
  return [...groups.values()].sort((a, b) => Number(b.action === 'refuse') - Number(a.action === 'refuse'));
}

interface FindingItemProps {
  readonly group: Group;
  readonly isAccepted: boolean;
  readonly onToggle: () => void;
}

const FOUND_SHOWN = 3;

function FindingItem({ group: { check, action, messages }, isAccepted, onToggle }: FindingItemProps): JSX.Element {
  const { title, meaning, risk = messages.slice(0, FOUND_SHOWN).join(' ') } = checkTexts[check];
  const [shownMessages, more] = useShortened(messages, FOUND_SHOWN);
  const id = useId();
  const isRefusal = action === 'refuse';
  return (
    <article class={`finding ${isRefusal ? 'bad' : 'warn'}`} aria-labelledby={id}>
      <h3 id={id}>
        <Badge tone={isRefusal ? 'bad' : 'warn'}>{isRefusal ? texts.review.refuse : texts.review.warn}</Badge> {title}
      </h3>
      <p>{meaning}</p>
      {!isRefusal && checkTexts[check].risk !== undefined && (
        <p>
          <strong>{texts.review.risk}</strong> {risk}
        </p>
      )}
      <ul class="found">
        {shownMessages.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {more}
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
