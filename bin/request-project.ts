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
  /** Default: POST with a body, else GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** JSON. */
  readonly body?: string;
  /** How long the answer may take; default 30 seconds. */
  readonly timeoutMs?: number;
}

/** The project answers, and refuses the request. */
export class ProjectRefusal extends CommandError {
  /** The code of the error, if the answer is one of the product. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

const defaultTimeoutMs = 30_000;

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly location: string | undefined;
  readonly body: string;
}

/**
 * Returns the body of the answer of the project at `projectUrl`; empty for an answer without one. Throws CommandError,
 * and ProjectRefusal for an answer that is an error.
 */
export async function requestProject(projectUrl: URL, asked: ProjectRequest): Promise<string> {
  const url = addressIn(projectUrl, asked.path);
  const timeoutMs = asked.timeoutMs ?? defaultTimeoutMs;
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await send(url, asked, signal)
    .then(readAnswer)
    .catch((error: unknown) => {
      throw new CommandError(whyUnreachable(url, error, timeoutMs), { cause: error });
    });
  if (isWanted(answer, asked)) return answer.body;
  throw refusalOf(url, answer, asked.what);
}

/**
 * Returns the parts of an answer as they arrive, until the project ends it or the signal aborts. Throws CommandError,
 * and ProjectRefusal.
 */
export async function* streamProject(
  projectUrl: URL,
  asked: ProjectRequest,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const url = addressIn(projectUrl, asked.path);
  try {
    const response = await send(url, asked, signal);
    if (!isWanted(startOf(response), asked)) {
      throw refusalOf(url, await readAnswer(response), asked.what);
    }
    yield* response.setEncoding('utf8');
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof CommandError) throw error;
    throw new CommandError(whyUnreachable(url, error, defaultTimeoutMs), { cause: error });
  }
}

function addressIn(projectUrl: URL, path: string): URL {
  const base = projectUrl.pathname.endsWith('/') ? projectUrl.pathname : `${projectUrl.pathname}/`;
  return new URL(`${base}${path}`, projectUrl);
}

function isWanted({ status, contentType }: Omit<Answer, 'body'>, { accept }: ProjectRequest) {
  return status === 204 || (status >= 200 && status < 300 && contentType.startsWith(accept));
}

function send(
  url: URL,
  { method, secretKey, accept, body }: ProjectRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = {
    host: url.host,
    apikey: secretKey,
    accept,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
  };
  const options = {
    ...addressOf(url),
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    signal,
  };
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  return { ...startOf(response), body: await text(response) };
}

function startOf(response: IncomingMessage): Omit<Answer, 'body'> {
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    location: response.headers.location,
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

function refusalOf(url: URL, answer: Answer, what: string): ProjectRefusal {
  const error = errorOf(answer.body);
  return new ProjectRefusal(whyRefused(url, { ...answer, ...error }, what), error.code);
}

function whyRefused(
  url: URL,
  { status, location, code, message }: Answer & ErrorBody,
  what: string,
): string {
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

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
}

/** Code and message of an error body of the product; neither for any other text. */
function errorOf(body: string): ErrorBody {
  const value = parseJson(body);
  if (!isRecord(value)) return {};
  const { code, message } = value;
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message }),
  };
}
