import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { NetworkName } from '../../../core/network/networks.ts';
import { isPicture } from '../browser/pictures.ts';
import type { SignerView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { GoButton } from './GoButton.tsx';
import { FileButton } from './Opener.tsx';
import { useAnswer, usePage, useTask } from './page.ts';
import { Badge, Card, TextArea } from './parts.tsx';

interface SignersProps {
  readonly signers: readonly SignerView[];
  readonly network: NetworkName;
  readonly onChange: (signers: readonly SignerView[]) => void;
}

/** Collects the keys of the signers of a multisig wallet. */
export function SignersCard({ signers, network, onChange }: SignersProps): JSX.Element {
  const { state, client, openFiles } = usePage();
  const [, run] = useTask();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const own = useAnswer((call) => call('ownSigners', [network]), [network, state.wallets]) ?? [];
  const others = own.filter(({ name }) => !signers.some((signer) => signer.isOwn && signer.name === name));
  const add = (...more: readonly SignerView[]): void => onChange([...signers, ...more]);
  const addText = (event: Event): Promise<void> => {
    event.preventDefault();
    return run(async () => {
      add(await client.call('readSigner', [text, texts.quorum.pasted(signers.length + 1)]));
      setText('');
      area.current?.focus();
    });
  };
  const addFiles = (files: readonly File[]): Promise<void> =>
    run(async () => {
      const read: SignerView[] = [];
      for (const file of files.filter((each) => !isPicture(each))) {
        const content = new Uint8Array(await file.arrayBuffer());
        read.push(await client.call('readSigner', [content, file.name]));
      }
      add(...read);
      await openFiles(files.filter(isPicture));
    });
  return (
    <Card title={texts.quorum.signers(signers.length)}>
      <ol class="signer-list">
        {signers.map((signer, i) => (
          <li key={i} class="with-action">
            <SignerFacts signer={signer} number={i + 1} />
            <button
              type="button"
              class="quiet"
              aria-label={texts.quorum.remove(i + 1)}
              onClick={() => onChange(signers.filter((other) => other !== signer))}
            >
              {texts.quorum.removeShort}
            </button>
          </li>
        ))}
      </ol>
      <div class="row">
        {others.map((signer) => (
          <button key={signer.name} type="button" onClick={() => add(signer)}>
            {texts.quorum.addOwn(signer.name)}
          </button>
        ))}
        <FileButton label={texts.quorum.addFiles} onPick={addFiles} />
      </div>
      <form onSubmit={addText}>
        <TextArea
          label={texts.quorum.key}
          help={texts.quorum.keyHelp}
          area={area}
          rows={3}
          value={text}
          onChange={setText}
        />
        <button type="submit" disabled={text.trim() === ''}>
          {texts.quorum.addKey}
        </button>
      </form>
      {own.length === 0 && (
        <div class="row">
          <GoButton to="keys" isMain={false}>
            {texts.quorum.openOwn}
          </GoButton>
        </div>
      )}
    </Card>
  );
}

const SignerFacts = ({ signer, number }: { readonly signer: SignerView; readonly number: number }): JSX.Element => (
  <div class="signer">
    <p>
      {number}. {signer.name}{' '}
      <Badge tone={signer.isOwn ? 'good' : 'warn'}>{signer.isOwn ? texts.quorum.own : texts.quorum.compare}</Badge>
    </p>
    {signer.keys.map(({ text, script }) => (
      <p key={text}>
        {script && <span class="help">{texts.quorum.scripts[script]}: </span>}
        <code class="break">{text}</code>
      </p>
    ))}
  </div>
);
