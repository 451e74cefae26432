// The program that Deno runs, in a process with one version of a function: it loads the code and hands it requests. It
// is copied to a folder of its own, so it imports nothing of the repository. It is no part of the sandbox, which is the
// command line of the process: the code can change all that is here.
import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';

type Handler = (request: Request, info: object) => unknown;

interface EventWithReason {
  readonly reason?: unknown;
  readonly error?: unknown;
  preventDefault(): void;
}

declare const Deno: {
  readonly args: readonly string[];
  readonly ppid: number;
  readonly env: {
    toObject(): object;
    set(name: string, value: string): void;
    delete(name: string): void;
  };
  readonly stdin: { readSync(bytes: Uint8Array): number | null };
  readonly stdout: { writeSync(bytes: Uint8Array): number };
  readonly permissions: { revokeSync(descriptor: { name: string; path?: string }): unknown };
  serve(options: object, handler: (request: Request) => Promise<Response>): unknown;
  createHttpClient(options: object): unknown;
  exit(this: void, code: number): never;
};
declare function addEventListener(name: string, listener: (event: EventWithReason) => void): void;

const [socket = '', entry = '', ownApi = '', projectOrigin = ''] = Deno.args;
const urlHeader = 'x-rowhouse-function-url';
const requestIdHeader = 'x-rowhouse-function-request';
const maxMessage = 10_000;
const parentCheckMs = 5_000;
/** How long code that has been loaded may take until it calls `Deno.serve`. */
const maxWaitMs = 5_000;

const { exit, stdout } = Deno;
const parent = Deno.ppid;
const requests = new AsyncLocalStorage<string>();
const encoder = new TextEncoder();

let handler: Handler | undefined;
let onError: ((error: unknown) => unknown) | undefined;
let register: () => void = () => undefined;
const registered = new Promise<void>((resolve) => (register = resolve));

