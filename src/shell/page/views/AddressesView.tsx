import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AddressView, OwnerView, SearchView, WalletView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { AddressDialog } from './AddressDialog.tsx';
import { GoButton } from './GoButton.tsx';
import { PaymentCard } from './PaymentCard.tsx';
import { useAnswer, usePage, useTask } from './page.ts';
import { AddressField, Answer, Card, CopyButton, Field, Grouped, Segments, Select, Title } from './parts.tsx';
import { isForeignWallet } from './signers.ts';

export function AddressesView(): JSX.Element {
  const { wallets, walletId, payment } = usePage().state;
  const wallet =
    wallets.find(({ id }) => id === walletId) ??
    wallets.find(({ firstAddresses }) => firstAddresses.length > 0) ??
    wallets[0];
  return (
    <>
      <Title>{texts.addresses.title}</Title>
      {payment && <PaymentCard payment={payment} />}
      <FindAddress />
      {wallet ? (
        <AddressList key={wallet.id} wallet={wallet} />
      ) : (
        <>
          <p class="lead">{texts.addresses.none}</p>
          <div class="row">
            <GoButton to="keys">{texts.keys.add}</GoButton>
          </div>
        </>
      )}
    </>
  );
}

const PER_PAGE = 10;
const LAST_INDEX = 2_147_483_647;

type Chain = OwnerView['chain'];

function AddressList({ wallet }: { readonly wallet: WalletView }): JSX.Element {
  const { state, change } = usePage();
  const [chain, setChain] = useState<Chain>('receive');
  const [from, setFrom] = useState(0);
  const [shownAddress, setShownAddress] = useState<string>();
  const range = { walletId: wallet.id, chain, from, count: PER_PAGE };
  const list = useAnswer((call) => call('addresses', [range]), [wallet.id, chain, from]) ?? [];
  const goTo = (index: number): void => setFrom(Math.min(Math.max(0, index), LAST_INDEX - PER_PAGE));
  return (
    <Card title={texts.addresses.list}>
      <div class="columns">
        {state.wallets.length > 1 && (
          <Select
            label={texts.addresses.wallet}
            value={`${wallet.id}`}
            options={state.wallets.map(({ id, name }) => [`${id}`, name])}
            onChoose={(id) => change({ walletId: Number(id) })}
          />
        )}
        <Segments
          label={texts.addresses.chain}
          value={chain}
          options={[
            ['receive', texts.addresses.receive],
            ['change', texts.addresses.change],
            ...(wallet.hasSilentPayments ? [['silent', texts.addresses.silent] as const] : []),
          ]}
          onChoose={setChain}
        />
        <Field label={texts.addresses.from}>
          {({ id }) => (
            <input
              id={id}
              type="number"
              inputMode="numeric"
              min={0}
              max={LAST_INDEX}
              value={from}
              onChange={({ currentTarget }) => goTo(Math.floor(Number(currentTarget.value)) || 0)}
            />
          )}
        </Field>
      </div>
      {chain === 'silent' && <p>{texts.addresses.silentHelp}</p>}
      <ul class="address-list">
        {list.map((each) => (
          <AddressRow key={each.index} {...each} onShow={setShownAddress} />
        ))}
      </ul>
      <div class="row">
        <button type="button" disabled={from === 0} onClick={() => goTo(from - PER_PAGE)}>
          {texts.addresses.earlier}
        </button>
        <button type="button" onClick={() => goTo(from + PER_PAGE)}>
          {texts.addresses.later}
        </button>
      </div>
      {shownAddress !== undefined && (
        <AddressDialog address={shownAddress} onClose={() => setShownAddress(undefined)} />
      )}
    </Card>
  );
}

const AddressRow = ({
  index,
  address,
  onShow,
}: AddressView & { readonly onShow: (address: string) => void }): JSX.Element => (
  <li class="with-action">
    <span class="index">{index}</span>
    <Grouped text={address} />
    <span class="actions">
      <CopyButton text={address} name={address} />
      <button type="button" class="quiet" aria-label={texts.addresses.qr(index)} onClick={() => onShow(address)}>
        {texts.addresses.qrShort}
      </button>
    </span>
  </li>
);

function FindAddress(): JSX.Element {
  const { state, client, change } = usePage();
  const { sought, wallets } = state;
  const [isBusy, run] = useTask();
  const [text, setText] = useState(sought?.address ?? '');
  const find = (sought: string, count?: number): Promise<void> =>
    run(async () => change({ sought: await client.call('findAddress', [sought, count]) }));
  // What is answered below must be about what the field says.
  const type = (typed: string): void => {
    setText(typed);
    change({ sought: undefined });
  };
  return (
    <Card title={texts.addresses.find}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          find(text);
        }}
      >
        <AddressField label={texts.addresses.findLabel} help={texts.addresses.findHelp} value={text} onChange={type} />
        <button type="submit" disabled={text.trim() === ''}>
          {isBusy ? texts.addresses.searching : texts.addresses.findButton}
        </button>
      </form>
      <Answer of={sought}>{sought && <Found sought={sought} wallets={wallets} />}</Answer>
      {sought?.kind === 'not-found' && sought.next !== undefined && (
        <button type="button" onClick={() => find(sought.address, sought.next)}>
          {isBusy ? texts.addresses.searching : texts.addresses.further(sought.next)}
        </button>
      )}
    </Card>
  );
}

function Found({
  sought,
  wallets,
}: {
  readonly sought: SearchView;
  readonly wallets: readonly WalletView[];
}): JSX.Element {
  const [tone, text] = foundText(sought, wallets);
  return (
    <div class={`notice ${tone}`}>
      {sought.address !== '' && <Grouped text={sought.address} />}
      <p>{text}</p>
    </div>
  );
}

function foundText(
  sought: SearchView,
  wallets: readonly WalletView[],
): readonly [tone: 'good' | 'bad' | 'info' | 'warn', text: string] {
  if (sought.kind === 'fault') return ['warn', sought.reason];
  if (sought.kind === 'not-found') return ['info', texts.addresses.notFound(sought.searched)];
  const wallet = wallets.find(({ id }) => id === sought.owner.walletId);
  return wallet && isForeignWallet(wallet, wallets)
    ? ['bad', texts.addresses.foundUnproven(sought.place)]
    : ['good', texts.addresses.found(sought.place)];
}
