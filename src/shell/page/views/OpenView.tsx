import type { JSX } from 'preact';
import { texts } from '../texts.ts';
import { GoButton } from './GoButton.tsx';
import { Opener } from './Opener.tsx';
import { usePage } from './page.ts';
import { Card, Title } from './parts.tsx';

export function OpenView(): JSX.Element {
  const { state, client, refresh, run } = usePage();
  const { document } = state;
  const close = (): Promise<void> =>
    run(async () => {
      await client.call('closeDocument', []);
      await refresh();
    });
  return (
    <>
      <Title>{texts.open.title}</Title>
      <p class="lead">{texts.open.intro}</p>
      {document && (
        <Card title={texts.open.current} tone="good">
          <p>
            {document.name} <code class="break">{document.txid}</code>
          </p>
          <p>{texts.open.currentIntro}</p>
          <div class="row">
            <GoButton to="review">{texts.open.toReview}</GoButton>
            <button type="button" onClick={close}>
              {texts.open.closeDocument}
            </button>
          </div>
        </Card>
      )}
      <section class="card" aria-label={texts.open.title}>
        <Opener />
      </section>
      <p class="help">{texts.open.privacy}</p>
    </>
  );
}
