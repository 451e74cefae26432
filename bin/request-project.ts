// Requests of commands to a running project. Every failure becomes one line for the user of the terminal.
import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { isRecord, parseJson } from '#libs/wire';
import { CommandError } from './command-error.js';
import { systemErrorCode } from './start-error.js';

export interface ProjectRequest {
  /** Below the address of the project, without a slash in front. */
  readonly path: string;
  readonly secretKey: string;
  /** The media type that the answer must have. */
  readonly accept: string;
  /** What the answer is, for the line that says that it is missing. */
  readonly what: string;
  /** JSON, which is sent with POST. */
  readonly body?: string;
  /** How long the answer may take; default 30 seconds. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly location: string | undefined;
  readonly body: string;
}

/** Returns the body of the answer of the project at `projectUrl`. Throws CommandError. */
export async function requestProject(projectUrl: URL, asked: ProjectRequest): Promise<string> {
  const base = projectUrl.pathname.endsWith('/') ? projectUrl.pathname : `${projectUrl.pathname}/`;
  const url = new URL(`${base}${asked.path}`, projectUrl);
  const timeoutMs = asked.timeoutMs ?? defaultTimeoutMs;
  const answer = await send(url, asked, timeoutMs).catch((error: unknown) => {
    throw new CommandError(whyUnreachable(url, error, timeoutMs), { cause: error });
  });
  if (answer.status === 200 && answer.contentType.startsWith(asked.accept)) return answer.body;
  throw new CommandError(whyRefused(url, answer, asked.what));
}

async function send(
  url: URL,
  { secretKey, accept, body }: ProjectRequest,
  timeoutMs: number,
): Promise<Answer> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = {
    host: url.host,
    apikey: secretKey,
    accept,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const method = body === undefined ? 'GET' : 'POST';
    request(url, { ...addressOf(url), method, headers, signal }, resolve)
      .on('error', reject)
      .end(body);
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

function whyUnreachable(url: URL, error: unknown, timeoutMs: number): string {
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

function whyRefused(url: URL, { status, location, body }: Answer, what: string): string {
  const { code, message } = errorOf(body);
  if (status === 401 || status === 403) {
    return `${url.origin} does not accept the key; the secret key of this project (svc_secret_…) is needed`;
  }
  if (code === 'PROJECT_NOT_FOUND') return `There is no project at ${url.origin}; check --url`;
  if (status >= 300 && status < 400) {
    return `${url.origin} leads on to ${location ?? 'another address'}; give that address as --url`;
  }
  if (message !== undefined) return `${url.origin} answers ${status}: ${message}`;
  return `${url.href} answers ${status} and no ${what}; is a project of Rowhouse there?`;
}

/** Code and message of an error body of the product; neither for any other text. */
function errorOf(body: string): { readonly code?: string; readonly message?: string } {
  const value = parseJson(body);
  if (!isRecord(value)) return {};
  const { code, message } = value;
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message }),
  };
}
