import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NetworkName } from '../../../../core/network/networks.ts';
import { isChange } from '../../../../core/review/commitment.ts';
import type { InputReviewJson, OutputReviewJson, ReviewJson } from '../../../../core/review/text/reviewJson.ts';
import { texts } from '../../texts.ts';
import { AddressDialog } from '../AddressDialog.tsx';
import { usePage } from '../page.ts';
import { Amount, Badge, Card, CopyButton, Grouped, useShortened } from '../parts.tsx';
import { ageText, hasOpenInputs, isOpenOutput } from './summary.ts';

interface ListProps {
  readonly review: ReviewJson;
  readonly network: NetworkName;
}

export function OutputList({ review, network }: ListProps): JSX.Element {
  const [shownOutputs, more] = useShortened(
    [...review.outputs].sort((a, b) => Number(isChange(a)) - Number(isChange(b))),
  );
  return (
    <Card title={texts.review.outputs(review.outputs.length)}>
      <ul class="money-list">
        {shownOutputs.map((output) => (
          <OutputItem
            key={output.outputIndex}
            output={output}
            network={network}
            isOpen={isOpenOutput(review, output.outputIndex)}
          />
        ))}
      </ul>
      {more}
    </Card>
  );
}

function OutputItem({
  output,
  network,
  isOpen,
}: {
  readonly output: OutputReviewJson;
  readonly network: NetworkName;
  readonly isOpen: boolean;
}): JSX.Element {
  const [tone, title, help] = outputKind(output, usePlaceText());
  return (
    <li class={`money ${isChange(output) ? 'change' : 'payment'}${isOpen ? ' open' : ''}`}>
      <div class="money-head">
        <span>
          <Badge tone={tone}>{title}</Badge> {isOpen && <Badge tone="bad">{texts.review.open}</Badge>}{' '}
          <span class="help">{texts.review.output(output.outputIndex)}</span>
        </span>
        <Amount sats={BigInt(output.value)} network={network} />
      </div>
      <Payee address={payeeOf(output)} scriptPubKey={output.scriptPubKey} />
      {help && <p class="help">{help}</p>}
      {isOpen && <p class="help">{texts.review.openHelp}</p>}
    </li>
  );
}

/** A claimed address is shown in the help, beside what the output pays in truth. */
const payeeOf = ({ silentPayment: silent, address }: OutputReviewJson): string | undefined =>
  silent && silent.status !== 'claimed' && silent.status !== 'refuted' ? silent.address : address;

type Place = NonNullable<OutputReviewJson['verifiedOwner']>;

/** Names a place as `change address 3`, and its wallet if several are open. */
function usePlaceText(): (place: Place) => string {
  const { wallets, document } = usePage().state;
  return ({ descriptor, position, index }) => {
    const id = document?.descriptorWallets[descriptor];
    const wallet = wallets.length > 1 ? wallets.find((each) => each.id === id) : undefined;
    const text = texts.review.place(position === 1 ? 'change' : 'receive', index);
    return wallet ? texts.review.placeInWallet(text, wallet.name) : text;
  };
}

function outputKind(
  output: OutputReviewJson,
  place: (place: Place) => string,
): readonly ['good' | 'warn' | 'plain', string, string?] {
  const { verifiedChange, verifiedOwner, isOtherWallet, claimedKeys, scriptPubKey, silentPayment } = output;
  const { review } = texts;
  if (verifiedChange) return ['good', review.change, review.changeHelp(place(verifiedChange))];
  if (verifiedOwner && isOtherWallet) {
    return ['warn', review.otherWallet, review.otherWalletHelp(place(verifiedOwner))];
  }
  if (verifiedOwner) return ['warn', review.own, review.ownHelp(place(verifiedOwner))];
  if (silentPayment?.isOwn) return ['good', review.change, review.silentChangeHelp];
  if (silentPayment?.status === 'proven') return ['good', review.silentPayment, review.silentPaymentHelp];
  if (silentPayment?.status === 'conditional') {
    return ['warn', review.silentPaymentConditional, review.silentPaymentConditionalHelp];
  }
  if (silentPayment?.status === 'open') return ['plain', review.silentPaymentOpen, review.silentPaymentOpenHelp];
  if (silentPayment) {
    return ['warn', review.silentPaymentClaimed, review.silentPaymentClaimedHelp(silentPayment.address ?? '')];
  }
  if (claimedKeys.length > 0) return ['warn', review.claimsChange, review.claimsChangeHelp];
  return ['plain', scriptPubKey.startsWith('6a') ? review.opReturn : review.payment];
}

