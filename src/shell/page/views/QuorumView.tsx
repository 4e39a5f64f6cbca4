import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NetworkName } from '../../../core/network/networks.ts';
import { MULTISIG_SCRIPTS } from '../../../kit/account/chooseQuorum.ts';
import type { MultisigScript } from '../../../kit/account/walletFiles/walletFile.ts';
import { isPicture } from '../browser/pictures.ts';
import { networkTitles } from '../format.ts';
import type { QuorumForm, SignerView, WalletView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { Exporter } from './Exporter.tsx';
import { GoButton } from './GoButton.tsx';
import { FileButton } from './Opener.tsx';
import { useAnswer, usePage, useTask } from './page.ts';
import { Badge, Card, Field, Grouped, Select, TextArea, Title } from './parts.tsx';
import { RegisterWallet } from './RegisterWallet.tsx';

type Script = 'auto' | MultisigScript;

const SCRIPTS: readonly (readonly [Script, string])[] = [
  ['auto', texts.quorum.scripts.auto],
  ...MULTISIG_SCRIPTS.map((script) => [script, texts.quorum.scripts[script]] as const),
];

export function QuorumView(): JSX.Element {
  const { state, client, change, refresh } = usePage();
  const { signers } = state;
  const [isBusy, run] = useTask();
  const [network, setNetwork] = useState<NetworkName>(state.document?.network ?? state.wallets[0]?.network ?? 'main');
  const [required, setRequired] = useState('2');
  const [script, setScript] = useState<Script>('auto');
  const [made, setMade] = useState<number>();
  const wallet = state.wallets.find(({ id }) => id === made);
  const setSigners = (next: readonly SignerView[]): void => {
    setMade(undefined);
    change({ signers: next });
  };
  const make = (event: Event): Promise<void> => {
    event.preventDefault();
    const form: QuorumForm = {
      ...{ required: Number(required), signers, network },
      ...(script !== 'auto' && { script }),
    };
    return run(async () => {
      const { id } = await client.call('makeQuorum', [form]);
      await refresh({ notice: undefined });
      setMade(id);
    });
  };
  const forget =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      setMade(undefined);
      set(value);
    };
  return (
    <>
      <Title>{texts.quorum.title}</Title>
      <p class="lead">{texts.quorum.intro}</p>
      <SignersCard signers={signers} network={network} onChange={setSigners} />
      <Card title={texts.quorum.wallet}>
        <form onSubmit={make}>
          <div class="columns">
            <Field label={texts.quorum.required} help={texts.quorum.of(signers.length)}>
              {({ id, describedBy }) => (
                <input
                  id={id}
                  aria-describedby={describedBy}
                  type="number"
                  inputMode="numeric"
                  min={1}
                  max={20}
                  required
                  value={required}
                  onInput={({ currentTarget }) => forget(setRequired)(currentTarget.value)}
                />
              )}
            </Field>
            <Select label={texts.quorum.script} value={script} options={SCRIPTS} onChoose={forget(setScript)} />
            <Select label={texts.keys.network} value={network} options={networkTitles} onChoose={forget(setNetwork)} />
          </div>
          <p role="status">{texts.quorum.meaning(Number(required), signers.length)}</p>
          <button type="submit" class={wallet ? undefined : 'main'} disabled={isBusy || signers.length === 0}>
            {texts.quorum.make}
          </button>
        </form>
      </Card>
      {wallet && <Made key={wallet.id} wallet={wallet} />}
    </>
  );
}

interface SignersProps {
  readonly signers: readonly SignerView[];
  readonly network: NetworkName;
  readonly onChange: (signers: readonly SignerView[]) => void;
}

function SignersCard({ signers, network, onChange }: SignersProps): JSX.Element {
  const { state, client, openFiles } = usePage();
  const [isBusy, run] = useTask();
  const [text, setText] = useState('');
  const own = useAnswer((call) => call('ownSigners', [network]), [network, state.wallets]) ?? [];
  const others = own.filter(({ name }) => !signers.some((signer) => signer.isOwn && signer.name === name));
  const add = (...more: readonly SignerView[]): void => onChange([...signers, ...more]);
  const addText = (event: Event): Promise<void> => {
    event.preventDefault();
    return run(async () => {
      add(await client.call('readSigner', [text, texts.quorum.pasted(signers.length + 1)]));
      setText('');
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
        <TextArea label={texts.quorum.key} help={texts.quorum.keyHelp} rows={3} value={text} onChange={setText} />
        <button type="submit" disabled={isBusy || text.trim() === ''}>
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

/** Shows the wallet, gives its file away, and leads to its registration. */
function Made({ wallet }: { readonly wallet: WalletView }): JSX.Element {
  const { id, name, descriptors, firstAddresses, canRegister, hasRegistrationFile } = wallet;
  const [isRegistering, setIsRegistering] = useState(false);
  return (
    <Card title={texts.quorum.made(name)} tone="good">
      <dl class="facts">
        <dt>{texts.quorum.descriptor}</dt>
        {descriptors.map((descriptor) => (
          <dd key={descriptor}>
            <code class="break">{descriptor}</code>
          </dd>
        ))}
        <dt>{texts.keys.firstAddresses}</dt>
        <dd>
          <ol class="plain-list">
            {firstAddresses.map((address) => (
              <li key={address}>
                <Grouped text={address} />
              </li>
            ))}
          </ol>
        </dd>
      </dl>
      <p>{hasRegistrationFile ? texts.register.doneHelp : texts.quorum.next}</p>
      <Exporter form={{ kind: hasRegistrationFile ? 'registration' : 'descriptors', walletId: id }} />
      {hasRegistrationFile ? null : canRegister ? (
        <button type="button" class="main" onClick={() => setIsRegistering(true)}>
          {texts.quorum.register}
        </button>
      ) : (
        <p>{texts.quorum.registerLater}</p>
      )}
      {isRegistering && (
        <RegisterWallet
          wallet={wallet}
          onDone={() => setIsRegistering(false)}
          onClose={() => setIsRegistering(false)}
        />
      )}
    </Card>
  );
}
