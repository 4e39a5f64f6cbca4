import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MessageForm, PreparedMessageView, SignatureForm, SignedMessageView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { Exporter } from './Exporter.tsx';
import { GoButton } from './GoButton.tsx';
import { FileText, MessageFacts } from './messageParts.tsx';
import { usePage, useTask } from './page.ts';
import { AddressField, Answer, Card, CopyButton, Segments, TextArea, Title } from './parts.tsx';
import { VerifyCard } from './VerifyMessage.tsx';

export function MessagesView(): JSX.Element {
  const { wallets, message } = usePage().state;
  const canSign = wallets.some(({ hasPrivateKeys }) => hasPrivateKeys);
  return (
    <>
      <Title>{texts.messages.title}</Title>
      <p class="lead">{texts.messages.intro}</p>
      {!canSign && (
        <div class="notice info">
          <p>{texts.messages.needsKeys}</p>
          <GoButton to="keys" isMain={false}>
            {texts.keys.add}
          </GoButton>
        </div>
      )}
      <SignCard key={`request ${message?.request}`} request={message?.request} />
      <VerifyCard key={`block ${message?.block}`} block={message?.block} />
    </>
  );
}

type Way = 'parts' | 'whole';

const WAYS: readonly (readonly [Way, string])[] = [
  ['parts', texts.messages.ways.parts],
  ['whole', texts.messages.ways.request],
];

function SignCard({ request }: { readonly request: string | undefined }): JSX.Element {
  const { client } = usePage();
  const [, run] = useTask();
  const [way, setWay] = useState<Way>(request === undefined ? 'parts' : 'whole');
  const [address, setAddress] = useState('');
  const [message, setMessage] = useState('');
  const [whole, setWhole] = useState(request ?? '');
  const [prepared, setPrepared] = useState<PreparedMessageView>();
  const form: MessageForm = way === 'parts' ? { address, message } : { request: whole };
  // What is shown below must be what the fields say.
  useEffect(() => setPrepared(undefined), [way, address, message, whole]);
  const prepare = (event: Event): Promise<void> => {
    event.preventDefault();
    return run(async () => setPrepared(await client.call('prepareMessage', [form])));
  };
  const isEmpty = way === 'parts' ? address.trim() === '' : whole.trim() === '';
  return (
    <Card title={texts.messages.sign}>
      <form onSubmit={prepare}>
        <Segments label={texts.messages.way} value={way} options={WAYS} onChoose={setWay} />
        {way === 'parts' ? (
          <>
            <AddressField label={texts.messages.address} value={address} onChange={setAddress} />
            <TextArea label={texts.messages.message} rows={4} value={message} onChange={setMessage} />
          </>
        ) : (
          <FileText
            label={texts.messages.request}
            help={texts.messages.requestHelp}
            value={whole}
            onChange={setWhole}
          />
        )}
        <button type="submit" class={prepared ? undefined : 'main'} disabled={isEmpty}>
          {texts.messages.show}
        </button>
      </form>
      <Answer of={prepared}>
        {prepared && (
          <>
            <h3>{texts.messages.prepared}</h3>
            <MessageFacts address={prepared.address} message={prepared.message} />
          </>
        )}
      </Answer>
      {prepared && <Signing prepared={prepared} />}
    </Card>
  );
}

/** Signs what is shown above at the press of a button. */
function Signing({ prepared }: { readonly prepared: PreparedMessageView }): JSX.Element {
  const { forms, usual } = prepared;
  const { client } = usePage();
  const [, run] = useTask();
  const [form, setForm] = useState<SignatureForm>(usual);
  const [signed, setSigned] = useState<SignedMessageView>();
  const sign = (): Promise<void> => run(async () => setSigned(await client.call('signMessage', [form])));
  const choose = (chosen: SignatureForm): void => {
    setForm(chosen);
    setSigned(undefined);
  };
  return (
    <>
      {forms.length > 1 && (
        <>
          <Segments
            label={texts.messages.form}
            value={form}
            options={forms.map((each) => [each, texts.messages.forms[each]] as const)}
            onChoose={choose}
          />
          <p class="help">{texts.messages.formHelp}</p>
        </>
      )}
      <Answer of={signed} label={texts.messages.signature}>
        {signed && <Signed signed={signed} />}
      </Answer>
      {!signed && (
        <>
          <p>{texts.messages.risk}</p>
          <button type="button" class="main wide" onClick={sign}>
            {texts.messages.signButton}
          </button>
        </>
      )}
    </>
  );
}

const Signed = ({ signed: { signature } }: { readonly signed: SignedMessageView }): JSX.Element => (
  <>
    <h3>{texts.messages.signature}</h3>
    <p class="with-action">
      <code class="break">{signature}</code>
      <CopyButton text={signature} name={texts.messages.signature} />
    </p>
    <p>{texts.messages.signedHelp}</p>
    <Exporter key={signature} form={{ kind: 'message' }} version={signature} />
  </>
);