function Payee({
  address,
  scriptPubKey,
}: {
  readonly address: string | undefined;
  readonly scriptPubKey: string | undefined;
}): JSX.Element | null {
  const [isComparing, setIsComparing] = useState(false);
  if (address === undefined) {
    return scriptPubKey === undefined ? null : (
      <p>
        {texts.review.noAddress}: <code class="break">{scriptPubKey}</code>
      </p>
    );
  }
  return (
    <div class="with-action">
      <Grouped text={address} />
      <span class="actions">
        <CopyButton text={address} name={address} />
        <button
          type="button"
          class="quiet"
          aria-label={`${texts.review.compare}: ${address}`}
          onClick={() => setIsComparing(true)}
        >
          {texts.review.compare}
        </button>
      </span>
      {isComparing && <AddressDialog address={address} onClose={() => setIsComparing(false)} />}
    </div>
  );
}

export function InputList({ review, network }: ListProps): JSX.Element {
  const [shownInputs, more] = useShortened(review.inputs, 10);
  return (
    <Card title={texts.review.inputs(review.inputs.length)}>
      <ul class="money-list">
        {shownInputs.map((input) => (
          <InputItem key={input.inputIndex} input={input} network={network} />
        ))}
      </ul>
      {more}
      {hasOpenInputs(review) && <p class="help">{texts.review.openInputs}</p>}
    </Card>
  );
}

const TRUST_TONES = { proven: 'good', claimed: 'warn', unknown: 'bad' } as const;

function InputItem({
  input,
  network,
}: {
  readonly input: InputReviewJson;
  readonly network: NetworkName;
}): JSX.Element {
  const { inputIndex, amountTrust, value, txid, vout, relativeLock } = input;
  return (
    <li class="money">
      <div class="money-head">
        <span>
          <Badge tone={TRUST_TONES[amountTrust]}>{texts.review.trust[amountTrust]}</Badge>{' '}
          <span class="help">{texts.review.input(inputIndex)}</span>
        </span>
        {value === undefined ? texts.review.unknownAmountShort : <Amount sats={BigInt(value)} network={network} />}
      </div>
      <p class="help">
        {ownerText(input, usePlaceText())}. {trustText(input)} {relativeLock && ageText(relativeLock)}
      </p>
      <Payee address={input.address} scriptPubKey={input.scriptPubKey} />
      {txid !== undefined && (
        <p class="help">
          <code class="break">
            {txid}:{vout}
          </code>
        </p>
      )}
      <p class="help">{signatureText(input)}</p>
    </li>
  );
}

function ownerText({ verifiedOwner, hasOwnKey }: InputReviewJson, place: (place: Place) => string): string {
  const { review } = texts;
  if (verifiedOwner) return review.ownCoin(place(verifiedOwner));
  return hasOwnKey ? review.ownKey : review.foreignCoin;
}

function trustText({ amountTrust, amountProof }: InputReviewJson): string {
  if (amountProof) return texts.review.amountProofs[amountProof];
  return amountTrust === 'unknown' ? texts.review.unknownAmount : texts.review.claimedAmount;
}

function signatureText({ isFinal, isFinalValid, signatures, missingSignatures }: InputReviewJson): string {
  if (isFinal && isFinalValid) return texts.review.finalInput;
  return texts.review.signatures(signatures.filter(({ state }) => state === 'valid').length, missingSignatures.length);
}
