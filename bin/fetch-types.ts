// Requests the types of a project. Every failure becomes one line for the user of the terminal.
import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { isRecord } from '#libs/wire';
import { CommandError } from './command-error.js';
import { systemErrorCode } from './start-error.js';

const timeoutMs = 30_000;

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly location: string | undefined;
  readonly body: string;
}

/** The types of the project at `projectUrl` as a TypeScript file. Throws CommandError. */
export async function fetchTypes(projectUrl: URL, secretKey: string): Promise<string> {
  const base = projectUrl.pathname.endsWith('/') ? projectUrl.pathname : `${projectUrl.pathname}/`;
  const url = new URL(`${base}api/admin/types`, projectUrl);
  const answer = await get(url, { apikey: secretKey, accept: 'text/plain' }).catch(
    (error: unknown) => {
      throw new CommandError(whyUnreachable(url, error), { cause: error });
    },
  );
  if (answer.status === 200 && answer.contentType.startsWith('text/plain')) return answer.body;
  throw new CommandError(whyRefused(url, answer));
}

async function get(url: URL, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    request(url, { ...addressOf(url), headers: { host: url.host, ...headers }, signal }, resolve)
      .on('error', reject)
      .end();
  });
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    location: response.headers.location,
    body: await text(response),
  };
}

/** Names below `localhost` are this machine (RFC 6761 §6.3), but not every resolver knows. */
function addressOf({ hostname }: URL): RequestOptions & { readonly servername?: string } {
  return hostname.endsWith('.localhost') ? { hostname: '127.0.0.1', servername: hostname } : {};
}

function whyUnreachable(url: URL, error: unknown): string {
  switch (systemErrorCode(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no host ${url.hostname}; check --url`;
    case 'ECONNREFUSED':
      return `Nothing answers at ${url.origin}; check --url and whether the server runs`;
    case 'ABORT_ERR':
    case 'ETIMEDOUT':
      return `${url.origin} did not answer within ${timeoutMs / 1000} seconds`;
    case undefined:
    default:
      return `${url.origin} cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function whyRefused(url: URL, { status, location, body }: Answer): string {
  const { code, message } = errorOf(body);
  if (status === 401 || status === 403) {
    return `${url.origin} does not accept the key; the secret key of this project (svc_secret_…) is needed`;
  }
  if (code === 'PROJECT_NOT_FOUND') return `There is no project at ${url.origin}; check --url`;
  if (status >= 300 && status < 400) {
    return `${url.origin} leads on to ${location ?? 'another address'}; give that address as --url`;
  }
  if (message !== undefined) return `${url.origin} answers ${status}: ${message}`;
  return `${url.href} answers ${status} and no types; is a project of Rowhouse there?`;
}

/** Code and message of an error body of the product; neither for any other text. */
function errorOf(body: string): { readonly code?: string; readonly message?: string } {
  const value = parsed(body);
  if (!isRecord(value)) return {};
  const { code, message } = value;
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message }),
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
