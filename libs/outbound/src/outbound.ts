// The only way in which the server calls a URL that an administrator of a project has configured. Such a URL may point
// at this machine, at its network or at a hostile server: addresses are checked before the connection and are the ones
// connected to, redirects are not followed, and time and size have limits.
import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { AppError, fail } from '#libs/errors';
import { type HttpAnswer, type HttpCall, type HttpRequest, isRecord } from '#libs/wire';
import { checkOutboundUrl } from './check-url.js';
import { openDeadline } from './deadline.js';
import { acceptedEncodings, readText, UnusableAnswer } from './read-answer.js';
import { resolveHost, type HostAddress, type Lookup } from './resolve-host.js';

const defaultTimeoutMs = 5000;
const defaultMaxBytes = 1024 * 1024;
const maxHeaderBytes = 16 * 1024;
/** How long the connection to one address may take before the next address is tried beside it. */
const addressTimeoutMs = 1000;

/** Headers that belong to the connection; a caller cannot set them. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Calls a URL. Resolves for every status, also for a redirect. Throws OUTBOUND_REFUSED (400) for an address that must
 * not be called, OUTBOUND_FAILED (502), OUTBOUND_TIMEOUT (504), and REQUEST_ABORTED (499) if the signal aborts the
 * call; the details of a failure contain the reason.
 */
export type Outbound = HttpCall;

export interface OutboundOptions {
  /** `host` or `host:port` that may be private; configured by the operator of the deployment. */
  readonly allowedHosts: readonly string[];
  /** Finds the addresses of every name. Default: DNS queries; the lookup of the system for allowed hosts. */
  readonly lookup?: Lookup;
}

/** An {@link Outbound}. It keeps no connection and needs no closing. */
export function createOutbound({ allowedHosts, lookup }: OutboundOptions): Outbound {
  return async (request) => {
    const url = checkOutboundUrl(request.url, allowedHosts);
    const { host } = url;
    const deadline = openDeadline(host, request.timeoutMs ?? defaultTimeoutMs, request.signal);
    const { signal } = deadline;
    try {
      const found = resolveHost(url, allowedHosts, signal, lookup);
      const addresses = await deadline.race(found);
      return await deadline.race(exchange({ url, request, addresses, signal }));
    } catch (error) {
      throw translate(error, host);
    } finally {
      deadline.close();
    }
  };
}

interface Exchange {
  readonly url: URL;
  readonly request: HttpRequest;
  readonly addresses: readonly HostAddress[];
  readonly signal: AbortSignal;
}

async function exchange(call: Exchange): Promise<HttpAnswer> {
  const answer = await open(call);
  try {
    const status = answer.statusCode ?? 0;
    if (status < 200 || status > 599) throw new UnusableAnswer(`the answer has status ${status}`);
    const headers = headersOf(answer);
    const text = await readText(answer, call.request.maxBytes ?? defaultMaxBytes);
    return { status, headers, text };
  } finally {
    answer.destroy();
  }
}

function open({ url, request, addresses, signal }: Exchange): Promise<IncomingMessage> {
  const { body } = request;
  const options: RequestOptions & { autoSelectFamilyAttemptTimeout: number } = {
    method: request.method ?? 'GET',
    headers: requestHeaders(request.headers ?? {}, body),
    // A connection of its own, so that the call cannot reuse a connection to another address of the name.
    agent: false,
    signal,
    lookup: givenAddresses(addresses),
    maxHeaderSize: maxHeaderBytes,
    autoSelectFamilyAttemptTimeout: addressTimeoutMs,
  };
  return new Promise((resolve, reject) => {
    const sent =
      url.protocol === 'https:'
        ? requestSecure(url, { ...options, rejectUnauthorized: true })
        : requestPlain(url, options);
    sent.once('response', resolve);
    // After the answer has begun, its own stream reports errors; this listener stays for both.
    sent.on('error', reject);
    // A server that switches protocols ends the request with neither answer nor error.
    sent.once('close', () => reject(new UnusableAnswer('the connection was closed too early')));
    sent.end(body);
  });
}

/** Returns the checked addresses instead of a second lookup, so that the name cannot lead elsewhere meanwhile. */
function givenAddresses(addresses: readonly HostAddress[]): LookupFunction {
  return (_name, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function requestHeaders(
  given: Readonly<Record<string, string>>,
  body: string | undefined,
): Record<string, string> {
  const kept = Object.entries(given).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  return {
    accept: '*/*',
    'user-agent': 'rowhouse',
    ...Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), value])),
    'accept-encoding': acceptedEncodings,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  };
}

function headersOf(answer: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < answer.rawHeaders.length; index += 2) {
    headers.append(answer.rawHeaders[index] ?? '', answer.rawHeaders[index + 1] ?? '');
  }
  return headers;
}

function translate(error: unknown, host: string): AppError {
  if (error instanceof AppError) return error;
  return fail('OUTBOUND_FAILED', { host }, { cause: error, details: { reason: reasonOf(error) } });
}

/** The code of a network failure (`ECONNREFUSED`, `CERT_HAS_EXPIRED`), which administrators look for. */
function reasonOf(error: unknown): string {
  if (error instanceof UnusableAnswer) return error.message;
  const code = isRecord(error) ? error['code'] : undefined;
  return typeof code === 'string' ? code : 'the connection failed';
}
