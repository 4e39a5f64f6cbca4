import puppeteer, { type Browser, type LaunchOptions, type Page, ProtocolError } from 'puppeteer-core';
import { recordFaults } from '../inPage.ts';
import { CHROMIUM, CHROMIUM_ARGUMENTS, FIREFOX } from '../installed.ts';
import { type Driver, type Engine, PATIENCE, type Start } from './driver.ts';

const chromiumOptions = ({ proxy }: Start): LaunchOptions => ({
  browser: 'chrome',
  executablePath: CHROMIUM,
  args: [...CHROMIUM_ARGUMENTS, `--proxy-server=127.0.0.1:${proxy}`],
});

const firefoxOptions = ({ proxy }: Start): LaunchOptions => ({
  browser: 'firefox',
  executablePath: FIREFOX,
  // Firefox heeds another server of settings only with this variable.
  env: { ...process.env, MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' },
  extraPrefsFirefox: {
    'network.proxy.type': 1,
    'network.proxy.http': '127.0.0.1',
    'network.proxy.http_port': proxy,
    'network.proxy.ssl': '127.0.0.1',
    'network.proxy.ssl_port': proxy,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
  },
});

const at = (xpath: string): string => `xpath/${xpath}`;

/** Drives a page with puppeteer: Chromium by its own protocol, Firefox by WebDriver BiDi. */
function drive(browser: Browser, page: Page, version: string): Omit<Driver, 'isPhone'> {
  return {
    version,
    open: async (url) => void (await page.goto(url)),
    see: async (xpath) => void (await page.locator(at(xpath)).wait()),
    click: (xpath) => page.locator(at(xpath)).click(),
    type: async (xpath, text) => {
      await page.locator(at(xpath)).click();
      await page.keyboard.type(text);
    },
    control: async (key) => {
      await page.keyboard.down('Control');
      await page.keyboard.press(key);
      await page.keyboard.up('Control');
    },
    press: (key) => page.keyboard.press(key),
    write: (text) => page.keyboard.type(text),
    select: (xpath, value) => page.locator(at(xpath)).fill(value),
    chooseFile: async (xpath, path) => {
      const input = await page.waitForSelector(at(`${xpath}[self::input]`));
      await (await input?.toElement('input'))?.uploadFile(path);
    },
    picture: async (xpath) => {
      const element = await page.waitForSelector(at(xpath), { visible: true });
      if (!element) throw new Error(`${xpath} is not in the page`);
      return Buffer.from(await element.screenshot());
    },
    run: (task) => page.evaluate(task) as ReturnType<typeof task> as never,
    leaveFor: async (url) => void (await page.goto(url).catch(() => undefined)),
    close: () => browser.close(),
  };
}

/** Returns false for Firefox 140, which does not know the command that turns the screen. */
async function becomePhone(page: Page, size: Pick<Start, 'width' | 'height'>): Promise<boolean> {
  try {
    await page.setViewport(size);
    return true;
  } catch (error) {
    if (!(error instanceof ProtocolError && error.message.includes('unknown command'))) throw error;
    return false;
  }
}

async function start(options: LaunchOptions, { width, height }: Start): Promise<Driver> {
  const browser = await puppeteer.launch({ headless: true, defaultViewport: null, ...options });
  const [page = await browser.newPage()] = await browser.pages();
  page.setDefaultTimeout(PATIENCE);
  const isPhone = await becomePhone(page, { width, height });
  await page.evaluateOnNewDocument(recordFaults);
  return { ...drive(browser, page, await browser.version()), isPhone };
}

export const chromium: Engine = {
  name: 'Chromium',
  needs: { [CHROMIUM]: 'chromium' },
  start: (given) => start(chromiumOptions(given), given),
};

export const firefox: Engine = {
  name: 'Firefox',
  needs: { [FIREFOX]: 'firefox-esr' },
  start: async (given) => {
    const driver = await start(firefoxOptions(given), given);
    // Firefox 153 presses no button for a key of WebDriver BiDi, not even in an empty page.
    const press: Driver['press'] = async (key) => {
      if (key !== 'Enter' || !(await driver.run(clickFocused))) await driver.press(key);
    };
    return { ...driver, press };
  },
};

/** Clicks the button that has the focus, if one has it. */
function clickFocused(): boolean {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLButtonElement)) return false;
  activeElement.click();
  return true;
}
