import { texts } from '../../../../../src/shell/page/texts.ts';
import { createFrameReader, type ScannedContent } from '../../../../support/library.ts';
import { codeIn } from '../codesOnScreen.ts';
import { readFocus } from '../inPage.ts';
import type { Driver } from './driver.ts';

/** Finds a button by its name. */
export const button = (name: string): string => `//button[normalize-space()="${name}" or @aria-label="${name}"]`;
/** Finds a step of the page. */
export const step = (name: string): string =>
  `//nav[@aria-label="${texts.steps.label}"]//button[contains(., "${name}")]`;
/** Finds a field by its label. */
export const field = (label: string): string => `//*[@id=//label[normalize-space()="${label}"]/@for]`;
/** Finds the label of a choice, which is what a person clicks. */
export const choice = (label: string): string => `//label[normalize-space()="${label}"]`;
/** Finds the heading of a view. */
export const title = (name: string): string => `//h1[normalize-space()="${name}"]`;
/** Finds an element with a text. */
export const text = (part: string): string => `//*[text()[contains(., "${part}")]]`;

/** The input that opens files. */
export const FILE = '//input[@type="file"]';

/** Keys as a person types them. */
interface Words {
  readonly words: string;
  readonly passphrase: string;
}

/** Types seed words and their passphrase, and waits until the wallet is there. */
export async function typeWords(driver: Driver, { words, passphrase }: Words): Promise<void> {
  await driver.type(field(texts.keys.words), words);
  // The words were read once their checksum is judged.
  await driver.see(text(texts.keys.checksumRight(words.split(' ').length)));
  await driver.type(field(texts.keys.passphrase), passphrase);
  await driver.select(field(texts.keys.network), 'main');
  await driver.select(field(texts.keys.purpose), '84');
  await driver.click(button(texts.keys.submit));
  await driver.see(button(texts.session.wipe));
}

const MOST_TABS = 60;

/** Moves the focus to a control by the Tab key alone, and expects to see each focus. @returns the names on the way */
export async function tabTo(driver: Driver, name: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let i = 0; i < MOST_TABS; i += 1) {
    await driver.press('Tab');
    const focus = await driver.run(readFocus);
    names.push(focus.name);
    if (!focus.isSeen) throw new Error(`The focus of ${focus.name} is not seen`);
    if (focus.name === name) return names;
  }
  throw new Error(`The Tab key does not lead to ${name}, but to ${names.join(', ')}`);
}

const MOST_CODES = 60;

/** Chooses a format and reads the codes that the page shows, from pictures of the screen. */
export async function readCodes(driver: Driver, format: 'bbqr' | 'ur'): Promise<ScannedContent> {
  await driver.click(choice(texts.codes[format]));
  const buttons = await driver.run(() =>
    [...document.querySelectorAll('.code-frame button')].map((each) => each.textContent),
  );
  if (buttons.includes(texts.codes.pause)) await driver.click(button(texts.codes.pause));
  const reader = createFrameReader();
  for (let i = 0; i < MOST_CODES; i += 1) {
    const code = codeIn(await driver.picture('//canvas'));
    const state = code === undefined ? undefined : reader.add(code);
    if (state?.status === 'complete') return state.scanned;
    if (buttons.length > 1) await driver.click(button(texts.codes.next));
  }
  throw new Error(`The codes were not complete after ${MOST_CODES} pictures`);
}

/** Reads the values of the fields of texts that cannot be changed. */
export const shownTexts = (driver: Driver): Promise<string[]> =>
  driver.run(() => [...document.querySelectorAll('textarea')].flatMap((area) => (area.readOnly ? area.value : [])));
