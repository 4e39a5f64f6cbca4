import type { JSX } from 'preact';
import { texts } from '../texts.ts';
import { useAnswer } from './page.ts';
import { Card, CopyButton, Grouped, Title } from './parts.tsx';

export function AboutView(): JSX.Element {
  const { version, licenses } = window.pageFile;
  return (
    <>
      <Title>{texts.about.title}</Title>
      <p class="lead">
        {texts.about.what} {texts.about.version(version)}.
      </p>
      <OwnHash />
      <Card title={texts.about.safetyTitle}>
        <ul>
          {texts.about.safety.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Card>
      <details class="card">
        <summary>{texts.about.licenses}</summary>
        <textarea class="licenses" aria-label={texts.about.licenses} rows={20} readOnly value={licenses} />
      </details>
    </>
  );
}

function OwnHash(): JSX.Element {
  const hash = useAnswer((call) => call('sha256', [new TextEncoder().encode(window.pageFile.text)]), []);
  return (
    <Card title={texts.about.hashTitle}>
      <p>{texts.about.hashLabel}</p>
      <p class="with-action" role="status">
        {hash === undefined ? texts.about.computing : <Grouped text={hash} />}
        {hash !== undefined && <CopyButton text={hash} name={texts.about.hashLabel} />}
      </p>
      <p>{texts.about.hashHelp}</p>
      <dl class="facts">
        {texts.about.hashSystems.map((system, i) => (
          <div key={system}>
            <dt>{system}</dt>
            <dd>
              <code>{texts.about.hashCommands[i]}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p class="help">{texts.about.hashNote}</p>
    </Card>
  );
}
