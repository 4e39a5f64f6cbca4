import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NetworkName } from '../../../core/network/networks.ts';
import { networkTitles } from '../format.ts';
import type { KeysForm as Form } from '../protocol.ts';
import { texts } from '../texts.ts';
import { FileButton } from './Opener.tsx';
import { type PageState, usePage, useTask } from './page.ts';
import { Field, NumberField, Segments, Select, TextArea, VERBATIM } from './parts.tsx';
import { wantsCosigner } from './signers.ts';
import { WordsField } from './WordsField.tsx';

type Kind = 'words' | 'text';
const KINDS: readonly (readonly [Kind, string])[] = [
  ['words', texts.keys.kindWords],
  ['text', texts.keys.kindText],
];

type Purpose = 'auto' | `${NonNullable<Form['purpose']>}`;

const PURPOSES: readonly (readonly [Purpose, string])[] = [
  ['84', texts.keys.purposes[84]],
  ['86', texts.keys.purposes[86]],
  ['49', texts.keys.purposes[49]],
  ['44', texts.keys.purposes[44]],
  ['48', texts.keys.purposes[48]],
];
const PURPOSES_OF_KEYS: typeof PURPOSES = [['auto', texts.keys.purposes.auto], ...PURPOSES];

type Place = 'auto' | NonNullable<Form['at']>;

const PLACES: readonly (readonly [Place, string])[] = [
  ['auto', texts.keys.places.auto],
  ['account', texts.keys.places.account],
  ['root', texts.keys.places.root],
];

const numbers = { 44: 44, 48: 48, 49: 49, 84: 84, 86: 86 } as const;

interface Derivation {
  readonly network: NetworkName;
  readonly purpose: Purpose;
  readonly account: string;
  readonly place: Place;
}

const firstPurpose = (state: PageState, isWords: boolean): Purpose => {
  if (!isWords) return 'auto';
  return wantsCosigner(state) ? '48' : '84';
};

const firstDerivation = (state: PageState): Derivation => ({
  network: state.document?.network ?? 'main',
  purpose: firstPurpose(state, !state.secret || state.secret === 'words'),
  account: '0',
  place: 'auto',
});

const derivationForm = ({ network, purpose, account, place }: Derivation): Form => ({
  network,
  ...(Number(account) > 0 && { account: Number(account) }),
  ...(purpose !== 'auto' && { purpose: numbers[purpose] }),
  ...(place !== 'auto' && { at: place }),
});

export function KeysForm(): JSX.Element {
  const { state, client, refresh } = usePage();
  const { secret } = state;
  const [isBusy, run] = useTask();
  const [kind, setKind] = useState<Kind>('words');
  const [text, setText] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [derivation, setDerivation] = useState(() => firstDerivation(state));
  const isWords = secret ? secret === 'words' : kind === 'words';

  const clear = (): void => {
    setText('');
    setPassphrase('');
  };
  const submit = (event: Event): Promise<void> => {
    event.preventDefault();
    return run(async () => {
      const form: Form = {
        ...derivationForm(derivation),
        ...(!secret && { text }),
        ...(passphrase !== '' && { passphrase }),
      };
      const { name } = await client.call('addKeys', [form]);
      clear();
      await refresh({ secret: undefined, notice: { tone: 'good', text: texts.keys.added(name) } });
    });
  };
  const choose = (chosen: Kind): void => {
    setKind(chosen);
    setDerivation((now) => ({ ...now, purpose: firstPurpose(state, chosen === 'words'), place: 'auto' }));
    clear();
  };

  return (
    <form onSubmit={submit} autocomplete="off">
      {secret ? (
        <p class="notice info">{texts.keys.secretReady(secret)}</p>
      ) : (
        <>
          <Segments label={texts.keys.kind} value={kind} options={KINDS} onChoose={choose} />
          {isWords ? (
            <WordsField value={text} onChange={setText} />
          ) : (
            <TextArea label={texts.keys.text} help={texts.keys.textHelp} rows={4} value={text} onChange={setText} />
          )}
        </>
      )}
      {isWords && <PassphraseField value={passphrase} onChange={setPassphrase} />}
      <DerivationFields
        value={derivation}
        purposes={isWords ? PURPOSES : PURPOSES_OF_KEYS}
        hasAccount={secret !== 'descriptors' && secret !== 'wallet-file'}
        hasPlace={secret === 'extended-key' || (!secret && !isWords)}
        onChange={(part) => setDerivation((now) => ({ ...now, ...part }))}
      />
      <div class="row">
        <button type="submit" class="main" disabled={!secret && text.trim() === ''}>
          {isBusy ? texts.common.working : texts.keys.submit}
        </button>
        {!secret && <FileButton label={texts.keys.file} />}
      </div>
    </form>
  );
}

interface DerivationProps {
  readonly value: Derivation;
  readonly purposes: typeof PURPOSES;
  readonly hasAccount: boolean;
  readonly hasPlace: boolean;
  readonly onChange: (part: Partial<Derivation>) => void;
}

function DerivationFields({ value, purposes, hasAccount, hasPlace, onChange }: DerivationProps): JSX.Element {
  const { network, purpose, account, place } = value;
  return (
    <div class="columns">
      <Select
        label={texts.keys.network}
        value={network}
        options={networkTitles}
        onChoose={(chosen) => onChange({ network: chosen })}
      />
      <Select
        label={texts.keys.purpose}
        value={purpose}
        options={purposes}
        onChoose={(chosen) => onChange({ purpose: chosen })}
      />
      {hasPlace && (
        <Select
          label={texts.keys.place}
          value={place}
          options={PLACES}
          onChoose={(chosen) => onChange({ place: chosen })}
        />
      )}
      {hasAccount && (
        <NumberField
          label={texts.keys.account}
          help={texts.keys.accountHelp}
          min={0}
          max={2_147_483_647}
          value={account}
          onChange={(value) => onChange({ account: value })}
        />
      )}
    </div>
  );
}

function PassphraseField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field label={texts.keys.passphrase} help={texts.keys.passphraseHelp}>
      {({ id, describedBy }) => (
        <div class="with-action">
          <input
            id={id}
            aria-describedby={describedBy}
            {...(isShown ? ({ type: 'text' } as const) : ({ type: 'password' } as const))}
            value={value}
            {...VERBATIM}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <button
            type="button"
            class="quiet"
            aria-label={texts.keys.showPassphrase}
            aria-pressed={isShown}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? texts.common.hide : texts.common.show}
          </button>
        </div>
      )}
    </Field>
  );
}
