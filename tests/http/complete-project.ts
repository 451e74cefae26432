// A project with every way to sign in turned on, and what its people find in their mails and messages.
import { randomBytes } from 'node:crypto';

import { waitFor } from '#libs/testing';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { rowsOf } from './administration.js';

/** The application of the project: the only place, beside the project itself, that a redirect may lead to. */
export const site = 'https://app.example.com';

/** Addresses in no way out: nothing at them is ever called, they only have to be known. */
const customProvider = {
  providerId: 'acme',
  clientId: 'rowhouse',
  clientSecret: 'acme-secret',
  authorizationUrl: 'https://acme.example/authorize',
  tokenUrl: 'https://acme.example/token',
};

/** Settings under which every route of the auth engine is there, and no limit stops a test. */
export function completeSettings(
  sms: SmsGateway,
  providers: readonly object[] = [customProvider],
): Readonly<Record<string, object>> {
  return {
    'security.rateLimit': { enabled: false },
    'auth.urls': { siteUrl: site },
    'auth.social': { github: { enabled: true, clientId: 'hub', clientSecret: 'hub-secret' } },
    'auth.oauth.custom': { providers },
    'auth.methods.anonymous': { enabled: true },
    'auth.passkey': { enabled: true, rpId: 'localhost', rpName: 'Test' },
    'auth.twoFactor': { enabled: true, emailCodes: true, smsCodes: true },
    'auth.organization': { enabled: true, teamsEnabled: true },
    'auth.sso': { enabled: true },
    'auth.apiKey': { enabled: true },
    'phone.sms': {
      provider: 'webhook',
      webhook: { url: `${sms.origin}/hook`, secret: signingSecret },
    },
    'auth.phoneOtp': { enabled: true },
  };
}

const signingSecret = `whsec_${randomBytes(24).toString('base64')}`;

/** A project of the deployment under these settings. */
export async function createWith(
  deployment: Deployment,
  settings: Readonly<Record<string, object>>,
): Promise<ProjectUnderTest> {
  const project = await deployment.createProject();
  // Some groups need others: they are saved in the order of the table.
  for (const [group, values] of Object.entries(settings)) await save(project, group, values);
  return project;
}

export interface CompleteProject {
  readonly deployment: Deployment;
  /** Receives what the project sends to phones. */
  readonly sms: SmsGateway;
  readonly project: ProjectUnderTest;
  close(): Promise<void>;
}

/** A deployment with one project that has every way to sign in. */
export async function openCompleteProject(): Promise<CompleteProject> {
  const [deployment, sms] = await Promise.all([Deployment.shared('outbound'), openSmsGateway()]);
  return {
    deployment,
    sms,
    project: await createWith(deployment, completeSettings(sms)),
    async close() {
      await deployment.close();
      await sms.close();
    },
  };
}

/** Saves a group. Throws when it is refused. */
export async function save(project: ProjectUnderTest, group: string, body: object): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body });
  if (reply.status !== 200) throw new Error(`${group}: ${reply.status} ${reply.text}`);
}

/** A POST below `/api/auth`, by nobody unless `headers` say otherwise. */
export function post(
  project: ProjectUnderTest,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return project.send({ method: 'POST', path: `/api/auth${path}`, body, headers });
}

/** The answer of a request that must not fail. */
export async function done(reply: Promise<Reply>): Promise<Reply> {
  const got = await reply;
  if (got.status >= 400) throw new Error(`${got.status} ${got.text}`);
  return got;
}

/** The text of the oldest mail to an address that was not taken yet, once it is there. */
export async function takeMail(project: ProjectUnderTest, recipient: string): Promise<string> {
  let text: string | undefined;
  // Mails are written after the answer: nobody may learn from its time that there is one.
  await waitFor(async () => {
    const [mail] = await rowsOf(
      project,
      `delete from platform.inbox where id =
         (select id from platform.inbox where recipient = $1 order by id limit 1)
       returning text`,
      [recipient],
    );
    text = mail && String(mail['text']);
    return text !== undefined;
  });
  return text ?? '';
}

/** The link in the next mail to an address. */
export async function mailedLink(project: ProjectUnderTest, recipient: string): Promise<URL> {
  const text = await takeMail(project, recipient);
  const found = /https?:\/\/\S+\/api\/auth\/\S+/.exec(text)?.[0];
  if (found === undefined) throw new Error(`no link: ${text}`);
  return new URL(found);
}

/** The code in the next mail to an address. */
export async function mailedCode(project: ProjectUnderTest, recipient: string): Promise<string> {
  return codeIn(await takeMail(project, recipient));
}

/** The code in a text for people. */
export function codeIn(text: string): string {
  const code = /(?<!\S)\d{6}(?!\d)/.exec(text)?.[0];
  if (code === undefined) throw new Error(`no code: ${text}`);
  return code;
}

/** The cookies of an answer, as a browser sends them back. */
export function cookiesOf({ headers }: Reply): string {
  return (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
}

/** A text in the body of an answer. Throws when there is none. */
export function fieldOf(reply: Reply, name: string): string {
  const value = asRecord(reply.body)[name];
  if (typeof value !== 'string') throw new Error(`no ${name}: ${reply.status} ${reply.text}`);
  return value;
}

/** What an answer is refused with: `400 INVALID_INPUT`; the status alone where there is no code. */
export function outcomeOf({ status, body }: Reply): string {
  const code = typeof body === 'object' && body !== null ? Reflect.get(body, 'code') : undefined;
  return typeof code === 'string' ? `${status} ${code}` : String(status);
}