function write(line: object): void {
  let bytes = encoder.encode(`${JSON.stringify(line)}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(stdout.writeSync(bytes));
}

function log(level: string, values: readonly unknown[]): void {
  const message = format(...values).slice(0, maxMessage);
  write({ level, message, at: Date.now(), requestId: requests.getStore() });
}

function replaceConsole(): void {
  for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    console[level] = (...values: unknown[]) => log(level, values);
  }
  console.dir = (value: unknown) => log('log', [value]);
  console.trace = (...values: unknown[]) =>
    log('debug', [new Error(format(...values)).stack?.replace(/^Error/, 'Trace')]);
  console.assert = (condition: unknown, ...values: unknown[]) => {
    if (!condition) log('error', ['Assertion failed:', ...values]);
  };
}

/** The code of a project reaches the project itself over a socket, and addresses of this machine not at all. */
function replaceFetch(): void {
  const client = Deno.createHttpClient({ proxy: { transport: 'unix', path: ownApi } });
  const fetchOutside = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!URL.canParse(url) || new URL(url).origin !== projectOrigin) {
      return fetchOutside(input, init);
    }
    const request = new Request(input, init);
    const plain = request.url.replace(/^https:/, 'http:');
    const own = plain === request.url ? request : new Request(plain, request);
    // Deno has an option `client`, which the types of Node.js lack.
    return fetchOutside(own, { client } as RequestInit);
  };
}

function serveInstead(first: unknown, second?: unknown): object {
  const options: Record<string, unknown> =
    typeof first === 'object' && first !== null ? { ...first } : {};
  const given = [first, second, options['handler']].find((each) => typeof each === 'function');
  if (given === undefined) throw new TypeError('Deno.serve needs a handler');
  // Functions have no other types at run time.
  handler = given as Handler;
  const { onError: handleError, onListen } = options;
  if (typeof handleError === 'function') onError = handleError as typeof onError; // The same.
  register();
  const addr = { transport: 'tcp', hostname: '0.0.0.0', port: 8000 };
  if (typeof onListen === 'function') onListen(addr);
  const finished = new Promise<void>(() => undefined);
  const end = () => Promise.resolve();
  const nothing = () => undefined;
  return {
    addr,
    finished,
    ref: nothing,
    unref: nothing,
    shutdown: end,
    [Symbol.asyncDispose]: end,
  };
}

function replaceServe(): void {
  Object.defineProperty(Deno, 'serve', { value: serveInstead });
  Object.defineProperty(Deno, 'args', { value: [] });
  let pending = 0;
  const count = (change: number) => write({ pending: (pending += change) });
  const waitUntil = (promise: unknown) => {
    count(1);
    void Promise.resolve(promise)
      .catch((error: unknown) => console.error(error))
      .finally(() => count(-1));
  };
  Object.defineProperty(globalThis, 'EdgeRuntime', { value: { waitUntil } });
}

/** Replaces the environment of Deno by that of the code, which is all of the standard input, as JSON. */
function replaceEnvironment(): void {
  const decoder = new TextDecoder();
  const part = new Uint8Array(65_536);
  let text = '';
  for (let length; (length = Deno.stdin.readSync(part)) !== null;) {
    text += decoder.decode(part.subarray(0, length), { stream: true });
  }
  for (const name of Object.keys(Deno.env.toObject())) Deno.env.delete(name);
  // The server has written it.
  const variables: Record<string, string> = JSON.parse(text);
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
}

/** The memory of a process has no room for a second program in it: V8 would end the process. */
function replaceWorker(): void {
  const refuse = function Worker(): never {
    throw new TypeError('Functions have no workers');
  };
  Object.defineProperty(globalThis, 'Worker', { value: refuse });
}

/** The request as the client sent it: the address is in a header, because the socket has none. */
function publicRequest(request: Request): Request {
  const headers = new Headers(request.headers);
  const url = headers.get(urlHeader) ?? request.url;
  headers.delete(urlHeader);
  headers.delete(requestIdHeader);
  const { method, body, signal } = request;
  return new Request(url, { method, headers, body, signal, duplex: 'half' });
}

async function handle(request: Request): Promise<Response> {
  const info = { remoteAddr: { transport: 'tcp', hostname: '0.0.0.0', port: 0 } };
  try {
    return checked(await handler?.(request, info));
  } catch (error) {
    if (onError === undefined) throw error;
    return checked(await onError(error));
  }
}

function checked(answer: unknown): Response {
  if (answer instanceof Response) return answer;
  throw new TypeError('The handler has not returned a Response');
}

function answer(request: Request): Promise<Response> {
  return requests.run(request.headers.get(requestIdHeader) ?? '', async () => {
    try {
      return await handle(publicRequest(request));
    } catch (error) {
      console.error(error);
      const [status, requestId] = [500, requests.getStore()];
      const body = { message: 'The function failed', code: 'FUNCTION_FAILED', status, requestId };
      return Response.json(body, { status });
    }
  });
}

function keepAlive(): void {
  addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    console.error('Unhandled rejection:', event.reason);
  });
  addEventListener('error', (event) => {
    event.preventDefault();
    console.error('Uncaught error:', event.error);
  });
  // Without its server no request comes and no limit holds.
  setInterval(() => {
    if (Deno.ppid !== parent) exit(0);
  }, parentCheckMs);
}

async function load(): Promise<void> {
  // The specifier is computed: Deno lets a program read all that it imports by name.
  const loaded: { readonly default?: unknown } = await import(entry);
  const given = loaded.default;
  if (typeof given === 'function') serveInstead(given);
  else if (typeof given === 'object' && given !== null && 'fetch' in given) {
    const { fetch } = given;
    if (typeof fetch === 'function') serveInstead((request: Request) => fetch.call(given, request));
  }
  const timer = setTimeout(() => {
    console.error('The code neither calls Deno.serve nor exports a handler as default');
    exit(1);
  }, maxWaitMs);
  await registered;
  clearTimeout(timer);
  write({ rowhouse: 'ready' });
}

Deno.serve({ path: socket, onListen: () => undefined, automaticCompression: false }, answer);
replaceEnvironment();
replaceConsole();
replaceFetch();
replaceServe();
keepAlive();
replaceWorker();
for (const name of ['read', 'write']) Deno.permissions.revokeSync({ name, path: socket });
try {
  await load();
} catch (error) {
  console.error(error);
  exit(1);
}
