/** Why a block or transaction is refused: Core's reject reason and debug message. @see Bitcoin Core `ValidationState` */
export interface Fault {
  readonly reason: string;
  readonly detail?: string;
}

/** @see Bitcoin Core `ValidationState::ToString` */
export const faultText = ({ reason, detail = '' }: Fault): string => (detail === '' ? reason : `${reason}, ${detail}`);
