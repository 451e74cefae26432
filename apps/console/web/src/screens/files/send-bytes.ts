// Sends bytes with a report of how many have gone, which `fetch` does not give.
import { addCredentials, endIfRefused } from '../../api/client.js';
import { servedPath } from '../../api/place.js';
import { unreachable } from '../../api/problem.js';

export interface BytesRequest {
  readonly method: 'POST' | 'PATCH';
  /** As the console names it; begins with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  readonly signal: AbortSignal;
  /** How many bytes of the body have been sent. */
  readonly onProgress: (sent: number) => void;
}

/** Returns the answer, whatever its status. Throws Problem if there is none, and the reason of the signal. */
export async function sendBytes(asked: BytesRequest): Promise<Response> {
  const path = servedPath(asked.path);
  const headers = new Headers(asked.headers);
  addCredentials(headers, path);
  const response = await exchange({ ...asked, path, headers });
  await endIfRefused(headers.get('authorization'), response);
  return response;
}

interface Exchange extends Omit<BytesRequest, 'headers'> {
  readonly headers: Headers;
}

function exchange(asked: Exchange): Promise<Response> {
  const { method, path, headers, body, signal, onProgress } = asked;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    request.open(method, window.location.origin + path);
    headers.forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => resolve(responseOf(request)));
    request.addEventListener('error', () => reject(unreachable()));
    request.addEventListener('abort', () => reject(signal.reason));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    signal.addEventListener('abort', abort);
    if (signal.aborted) reject(signal.reason);
    else request.send(body);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request;
  const lines = request.getAllResponseHeaders().trim().split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? responseText : null, { status, headers });
}
