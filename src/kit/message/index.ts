export type { SessionOptions } from '../../core/signing/sessionOptions.ts';
export type { MessageFormat } from './formats.ts';
export { formatMessagePsbt, messagePsbt } from './messagePsbt.ts';
export { type MessageRequest, parseMessageRequest, type SingleKeyAddress } from './messageRequest.ts';
export { formatSignedMessage, parseSignedMessage, type SignedMessageFile } from './signedMessageFile.ts';
export { type MessageAddress, type ProvenCoin, type SignMessageInput, signMessage } from './signMessage.ts';
export { type MessageFault, type MessageOutcome, type VerifyMessageInput, verifyMessage } from './verifyMessage.ts';
