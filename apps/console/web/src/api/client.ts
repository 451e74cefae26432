// The only way from the pages to the server: requests and answers have the types of the descriptions that the console and
// the API of projects serve.
import createClient, { type Middleware } from 'openapi-fetch';

import { currentSession, currentToken, endSession } from '../session/session.js';
import { checkAfter, checkConnection } from './connection.js';
import { actAsAdministrator, projectBase, servedPath } from './place.js';
import { problemOf, unreachable } from './problem.js';
import type { components as ProjectComponents, paths as ProjectPaths } from './project-schema.js';
import type { components, paths } from './schema.js';

export type Schemas = components['schemas'];
export type ProjectSchemas = ProjectComponents['schemas'];

/** Sends the token of the session, and ends the session when the server refuses it. */
const withSession: Middleware = {
  onRequest({ request }) {
    addCredentials(request.headers, new URL(request.url).pathname);
    return request;
  },
  onResponse: ({ request, response }) => {
    checkAfter(response);
    return endIfRefused(request.headers.get('authorization'), response);
  },
  onError({ error }) {
    if (error instanceof TypeError) void checkConnection();
  },
};

/** Adds what the session proves, unless the request has a credential of its own. */
export function addCredentials(headers: Headers, path: string): void {
  const session = currentSession();
  if (session && !headers.has('authorization')) {
    headers.set('authorization', `Bearer ${session.token}`);
  }
  if (session?.projectKey !== undefined) headers.set('apikey', session.projectKey);
  actAsAdministrator(headers, path);
}

/** Ends the session if it has ended elsewhere. A challenge of a sign-in or another operator's token is none of ours. */
export async function endIfRefused(
  authorization: string | null,
  response: Response,
): Promise<void> {
  if (response.status !== 401) return;
  const token = currentToken();
  if (token !== undefined && authorization === `Bearer ${token}`) {
    if (await isUnauthorized(response.clone())) endSession('ended');
  }
}

/** Whether the server refuses the token. A proxy in front of it answers 401 without its JSON. */
async function isUnauthorized(response: Response): Promise<boolean> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && 'code' in body
      ? body.code === 'UNAUTHORIZED'
      : true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export const api = createClient<paths>({ baseUrl: window.location.origin, credentials: 'omit' });
api.use(withSession);

/**
 * The routes for administrators of a project. The console forwards them with the capabilities of the operator; in the
 * studio, the project answers itself.
 */
export function projectApi(ref: string) {
  const baseUrl = window.location.origin + projectBase(ref);
  const client = createClient<ProjectPaths>({ baseUrl, credentials: 'omit' });
  client.use(withSession);
  return client;
}

/**
 * The response to a request that no description types, such as one on tables of a project; `path` is that of the
 * console's API. Throws Problem if there is no answer.
 */
export async function sendPlain(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const served = servedPath(path);
  addCredentials(headers, served);
  let response: Response;
  try {
    response = await fetch(window.location.origin + served, {
      ...init,
      headers,
      credentials: 'omit',
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    void checkConnection();
    throw unreachable();
  }
  checkAfter(response);
  await endIfRefused(headers.get('authorization'), response);
  return response;
}

interface Reply<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of an answer. Throws Problem for an error, and if there was no answer. */
export async function answer<Body>(asked: Promise<Reply<Body>>): Promise<Body> {
  let reply: Reply<Body>;
  try {
    reply = await asked;
  } catch (error) {
    if (error instanceof TypeError) throw unreachable();
    throw error;
  }
  if (!reply.response.ok) throw problemOf(reply.response, reply.error);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an answer without a body has the type undefined
  return reply.data as Body;
}

/** The header by which a request is of another token than that of the session. */
export const bearer = (token: string): { headers: { authorization: string } } => ({
  headers: { authorization: `Bearer ${token}` },
});
