import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { visibleParts } from '../format.ts';
import type {
  MessageForm,
  MessageVerdictView,
  PreparedMessageView,
  SignatureForm,
  SignedMessageView,
} from '../protocol.ts';
import { texts } from '../texts.ts';
import { Exporter } from './Exporter.tsx';
import { GoButton } from './GoButton.tsx';
import { usePage, useTask } from './page.ts';
import { Card, CopyButton, Field, Grouped, Segments, TextArea, Title, VERBATIM } from './parts.tsx';

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

function SignCard({ request }: { readonly request: string | undefined }): JSX.Element {
  const { client } = usePage();
  const [isBusy, run] = useTask();
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
        <Segments
          label={texts.messages.way}
          value={way}
          options={[
            ['parts', texts.messages.ways.parts],
            ['whole', texts.messages.ways.request],
          ]}
          onChoose={setWay}
        />
        {way === 'parts' ? (
          <>
            <AddressField value={address} onChange={setAddress} />
            <TextArea label={texts.messages.message} rows={4} value={message} onChange={setMessage} />
          </>
        ) : (
          <TextArea
            label={texts.messages.request}
            help={texts.messages.requestHelp}
            rows={4}
            value={whole}
            onChange={setWhole}
          />
        )}
        <button type="submit" class={prepared ? undefined : 'main'} disabled={isBusy || isEmpty}>
          {texts.messages.show}
        </button>
      </form>
      <div role="status">
        {prepared && (
          <>
            <h3>{texts.messages.prepared}</h3>
            <MessageFacts address={prepared.address} message={prepared.message} />
          </>
        )}
      </div>
      {prepared && <Signing prepared={prepared} />}
    </Card>
  );
}

const AddressField = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element => (
  <Field label={texts.messages.address}>
    {({ id }) => (
      <input
        id={id}
        class="mono"
        value={value}
        {...VERBATIM}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </Field>
);

/** Signs what is shown above at the press of a button. */
function Signing({ prepared }: { readonly prepared: PreparedMessageView }): JSX.Element {
  const { forms, usual } = prepared;
  const { client } = usePage();
  const [isBusy, run] = useTask();
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
      {signed ? (
        <>
          <h3>{texts.messages.signature}</h3>
          <p class="with-action">
            <code class="break">{signed.signature}</code>
            <CopyButton text={signed.signature} name={texts.messages.signature} />
          </p>
          <p>{texts.messages.signedHelp}</p>
          <Exporter key={signed.signature} form={{ kind: 'message' }} version={signed.signature} />
        </>
      ) : (
        <>
          <p>{texts.messages.risk}</p>
          <button type="button" class="main wide" disabled={isBusy} onClick={sign}>
            {texts.messages.signButton}
          </button>
        </>
      )}
    </>
  );
}

/** Shows a text as it is, with a mark for each character that a screen leaves out or that reorders others. */
function MessageFacts({ address, message }: { readonly address: string; readonly message: string }): JSX.Element {
  const parts = visibleParts(message);
  return (
    <dl class="facts">
      <dt>{texts.messages.address}</dt>
      <dd>
        <Grouped text={address} />
      </dd>
      <dt>{texts.messages.messageOf(message)}</dt>
      <dd>
        <pre class="message">
          {parts.map(({ text, isHidden }, i) => (isHidden ? <mark key={i}>{text}</mark> : text))}
        </pre>
        {message === '' && <p>{texts.messages.empty}</p>}
        {parts.some(({ isHidden }) => isHidden) && <p class="notice warn">{texts.messages.hidden}</p>}
      </dd>
    </dl>
  );
}

const TONES = { valid: 'good', invalid: 'bad', inconclusive: 'warn' } as const;

function VerifyCard({ block }: { readonly block: string | undefined }): JSX.Element {
  const { client } = usePage();
  const [isBusy, run] = useTask();
  const [way, setWay] = useState<Way>('whole');
  const [whole, setWhole] = useState(block ?? '');
  const [address, setAddress] = useState('');
  const [message, setMessage] = useState('');
  const [signature, setSignature] = useState('');
  const [verdict, setVerdict] = useState<MessageVerdictView>();
  useEffect(() => setVerdict(undefined), [way, whole, address, message, signature]);
  const verify = (event: Event): Promise<void> => {
    event.preventDefault();
    const form = way === 'whole' ? whole : { address, message, signature };
    return run(async () => setVerdict(await client.call('verifyMessage', [form])));
  };
  const isEmpty = way === 'whole' ? whole.trim() === '' : address.trim() === '' || signature.trim() === '';
  return (
    <Card title={texts.messages.verify}>
      <form onSubmit={verify}>
        <Segments
          label={texts.messages.way}
          value={way}
          options={[
            ['whole', texts.messages.ways.block],
            ['parts', texts.messages.ways.parts],
          ]}
          onChoose={setWay}
        />
        {way === 'whole' ? (
          <TextArea
            label={texts.messages.block}
            help={texts.messages.blockHelp}
            rows={6}
            value={whole}
            onChange={setWhole}
          />
        ) : (
          <>
            <AddressField value={address} onChange={setAddress} />
            <TextArea label={texts.messages.message} rows={4} value={message} onChange={setMessage} />
            <TextArea label={texts.messages.signature} rows={3} value={signature} onChange={setSignature} />
          </>
        )}
        <button type="submit" disabled={isBusy || isEmpty}>
          {texts.messages.verifyButton}
        </button>
      </form>
      <div role="status">
        {verdict && (
          <>
            <div class={`notice ${TONES[verdict.kind]}`}>
              <p>
                <strong>{texts.messages.verdicts[verdict.kind]}</strong> {verdict.text}
              </p>
            </div>
            <MessageFacts address={verdict.address} message={verdict.message} />
          </>
        )}
      </div>
    </Card>
  );
}
