// A project whose accounts our own client uses: the way to it, its mails, and people who have just signed up.
import { expect } from 'vitest';

import { type AuthAnswer, type ClientOptions, createClient, type RowhouseClient } from '#libs/sdk';

import { asSuperuser, Deployment } from '../../support/deployment.js';
import type { Reply } from '../../support/http.js';
import { type MailServer, openMailServer } from '../../support/mail-server.js';
import type { ProjectUnderTest } from '../../support/project.js';
import { type Gateway, openGateway } from './gateway.js';

export const password = 'correct horse battery';
/** The application: nobody is there, redirects to it are looked at. */
export const site = 'https://app.example.org';

/** A client, and what its listener has heard so far. */
export interface Opened {
  readonly client: RowhouseClient;
  readonly auth: RowhouseClient['auth'];
  readonly events: string[];
}

export interface Person extends Opened {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

export interface Accounts {
  readonly deployment: Deployment;
  readonly project: ProjectUnderTest;
  readonly gateway: Gateway;
  readonly mails: MailServer;
  /** A client that has nothing in its storage. */
  open(options?: ClientOptions, key?: string): Opened;
  /** An address that nobody has. */
  newEmail(): string;
  /** A client that has just signed somebody new up, with the usual password. */
  signedUp(): Promise<Person>;
  /** Saves a group of settings. */
  save(group: string, values: object): Promise<void>;
  /** Rows of the project's database as the superuser sees them. */
  rows(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

interface Options {
  /** By group. */
  readonly settings?: Readonly<Record<string, object>>;
}

/** Makes a project that sends its mails to a server of its own and may call servers of this machine. */
export async function openAccounts({ settings = {} }: Options = {}): Promise<Accounts> {
  const mails = await openMailServer();
  const deployment = await Deployment.shared('outbound');
  const project = await deployment.createProject();
  const gateway = await openGateway(project);
  const save = (group: string, values: object) => saveSettings(project, group, values);
  const groups = {
    'security.rateLimit': { enabled: false },
    'auth.urls': { siteUrl: site },
    'email.smtp': mails.settings,
  };
  for (const [group, values] of Object.entries({ ...groups, ...settings })) {
    // One after the other: each save builds on the one before.
    await save(group, values);
  }
  let count = 0;
  const open = (options: ClientOptions = {}, key = project.publishableKey) =>
    opened(createClient(gateway.url, key, options));
  const newEmail = () => `person${(count += 1)}@example.org`;
  return {
    deployment,
    project,
    gateway,
    mails,
    open,
    newEmail,
    save,
    async signedUp() {
      const person = open();
      const email = newEmail();
      const { data, error } = await person.auth.signUp({ email, password });
      expect(error).toBeNull();
      const token = data.session?.access_token ?? '';
      return { ...person, email, id: data.user?.id ?? '', token };
    },
    rows: (text, values = []) => asSuperuser(text, { database: project.database, values }),
    async close() {
      await gateway.close();
      await deployment.close();
      await mails.close();
    },
  };
}

/** Saves a group of a project's settings. Throws when it is refused. */
export async function saveSettings(
  project: ProjectUnderTest,
  group: string,
  values: object,
): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body: values });
  if (reply.status !== 200) throw new Error(`${group}: ${reply.status} ${reply.text}`);
}

/** Begins to listen to a client. */
export function opened(client: RowhouseClient): Opened {
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => events.push(event));
  return { client, auth: client.auth, events };
}

/**
 * Everything that a client in this process has told its listener by now. What it tells waits for nothing but
 * its storage in memory, so it has been told once the loop has gone round.
 */
export async function eventsOf({ auth, events }: Opened): Promise<readonly string[]> {
  await auth.getSession();
  await new Promise((resolve) => setImmediate(resolve));
  return events;
}

/** The data of an answer. Throws the error when it is one. */
export async function dataOf<Data, Nothing>(
  answer: Promise<AuthAnswer<Data, Nothing>>,
): Promise<NonNullable<Data>> {
  const { data, error } = await answer;
  if (error !== null) throw error;
  if (data === null || data === undefined) throw new Error('the answer has no data');
  return data;
}

/** Follows an address of the project as a browser does that is sent there. */
export function visit(project: ProjectUnderTest, address: string, cookie?: string): Promise<Reply> {
  const { pathname, search } = new URL(address);
  const headers = cookie === undefined ? {} : { cookie };
  return project.send({ path: `${pathname}${search}`, headers });
}

/** Presses the button of the page behind a mailed link. */
export function pressButton(project: ProjectUnderTest, link: string): Promise<Reply> {
  const { pathname, search } = new URL(link);
  return project.send({
    method: 'POST',
    path: pathname,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': 'same-origin',
    },
    body: search.slice(1),
  });
}

/** Where an answer sends the browser. Throws when it sends nowhere. */
export function sentTo({ status, headers, text }: Reply): string {
  const { location } = headers;
  if (status !== 302 || location === undefined) throw new Error(`no redirect: ${status} ${text}`);
  return location;
}
