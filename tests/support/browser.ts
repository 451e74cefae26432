// Real Chromium, for what only a browser does: WebAuthn, cookies with their rules, storage, several tabs.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

import { describeIf } from '#libs/testing';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];

/** Where Chromium is: `CHROMIUM_PATH`, else Debian's package, else the search path. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined) return existsSync(named) ? named : undefined;
  const folders = [...FOLDERS, ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync);
}

/** `describe` where there is a Chromium; else skipped tests, with the reason in the output. */
export const describeWithBrowser = describeIf(
  findChromium() !== undefined,
  'there is no Chromium (Debian package chromium, or its path in CHROMIUM_PATH)',
);

export interface BrowserUnderTest {
  /**
   * A tab with cookies and storage of its own, at `url` when one is given. Further tabs of the same person:
   * `page.context().newPage()`. Any `<name>.localhost` leads to this machine.
   */
  newPage(url?: string): Promise<Page>;
  /** Cookies and storage of their own, for several tabs. */
  newPerson(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** Starts Chromium without a window. Throws when there is none: use it in {@link describeWithBrowser}. */
export async function openBrowser(): Promise<BrowserUnderTest> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('there is no Chromium');
  const browser: Browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--host-resolver-rules=MAP *.localhost 127.0.0.1',
      // Containers give Chromium little shared memory and, to root, no sandbox.
      '--disable-dev-shm-usage',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  const newPerson = (options: BrowserContextOptions = {}): Promise<BrowserContext> =>
    browser.newContext(options);
  return {
    newPerson,
    async newPage(url) {
      const page = await (await newPerson()).newPage();
      if (url !== undefined) await page.goto(url);
      return page;
    },
    close: () => browser.close(),
  };
}

/** A passkey as the authenticator keeps it. */
export interface StoredPasskey {
  /** Base64. */
  readonly credentialId: string;
  readonly rpId: string | undefined;
  readonly signCount: number;
}

export interface VirtualAuthenticator {
  passkeys(): Promise<readonly StoredPasskey[]>;
  /** Whether the person proves who they are when asked (finger, face, PIN). At first they do. */
  setUserVerified(verified: boolean): Promise<void>;
  /** Whether the person touches the authenticator when asked. At first they do. */
  setUserPresent(present: boolean): Promise<void>;
  /** Puts a counter back, as a cloned authenticator would show it. */
  setSignCount(credentialId: string, signCount: number): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Gives the page an authenticator of the machine itself that keeps passkeys and says yes to everything,
 * through the debugging protocol. `newPage` of the same person shares no authenticator: add one there too.
 */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const find = async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    async passkeys() {
      return (await find()).map(({ credentialId, rpId, signCount }) => ({
        credentialId,
        rpId,
        signCount,
      }));
    },
    async setUserVerified(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    async setUserPresent(enabled) {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    async setSignCount(credentialId, signCount) {
      const credential = (await find()).find((one) => one.credentialId === credentialId);
      if (credential === undefined) throw new Error(`no passkey ${credentialId}`);
      await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
      await session.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: { ...credential, signCount },
      });
    },
    async remove() {
      // The session stays: without it Chromium would look for authenticators of the machine and wait.
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
}
