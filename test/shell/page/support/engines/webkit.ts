import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Builder, By, Capabilities, Key, until, type WebDriver, type WebElement } from 'selenium-webdriver';
import { freePort } from '../../../../support/freePort.ts';
import { recordFaults } from '../inPage.ts';
import { WEBKIT_DRIVER, XVFB } from '../installed.ts';
import { type Driver, type Engine, PATIENCE, type Start } from './driver.ts';

/** Makes the browser's buttons small: a window must become as narrow as a phone. */
const GTK_STYLE = '* { min-width: 0; min-height: 0; padding: 0; border-width: 0; font-size: 1px; }';

/** The processes and files behind a browser. */
interface Behind {
  readonly port: number;
  readonly stop: () => void;
}

async function startProcesses(): Promise<Behind> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-webkit-'));
  mkdirSync(join(directory, 'gtk-3.0'));
  writeFileSync(join(directory, 'gtk-3.0', 'gtk.css'), GTK_STYLE);
  const screen = spawn(XVFB, ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const number = await new Promise<string>((resolve) =>
    screen.stdout.once('data', (data) => resolve(`${data}`.trim())),
  );
  const port = await freePort();
  const driver: ChildProcess = spawn(WEBKIT_DRIVER, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${number}`, XDG_CONFIG_HOME: directory },
  });
  const stop = (): void => {
    for (const each of [driver, screen]) each.kill();
    rmSync(directory, { recursive: true, force: true });
  };
  await untilAnswering(`http://127.0.0.1:${port}/status`).catch((error: unknown) => {
    stop();
    throw error;
  });
  return { port, stop };
}

async function untilAnswering(url: string): Promise<void> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${WEBKIT_DRIVER} does not answer`);
}

function drive(driver: WebDriver, version: string, stop: () => void): Driver {
  const find = async (xpath: string): Promise<WebElement> => {
    const element = await driver.wait(until.elementLocated(By.xpath(xpath)), PATIENCE, `${xpath} is not in the page`);
    return driver.wait(until.elementIsVisible(element), PATIENCE, `${xpath} is not visible`);
  };
  const click = async (xpath: string): Promise<WebElement> => {
    const element = await find(xpath);
    await driver.wait(until.elementIsEnabled(element), PATIENCE, `${xpath} is locked`);
    await element.click();
    return element;
  };
  const run: Driver['run'] = (task) =>
    driver.executeAsyncScript(`const done = arguments[0]; Promise.resolve((${task})()).then(done);`);
  return {
    isPhone: true,
    version,
    open: async (url) => {
      await driver.get(url);
      await run(recordFaults);
    },
    see: async (xpath) => void (await find(xpath)),
    click: async (xpath) => void (await click(xpath)),
    type: async (xpath, text) => (await click(xpath)).sendKeys(text),
    control: (key) => driver.actions().keyDown(Key.CONTROL).sendKeys(key).keyUp(Key.CONTROL).perform(),
    press: (key) =>
      driver
        .actions()
        .sendKeys(key === 'Tab' ? Key.TAB : Key.RETURN)
        .perform(),
    write: (text) => driver.actions().sendKeys(text).perform(),
    select: async (xpath, value) => (await find(xpath)).findElement(By.css(`option[value="${value}"]`)).click(),
    chooseFile: async (xpath, path) => driver.findElement(By.xpath(xpath)).sendKeys(path),
    picture: async (xpath) => {
      const element = await find(xpath);
      // A picture shows what is in the window, once it is drawn.
      await driver.executeAsyncScript(
        'arguments[0].scrollIntoView({ block: "center" }); requestAnimationFrame(() => setTimeout(arguments[1], 50));',
        element,
      );
      return Buffer.from(await element.takeScreenshot(), 'base64');
    },
    run,
    leaveFor: (url) => driver.get(url).catch(() => undefined),
    close: async () => {
      await driver.quit().finally(stop);
    },
  };
}

/** How long the driver may take to start its browser, which sometimes never answers it, in milliseconds. */
const START_PATIENCE = 60_000;

const within = <Result>(task: Promise<Result>, milliseconds: number): Promise<Result> =>
  Promise.race([
    task,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`${WEBKIT_DRIVER} did not start its browser`)), milliseconds);
    }),
  ]);

async function start({ proxy, width, height }: Start): Promise<Driver> {
  const { port, stop } = await startProcesses();
  try {
    const server = `127.0.0.1:${proxy}`;
    const capabilities = new Capabilities({
      browserName: 'MiniBrowser',
      timeouts: { pageLoad: PATIENCE, script: PATIENCE },
      proxy: { proxyType: 'manual', httpProxy: server, sslProxy: server, noProxy: ['127.0.0.1'] },
    });
    const builder = new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities);
    const driver = await within(Promise.resolve(builder.build()), START_PATIENCE);
    const border = await driver.executeScript<number>('return outerHeight - innerHeight');
    await driver
      .manage()
      .window()
      .setRect({ width, height: height + border });
    const version = (await driver.getCapabilities()).get('browserVersion');
    return drive(driver, `WebKitGTK ${version}`, stop);
  } catch (error) {
    stop();
    throw error;
  }
}

/** Starts the browser, and once more if it hangs. */
const startAgain = (given: Start): Promise<Driver> => start(given).catch(() => start(given));

export const webkit: Engine = {
  name: 'WebKit',
  needs: { [WEBKIT_DRIVER]: 'webkit2gtk-driver', [XVFB]: 'xvfb' },
  start: startAgain,
};
