// The socket over which the functions of one project reach that project, and no other: its address may be one of this
// machine, which they cannot reach over the network.
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

import type { Account } from './command.js';
import type { FunctionsProject } from './types.js';

export interface OwnApi {
  readonly socket: string;
  close(): Promise<void>;
}

/** Opens the socket in a new folder below `parent`. */
export async function openOwnApi(
  parent: string,
  account: Account | undefined,
  project: Pick<FunctionsProject, 'url' | 'serve'>,
): Promise<OwnApi> {
  const folder = await mkdtemp(join(parent, 'p'));
  const socket = join(folder, 'api');
  const server = createServer((request, response) => {
    if (accept(request, project.url())) project.serve(request, response);
    else refuse(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socket, resolve);
  });
  if (account !== undefined) {
    await chown(socket, 0, account.gid);
    await chmod(socket, 0o660);
    await chown(folder, 0, account.gid);
  }
  // Deno lets functions write to the path of the socket: they must not put a file in its place.
  await chmod(folder, account === undefined ? 0o500 : 0o510);
  return {
    socket,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await chmod(folder, 0o700);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether the request is for the project; takes out what only proxies before the server may say. */
export function accept(request: IncomingMessage, url: URL): boolean {
  const target = request.url ?? '/';
  if (!target.startsWith('/')) {
    // The form that clients of proxies use (RFC 9112 §3.2.2).
    if (!URL.canParse(target)) return false;
    const { host, pathname, search } = new URL(target);
    if (host !== url.host) return false;
    request.url = pathname + search;
  }
  if (request.headers.host !== url.host) return false;
  removeHeaders(request);
  return true;
}

function removeHeaders(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) {
    if (isTrusted(name)) delete request.headers[name];
  }
  const { rawHeaders } = request;
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    if (isTrusted((rawHeaders[at] ?? '').toLowerCase())) rawHeaders.splice(at, 2);
  }
}

function isTrusted(name: string): boolean {
  return name === 'forwarded' || name.startsWith('x-forwarded-') || name.startsWith('x-rowhouse-');
}

/** Its project is the only one here (RFC 9110 §15.5.20). */
function refuse(response: ServerResponse): void {
  response.writeHead(421, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ message: 'Functions reach their own project alone here' }));
}
