/** Edge functions of a project: `client.functions`. */
import { refusal } from './answer.js';
import { needTexts } from './auth/wire.js';
import { toJson } from './body.js';
import { encodePath, known } from './buckets/call.js';
import { RowhouseError, unreachable } from './error.js';
import { parseJson } from './json.js';
import { headerRecord, type HeaderValues } from './options.js';
import type { Exchange, Method, WireAnswer, WireRequest } from './request.js';

export interface InvokeOptions {
  /** Default POST. */
  readonly method?: Method | undefined;
  /**
   * Text, a blob, a buffer or a view of one, a form, parameters of a URL and a stream are sent as they are, everything
   * else as JSON.
   */
  readonly body?: unknown;
  /** Override the headers of the client and the media type of the body. */
  readonly headers?: HeaderValues | undefined;
  /**
   * A token in place of the session: an edge token (`svc_edge_…`), or any other token as bearer. False sends no
   * session.
   */
  readonly auth?: string | false | undefined;
  /** Ignored: a project is in one place. */
  readonly region?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a call: test `error` before using `data`. */
export type InvokeAnswer<Data> =
  | { readonly data: Data; readonly error: null; readonly response: Response }
  | {
      readonly data: null;
      readonly error: RowhouseError;
      /** Undefined if no answer came. Its body was read into `error.details`. */
      readonly response: Response | undefined;
    };

/** Content that `fetch` sends as it is. It takes all views of a buffer, not only these two. */
type Content = Exclude<WireRequest['body'], string | undefined>;

/** Calls edge functions. */
export class FunctionsClient {
  readonly #asUser: Exchange;
  readonly #asKey: Exchange;
  #auth: InvokeOptions['auth'];

  /** @internal Created by the client. */
  constructor(asUser: Exchange, asKey: Exchange) {
    this.#asUser = asUser;
    this.#asKey = asKey;
  }

  /** Sends a token in place of the session from now on; null sends the session again. */
  setAuth(token: string | null): void {
    this.#auth = token ?? undefined;
  }

  /**
   * Calls a function by its route; a path and a query below it may follow: `invoke('pay/refund?id=7')`. It never
   * rejects, and the request is sent once. The data is JSON, text, a form or a blob by the media type of the answer, and
   * an unread stream for `text/event-stream`. The type of the data is not checked. If the function answers with another
   * status than 2xx, its body is the `details` of the error.
   */
  async invoke<Data = unknown>(
    name: string,
    options: InvokeOptions = {},
  ): Promise<InvokeAnswer<Data>> {
    let response: Response | undefined;
    try {
      const answer = await this.#send(name, options);
      response = answer.response;
      if (!response?.ok) throw refusal(answer, true).error;
      // The function answers in the type that the caller declares.
      return { data: (await readData(response)) as Data, error: null, response };
    } catch (thrown) {
      return { data: null, error: unreachable(thrown), response };
    }
  }

  #send(name: string, options: InvokeOptions): Promise<WireAnswer> {
    const {
      method = 'POST',
      body,
      headers,
      auth = this.#auth,
      signal,
    } = known(options, ['method', 'body', 'headers', 'auth', 'region', 'signal']);
    needTexts({ name });
    const end = name.search(/\?|$/);
    const [content, type] = contentOf(body);
    const exchange = auth === undefined ? this.#asUser : this.#asKey;
    return exchange({
      method,
      path: `/api/edge/${encodePath(name.slice(0, end))}${name.slice(end).replaceAll('#', '%23')}`,
      headers: {
        ...(type && { 'content-type': type }),
        ...(auth && credential(auth)),
        ...headerRecord(headers),
      },
      body: content,
      signal,
      retries: false,
      reads: 'stream',
    });
  }
}

function credential(token: string): Record<string, string> {
  if (token.startsWith('svc_edge_')) return { 'x-service-edge-token': token };
  return { authorization: `Bearer ${token}` };
}

/** A body as it is sent, and its media type unless `fetch` adds it: that of a form has its boundary. */
function contentOf(body: unknown): readonly [WireRequest['body'], string?] {
  if (body === undefined || body === null) return [undefined];
  if (typeof body === 'string') return [body, 'text/plain;charset=UTF-8'];
  if (!isContent(body)) return [toJson(body), 'application/json'];
  if ('getAll' in body) return [body];
  return [body, ('type' in body && body.type) || 'application/octet-stream'];
}

/** Checked by methods, which JSON does not have: other frames and runtimes have classes of their own. */
function isContent(body: unknown): body is Content {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const has = (name: string) => typeof Reflect.get(body, name) === 'function';
  return ArrayBuffer.isView(body) || has('slice') || has('getAll') || has('getReader');
}

async function readData(response: Response): Promise<unknown> {
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(/ *;/);
  if (type === 'text/event-stream') return response.body;
  if (type === 'multipart/form-data') return response.formData();
  const isText = type.startsWith('text/');
  const isJson = /^application\/json$|\+json$/.test(type);
  if (type && !isText && !isJson) return response.blob();
  const text = await response.text();
  if (text === '' && !isText) return null;
  if (!isJson) return text;
  const value = parseJson(text);
  if (value !== undefined) return value;
  const { status } = response;
  throw new RowhouseError('The answer is not JSON', { status, code: '', details: text });
}
