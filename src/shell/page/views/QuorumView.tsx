import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { NetworkName } from '../../../core/network/networks.ts';
import { MULTISIG_SCRIPTS } from '../../../kit/account/chooseQuorum.ts';
import type { MultisigScript } from '../../../kit/account/walletFiles/walletFile.ts';
import { networkTitles } from '../format.ts';
import type { QuorumForm, WalletView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { Exporter } from './Exporter.tsx';
import { usePage, useTask } from './page.ts';
import { Answer, Card, Grouped, NumberField, Select, Title } from './parts.tsx';
import { SignersCard } from './QuorumSigners.tsx';
import { RegisteredHelp, RegisterWallet } from './RegisterWallet.tsx';

type Script = 'auto' | MultisigScript;

const SCRIPTS: readonly (readonly [Script, string])[] = [
  ['auto', texts.quorum.scripts.auto],
  ...MULTISIG_SCRIPTS.map((script) => [script, texts.quorum.scripts[script]] as const),
];

export function QuorumView(): JSX.Element {
  const { state, change } = usePage();
  const { signers } = state;
  const [network, setNetwork] = useState<NetworkName>(state.document?.network ?? state.wallets[0]?.network ?? 'main');
  const [made, setMade] = useState<number>();
  const wallet = state.wallets.find(({ id }) => id === made);
  const forget = (): void => setMade(undefined);
  return (
    <>
      <Title>{texts.quorum.title}</Title>
      <p class="lead">{texts.quorum.intro}</p>
      <SignersCard
        signers={signers}
        network={network}
        onChange={(next) => {
          forget();
          change({ signers: next, notice: undefined });
        }}
      />
      <WalletForm
        network={network}
        isMade={wallet !== undefined}
        onChange={forget}
        onNetwork={setNetwork}
        onMade={setMade}
      />
      <Answer of={wallet?.id} label={texts.quorum.wallet}>
        {wallet && <Made key={wallet.id} wallet={wallet} />}
      </Answer>
    </>
  );
}

interface WalletFormProps {
  readonly network: NetworkName;
  readonly isMade: boolean;
  readonly onChange: () => void;
  readonly onNetwork: (network: NetworkName) => void;
  readonly onMade: (walletId: number) => void;
}

function WalletForm({ network, isMade, onChange, onNetwork, onMade }: WalletFormProps): JSX.Element {
  const { state, client, change, refresh } = usePage();
  const { signers } = state;
  const [, run] = useTask();
  const [required, setRequired] = useState('2');
  const [script, setScript] = useState<Script>('auto');
  useEffect(onChange, [network, required, script]);
  const make = (event: Event): Promise<void> => {
    event.preventDefault();
    const form: QuorumForm = {
      ...{ required: Number(required), signers, network },
      ...(script !== 'auto' && { script }),
    };
    return run(async () => {
      const { id } = await client.call('makeQuorum', [form]);
      await refresh();
      change(({ unsaved }) => ({ unsaved: [...unsaved, id] }));
      onMade(id);
    });
  };
  return (
    <Card title={texts.quorum.wallet}>
      <form onSubmit={make}>
        <div class="columns">
          <NumberField
            label={texts.quorum.required}
            help={texts.quorum.of(signers.length)}
            min={1}
            max={20}
            value={required}
            onChange={setRequired}
          />
          <Select label={texts.quorum.script} value={script} options={SCRIPTS} onChoose={setScript} />
          <Select label={texts.keys.network} value={network} options={networkTitles} onChoose={onNetwork} />
        </div>
        <p role="status">{texts.quorum.meaning(Number(required), signers.length)}</p>
        <button type="submit" class={isMade ? undefined : 'main'} disabled={signers.length === 0}>
          {texts.quorum.make}
        </button>
      </form>
    </Card>
  );
}

/** Shows the wallet, gives its file away, and leads to its registration. */
function Made({ wallet }: { readonly wallet: WalletView }): JSX.Element {
  const { id, name, descriptors, firstAddresses, canRegister, hasRegistrationFile } = wallet;
  const [isRegistering, setIsRegistering] = useState(false);
  return (
    <Card title={texts.quorum.made(name)} tone="good">
      {hasRegistrationFile && <RegisteredHelp wallet={wallet} />}
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
      {!hasRegistrationFile && <p>{texts.quorum.next}</p>}
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
