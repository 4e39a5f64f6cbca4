import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MessageVerdictView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { FileText, MessageFacts } from './messageParts.tsx';
import { usePage, useTask } from './page.ts';
import { AddressField, Answer, Card, Segments, TextArea } from './parts.tsx';

type Way = 'whole' | 'parts';

const WAYS: readonly (readonly [Way, string])[] = [
  ['whole', texts.messages.ways.block],
  ['parts', texts.messages.ways.parts],
];

const TONES = { valid: 'good', invalid: 'bad', inconclusive: 'warn' } as const;

export function VerifyCard({ block }: { readonly block: string | undefined }): JSX.Element {
  const { client } = usePage();
  const [, run] = useTask();
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
        <Segments label={texts.messages.way} value={way} options={WAYS} onChoose={setWay} />
        {way === 'whole' ? (
          <FileText label={texts.messages.block} help={texts.messages.blockHelp} value={whole} onChange={setWhole} />
        ) : (
          <>
            <AddressField label={texts.messages.address} value={address} onChange={setAddress} />
            <TextArea label={texts.messages.message} rows={4} value={message} onChange={setMessage} />
            <TextArea label={texts.messages.signature} rows={3} value={signature} onChange={setSignature} />
          </>
        )}
        <button type="submit" disabled={isEmpty}>
          {texts.messages.verifyButton}
        </button>
      </form>
      <Answer of={verdict}>{verdict && <Verdict verdict={verdict} />}</Answer>
    </Card>
  );
}

const Verdict = ({
  verdict: { kind, reason, address, message },
}: {
  readonly verdict: MessageVerdictView;
}): JSX.Element => (
  <>
    <div class={`notice ${TONES[kind]}`}>
      <p>
        <strong>{texts.messages.verdicts[kind]}</strong>
        {reason}.
      </p>
    </div>
    <MessageFacts address={address} message={message} />
  </>
);
