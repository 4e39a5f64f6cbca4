import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { networkTitle } from '../format.ts';
import type { ProposalView, WalletView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { useAnswer, usePage, useTask } from './page.ts';
import { Badge, Dialog, Field, Grouped, VERBATIM } from './parts.tsx';
import { standingText } from './signers.ts';

interface RegisterWalletProps {
  readonly wallet: WalletView;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows what a wallet is, and registers it under the name that the user types. */
export function RegisterWallet({ wallet: { id, name }, onDone, onClose }: RegisterWalletProps): JSX.Element {
  const [proposal, refusal] = useProposal(id);
  return (
    <Dialog title={texts.register.title(name)} onClose={onClose}>
      {refusal !== undefined && <p class="notice bad">{refusal}</p>}
      {proposal && (
        <>
          <ProposalFacts proposal={proposal} />
          <NameForm walletId={id} proposal={proposal} onDone={onDone} />
        </>
      )}
    </Dialog>
  );
}

/** Says that a wallet is registered, and that its file is to be kept. */
export const RegisteredHelp = ({ wallet }: { readonly wallet: WalletView }): JSX.Element => (
  <div class="notice good" role="status">
    <p>
      <strong>{standingText(wallet)}.</strong> {texts.register.doneHelp}
    </p>
  </div>
);

/** A refusal is shown in the dialog, which hides the notices of the page. */
function useProposal(id: number): readonly [ProposalView | undefined, string | undefined] {
  const answer = useAnswer(
    (call) =>
      call('propose', [id]).then(
        (proposal) => ({ proposal, refusal: undefined }),
        (error: Error) => ({ proposal: undefined, refusal: error.message }),
      ),
    [id],
  );
  return [answer?.proposal, answer?.refusal];
}

/** What others can do comes first: it decides whether the wallet is one to register. */
function ProposalFacts({ proposal }: { readonly proposal: ProposalView }): JSX.Element {
  const { control, hashes, network, keys, addresses, related } = proposal;
  const { register } = texts;
  return (
    <>
      <dl class="facts">
        <dt>{register.others}</dt>
        <dd>
          <strong>{othersText(proposal)}</strong>
        </dd>
        <dt>{register.alone}</dt>
        <dd>
          <strong>{control.alone}</strong>
        </dd>
      </dl>
      {hashes.map(({ name, hash }) => (
        <p key={hash} class="notice warn break">
          {register.hash(name, hash)}
        </p>
      ))}
      <dl class="facts">
        <dt>{register.policy}</dt>
        <dd>
          <Policy proposal={proposal} />
        </dd>
        <dt>{register.network}</dt>
        <dd>{networkTitle(network)}</dd>
        {keys.map(({ text, isProven }, i) => (
          <KeyFact key={text} number={i + 1} text={text} isProven={isProven} />
        ))}
        <dt>{register.receive}</dt>
        <dd>
          <Grouped text={addresses.receive} />
        </dd>
        <dt>{register.change}</dt>
        <dd>
          <Grouped text={addresses.change} />
        </dd>
      </dl>
      <p>{register.compare}</p>
      {related.map((other) => (
        <Difference key={other.id} other={other} />
      ))}
    </>
  );
}

/** Says how many others it takes, where the policy is a plain multisig. */
function othersText({ control, quorum, keys }: ProposalView): string {
  const others = keys.filter(({ isProven }) => !isProven).length;
  return quorum && others >= quorum.required
    ? texts.register.othersTogether(control.others, quorum.required, others)
    : control.others;
}

function Policy({ proposal: { template, quorum, keys } }: { readonly proposal: ProposalView }): JSX.Element {
  const text = <code class="break">{template}</code>;
  return quorum ? (
    <>
      {texts.register.quorum(quorum.required, keys.length)}
      <details>
        <summary>{texts.register.policyText}</summary>
        {text}
      </details>
    </>
  ) : (
    text
  );
}

const KeyFact = ({
  number,
  text,
  isProven,
}: {
  readonly number: number;
  readonly text: string;
  readonly isProven: boolean;
}): JSX.Element => (
  <>
    <dt>{texts.register.key(number)}</dt>
    <dd>
      <Badge tone={isProven ? 'good' : 'warn'}>{isProven ? texts.register.proven : texts.register.named}</Badge>{' '}
      <code class="break">{text}</code>
    </dd>
  </>
);

const Difference = ({ other }: { readonly other: ProposalView['related'][number] }): JSX.Element => (
  <div class="notice warn">
    <p>{texts.register.differs(other.title)}:</p>
    <ul class="plain-list">
      {other.missing.map((key) => (
        <li key={key}>
          {texts.register.without} <code class="break">{key}</code>
        </li>
      ))}
      {other.added.map((key) => (
        <li key={key}>
          {texts.register.with} <code class="break">{key}</code>
        </li>
      ))}
      {other.missing.length + other.added.length === 0 && <li>{texts.register.otherTemplate}</li>}
    </ul>
  </div>
);

/** The name is never filled in: the maker of the file chose the one that it suggests. */
function NameForm({
  walletId,
  proposal: { related, suggestedName, carried },
  onDone,
}: {
  readonly walletId: number;
  readonly proposal: ProposalView;
  readonly onDone: () => void;
}): JSX.Element {
  const { client, change, refresh } = usePage();
  const [, run] = useTask();
  const [name, setName] = useState('');
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const { register } = texts;
  const answerTo = (id: string): string => (answers[id] ?? '').trim();
  const isWrong = related.some(({ id }) => answerTo(id) !== '' && answerTo(id) !== register.replaceWord);
  const submit = (event: Event): Promise<void> => {
    event.preventDefault();
    const replaces = related.flatMap(({ id }) => (answerTo(id) === register.replaceWord ? [id] : []));
    return run(async () => {
      try {
        await client.call('register', [{ walletId, name: name.trim(), replaces }]);
      } catch (error) {
        setRefusal(error instanceof Error ? error.message : texts.errors.unexpected);
        return;
      }
      await refresh();
      change(({ unsaved }) => ({ unsaved: [...unsaved, walletId] }));
      onDone();
    });
  };
  return (
    <form onSubmit={submit}>
      {related.map(({ id, title }) => (
        <TypedField
          key={id}
          label={register.replace(title)}
          value={answers[id] ?? ''}
          onType={(text) => setAnswers({ ...answers, [id]: text })}
        />
      ))}
      {isWrong && <p class="notice bad">{register.replaceWrong}</p>}
      {suggestedName !== undefined && <p>{register.suggested(suggestedName)}</p>}
      {carried && <p>{register.carried(carried.name, carried.count)}</p>}
      <TypedField label={register.name} help={register.nameHelp} value={name} onType={setName} />
      <p role="alert">{refusal}</p>
      <button type="submit" class="main" disabled={isWrong || name.trim() === ''}>
        {register.submit}
      </button>
    </form>
  );
}

const TypedField = ({
  label,
  help,
  value,
  onType,
}: {
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  readonly onType: (text: string) => void;
}): JSX.Element => (
  <Field label={label} help={help}>
    {({ id, describedBy }) => (
      <input
        id={id}
        aria-describedby={describedBy}
        value={value}
        {...VERBATIM}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    )}
  </Field>
);
