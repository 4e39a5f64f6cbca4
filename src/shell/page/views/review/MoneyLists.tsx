import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NetworkName } from '../../../../core/network/networks.ts';
import type { InputReviewJson, OutputReviewJson, ReviewJson } from '../../../../core/review/text/reviewJson.ts';
import { isSilentPaymentText } from '../../../../core/silentPayments/address.ts';
import { texts } from '../../texts.ts';
import { AddressDialog } from '../AddressDialog.tsx';
import { Amount, Badge, Card, CopyButton, Grouped, useShortened } from '../parts.tsx';
import { outputKind } from './outputKind.ts';
import { ageText, hasOpenInputs, isOpenOutput, ownerText } from './summary.ts';

interface ListProps {
  readonly review: ReviewJson;
  readonly network: NetworkName;
}

export function OutputList({ review, network }: ListProps): JSX.Element {
  const [shownOutputs, more] = useShortened([...review.outputs].sort((a, b) => Number(a.stays) - Number(b.stays)));
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
  const [tone, title, help] = outputKind(output);
  return (
    <li class={`money ${output.stays ? 'change' : 'payment'}${isOpen ? ' open' : ''}`}>
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

function Payee({
  address,
  scriptPubKey,
}: {
  readonly address: string | undefined;
  readonly scriptPubKey: string | undefined;
}): JSX.Element | null {
  const [isComparing, setIsComparing] = useState(false);
  const { compare, compareAll } = texts.review;
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
        <button type="button" class="quiet" aria-label={`${compare}: ${address}`} onClick={() => setIsComparing(true)}>
          {isSilentPaymentText(address) ? compareAll : compare}
        </button>
      </span>
      {isComparing && <AddressDialog address={address} onClose={() => setIsComparing(false)} />}
    </div>
  );
}

export function InputList({ review, network }: ListProps): JSX.Element {
  const [shownInputs, more] = useShortened(review.inputs, 10);
  const title = review.purpose.kind === 'payment' ? texts.review.inputs : texts.review.proven;
  return (
    <Card title={title(review.inputs.length)}>
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
        {ownerText(input)}. {trustText(input)} {relativeLock && ageText(relativeLock)}
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

function trustText({ amountTrust, amountProof }: InputReviewJson): string {
  if (amountProof) return texts.review.amountProofs[amountProof];
  return amountTrust === 'unknown' ? texts.review.unknownAmount : texts.review.claimedAmount;
}

function signatureText({ isFinal, isFinalValid, signatures, missingSignatures }: InputReviewJson): string {
  if (isFinal && isFinalValid) return texts.review.finalInput;
  return texts.review.signatures(signatures.filter(({ state }) => state === 'valid').length, missingSignatures.length);
}
