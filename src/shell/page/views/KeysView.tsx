import { Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { networkTitle } from '../format.ts';
import type { WalletView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { Exporter } from './Exporter.tsx';
import { KeysForm } from './KeysForm.tsx';
import { usePage } from './page.ts';
import { Badge, Card, CopyButton, Dialog, Grouped, Select, Title } from './parts.tsx';
import { RegisteredHelp, RegisterWallet } from './RegisterWallet.tsx';
import { isPartOpen, signerPlaces, standingText, walletDoubts, walletTone, wantsPrivateKeys } from './signers.ts';

const MINUTES = [2, 5, 10, 30] as const;

export function KeysView(): JSX.Element {
  const { state, change } = usePage();
  const { wallets, document, secret, minutes } = state;
  const wantsKeys = wantsPrivateKeys(state);
  const next = (): void => change({ view: document ? 'review' : 'open' });
  return (
    <>
      <Title key={wallets.length}>{texts.keys.title}</Title>
      <p class="lead">{texts.keys.intro}</p>
      {wantsKeys && (
        <Card title={texts.keys.addToSign}>
          <KeysForm key={secret} />
        </Card>
      )}
      {wallets.length > 0 && (
        <>
          {wallets.map((wallet) => (
            <WalletCard key={wallet.id} wallet={wallet} />
          ))}
          <div class="row">
            <button type="button" class={wantsKeys ? '' : 'main'} onClick={next}>
              {document ? texts.keys.next : texts.keys.nextOpen}
            </button>
          </div>
        </>
      )}
      {wantsKeys ? null : wallets.length === 0 || secret ? (
        <Card title={texts.keys.add}>
          <KeysForm key={secret} />
        </Card>
      ) : (
        <details class="card">
          <summary>{texts.keys.addMore}</summary>
          <KeysForm key={secret} />
        </details>
      )}
      <div class="card">
        <Select
          label={texts.session.minutes}
          value={`${minutes}`}
          options={MINUTES.map((option) => [`${option}`, texts.session.minutesOption(option)])}
          onChoose={(option) => change({ minutes: Number(option) })}
        />
      </div>
      {wallets.length === 0 && document && (
        <div class="row">
          <button type="button" onClick={next}>
            {texts.keys.skip}
          </button>
        </div>
      )}
    </>
  );
}

function WalletCard({ wallet }: { readonly wallet: WalletView }): JSX.Element {
  const { client, state, run, refresh, change } = usePage();
  const [shown, setShown] = useState<'descriptors' | 'registration' | 'register'>();
  const { id, name, hasPrivateKeys, canRegister, hasRegistrationFile } = wallet;
  const tone = walletTone(wallet);
  const close = (): void => setShown(undefined);
  const remove = (): Promise<void> =>
    run(async () => {
      await client.call('removeWallet', [id]);
      await refresh();
    });
  return (
    <Card
      title={name}
      {...(tone && { tone })}
      aside={
        <Badge tone={hasPrivateKeys ? 'good' : 'plain'}>
          {hasPrivateKeys ? texts.keys.canSign : texts.keys.watchOnly}
        </Badge>
      }
    >
      {walletDoubts(wallet).map((doubt) => (
        <p key={doubt} class={tone === 'bad' ? 'notice bad' : ''}>
          {doubt}
        </p>
      ))}
      <WalletFacts
        wallet={wallet}
        places={signerPlaces(wallet, state.wallets)}
        lacksWallet={!isPartOpen(state.wallets)}
      />
      <div class="row">
        <button type="button" onClick={() => change({ view: 'addresses', walletId: id })}>
          {texts.keys.addressesShort}
        </button>
        <button type="button" onClick={() => setShown('descriptors')}>
          {texts.keys.exportShort}
        </button>
        {canRegister && (
          <button type="button" onClick={() => setShown('register')}>
            {texts.register.button}
          </button>
        )}
        {hasRegistrationFile && (
          <button type="button" onClick={() => setShown('registration')}>
            {texts.register.fileShort}
          </button>
        )}
        <button type="button" class="quiet" aria-label={texts.keys.remove(name)} onClick={remove}>
          {texts.keys.removeShort}
        </button>
      </div>
      {shown === 'descriptors' && (
        <Dialog title={texts.keys.exportTitle(name)} onClose={close}>
          <p>{texts.keys.exportIntro}</p>
          <Exporter form={{ kind: 'descriptors', walletId: id }} />
        </Dialog>
      )}
      {shown === 'register' && (
        <RegisterWallet wallet={wallet} onDone={() => setShown('registration')} onClose={close} />
      )}
      {shown === 'registration' && (
        <Dialog title={standingText(wallet)} onClose={close}>
          <RegisteredHelp wallet={wallet} />
          <Exporter form={{ kind: 'registration', walletId: id }} />
        </Dialog>
      )}
    </Card>
  );
}

const WalletFacts = ({
  wallet,
  wallet: { network, fingerprints, firstAddresses, publicKeys, hasPrivateKeys },
  places,
  lacksWallet,
}: {
  readonly wallet: WalletView;
  readonly places: readonly string[];
  readonly lacksWallet: boolean;
}): JSX.Element => (
  <dl class="facts">
    <dt>{fingerprints.length === 1 ? texts.keys.fingerprint : texts.keys.fingerprints}</dt>
    <dd>
      {fingerprints.map((fingerprint) => (
        <Fragment key={fingerprint}>
          <code class="fingerprint">{fingerprint}</code>{' '}
        </Fragment>
      ))}
    </dd>
    {places.length > 0 && <dt>{texts.keys.signer}</dt>}
    {places.map((place) => (
      <dd key={place}>{place}</dd>
    ))}
    {!hasPrivateKeys && (
      <>
        <dt>{texts.keys.standing}</dt>
        <dd>{standingText(wallet)}</dd>
      </>
    )}
    <dt>{texts.keys.network}</dt>
    <dd>{networkTitle(network)}</dd>
    {publicKeys.length > 0 && (
      <>
        <dt>{texts.keys.publicKeys}</dt>
        <dd>
          {publicKeys.map((key) => (
            <div key={key} class="with-action">
              <code class="break">{key}</code>
              <CopyButton text={key} name={key} />
            </div>
          ))}
        </dd>
      </>
    )}
    {(firstAddresses.length > 0 || lacksWallet) && <dt>{texts.keys.firstAddresses}</dt>}
    <dd>
      {firstAddresses.length === 0 && lacksWallet && <p class="help">{texts.keys.noAddresses}</p>}
      <ol class="plain-list">
        {firstAddresses.map((address) => (
          <li key={address} class="with-action">
            <Grouped text={address} />
            <CopyButton text={address} name={address} />
          </li>
        ))}
      </ol>
    </dd>
  </dl>
);
