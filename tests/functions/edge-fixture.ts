// A project with functions that run in Deno, behind the real API.
import { createHmac } from 'node:crypto';

import { expect } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';

const path = '/api/admin/functions';
type Files = Readonly<Record<string, string>>;

/** Requests of administrators to the functions of a project, with the secret key. */
export class EdgeProject {
  constructor(readonly project: ProjectUnderTest) {}

  admin(method: string, below: string, body?: unknown): Promise<Reply> {
    return this.project.asService({ method, path: `${path}${below}`, body });
  }

  /** The answer to a request of administrators. Throws when it is refused. */
  async asked(method: string, below: string, body?: unknown): Promise<Record<string, unknown>> {
    const reply = await this.admin(method, below, body);
    if (reply.status >= 300) throw new Error(`${method} ${below}: ${reply.status} ${reply.text}`);
    return reply.text === '' ? {} : asRecord(reply.body);
  }

  async list(below: string, name: string): Promise<readonly Record<string, unknown>[]> {
    const list = (await this.asked('GET', below))[name];
    if (!Array.isArray(list)) throw new Error(`no list ${name}`);
    return list.map(asRecord);
  }

  /** Makes a function with one file, or those given. */
  create(slug: string, code: string | Files, more: object = {}): Promise<Record<string, unknown>> {
    return this.asked('POST', '', { slug, files: filesOf(code), ...more });
  }

  deploy(slug: string, code: string | Files): Promise<Record<string, unknown>> {
    return this.asked('PUT', `/${slug}`, { files: filesOf(code) });
  }

  /** Calls a function with the secret key, or with the headers given alone. */
  call(below: string, { headers, ...call }: Partial<Call> = {}): Promise<Reply> {
    const shown = headers ?? { apikey: this.project.secretKey };
    return this.project.send({ ...call, path: `/api/edge/${below}`, headers: shown });
  }
}

const filesOf = (code: string | Files): Files =>
  typeof code === 'string' ? { 'index.ts': code } : code;

/** Answers with a variable, or `none`. */
export const reading = (name: string): string =>
  `Deno.serve(() => new Response(Deno.env.get('${name}') ?? 'none'));`;

/** A project of the deployment whose functions may be public. */
export async function openEdgeProject(): Promise<{
  readonly deployment: Deployment;
  readonly edge: EdgeProject;
}> {
  const deployment = await Deployment.shared('functions');
  return { deployment, edge: new EdgeProject(await deployment.createProject()) };
}

/** Answers with a text. */
export const saying = (text: string): string => `Deno.serve(() => new Response('${text}'));`;

/** The claims of the token in `{token, key}`, whose signature is checked as functions do. */
export function claimsIn(body: unknown): Record<string, unknown> {
  const { token, key } = asRecord(body);
  const [header = '', payload = '', signature] = String(token).split('.');
  const signed = createHmac('sha256', String(key))
    .update(`${header}.${payload}`)
    .digest('base64url');
  expect(signature).toBe(signed);
  return asRecord(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
}
