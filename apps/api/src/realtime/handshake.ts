// What a client shows when it connects: the host name leads to the project, `auth` of Socket.IO or the headers of the
// request to the credential. Cookies are not read, so a foreign page cannot connect in the name of its visitor.
import type { IncomingHttpHeaders } from 'node:http';

import type { Socket } from 'socket.io';

import type { Lease, ProjectRuntime } from '#libs/project-runtime';
import { invalidFrame } from '#libs/realtime-core';
import { assertionHeader } from '#libs/secrets';
import { type Credential, isRecord } from '#libs/wire';

import {
  impersonationHeader,
  readCredential,
  settleCredential,
  shownKeyHashes,
} from '../http/credential.js';
import { credentialContext } from '../http/credential-context.js';
import { hostOf, requireOneHost } from '../http/host.js';
import type { SocketDeps } from './socket-deps.js';

/** The project at whose host the client connects. Throws like the registry. */
export async function findProjectOf(
  { request }: Socket,
  { registry }: SocketDeps,
): Promise<Lease<ProjectRuntime>> {
  requireOneHost(request.rawHeaders);
  const host = hostOf(request.headers.host);
  return registry.acquireLive(host) ?? registry.acquire(host);
}

/** Throws INVALID_FRAME for values that are no texts, and the errors of reading and settling a credential. */
export async function credentialOf(
  { handshake, request }: Socket,
  project: ProjectRuntime,
  deps: SocketDeps,
): Promise<Credential> {
  return readToken(credentialHeaders(handshake.auth, request.headers), project, deps);
}

/** The hashes of the project keys that the client has shown; none for an operator, who needs no key. */
export function projectKeysOf({ handshake, request }: Socket): readonly string[] {
  const headers = credentialHeaders(handshake.auth, request.headers);
  return headers[assertionHeader] === undefined ? shownKeyHashes(headers) : [];
}

/** The credential of a token that replaces the one of the handshake: the project key stays. */
export function renewedCredential(
  { handshake, request }: Socket,
  token: string,
  project: ProjectRuntime,
  deps: SocketDeps,
): Promise<Credential> {
  const auth: Record<string, unknown> = { ...handshake.auth, token };
  return readToken(credentialHeaders(auth, request.headers), project, deps);
}

async function readToken(
  headers: IncomingHttpHeaders,
  project: ProjectRuntime,
  { assertionKey, now }: SocketDeps,
): Promise<Credential> {
  const context = credentialContext(project, {
    assertionKey,
    now,
    isOnRows: false,
    areKeysEnforced: project.rules.areKeysEnforced && headers[assertionHeader] === undefined,
    sessionCookie: () => undefined,
  });
  const credential = readCredential(headers, context);
  const { guards, auth } = project;
  return settleCredential(credential, { keyUses: auth.keyUses, thirdParty: guards.thirdParty });
}

/** The fields of `auth` take the place of the headers of the same meaning. */
function credentialHeaders(auth: unknown, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const given = isRecord(auth) ? auth : {};
  const token = textIn(given, 'token');
  const apikey = textIn(given, 'apikey');
  const impersonated = textIn(given, 'impersonate');
  return {
    ...headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(apikey !== undefined && { apikey }),
    ...(impersonated !== undefined && { [impersonationHeader]: impersonated }),
  };
}

function textIn(auth: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = auth[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') {
    throw invalidFrame(`auth.${field}`, 'must be a text');
  }
  return value;
}
