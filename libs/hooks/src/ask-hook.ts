// One call of a hook: over HTTP, in the database, or of an edge function. It always ends with an outcome and never rejects.
import { describeFailure } from '#libs/errors';

import type {
  CallEdgeFunction,
  HookCaller,
  HookMessage,
  HookName,
  HookSettings,
} from './hook-types.js';

const minTimeoutMs = 500;
const maxTimeoutMs = 15_000;
const maxAnswerBytes = 64 * 1024;
const maxErrorLength = 500;

/** What came of a call. `value` is the JSON of the answer, undefined when there is none. */
export type HookOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number | undefined;
      readonly value: unknown;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly status: number | undefined;
      readonly value: unknown;
      readonly durationMs: number;
      /** For the delivery log. */
      readonly error: string;
      readonly cause?: unknown;
    };

/** Calls the hook with the message and waits for its answer, at most as long as its settings say. */
export async function askHook(
  caller: HookCaller,
  hook: HookName,
  message: HookMessage,
): Promise<HookOutcome> {
  const settings = caller.settings[hook];
  const timeoutMs = Math.min(Math.max(settings.timeoutMs, minTimeoutMs), maxTimeoutMs);
  const started = caller.now();
  const ended = (): number => Math.max(0, Math.round(caller.now() - started));
  const ask = askBy[settings.target];
  try {
    const { status, value, error } = await ask(caller, { settings, message, timeoutMs });
    const durationMs = ended();
    return error === undefined
      ? { kind: 'answered', status, value, durationMs }
      : { kind: 'failed', status, value, error, durationMs };
  } catch (cause) {
    const error = describeFailure(cause, 'the hook failed').slice(0, maxErrorLength);
    return {
      kind: 'failed',
      status: undefined,
      value: undefined,
      error,
      cause,
      durationMs: ended(),
    };
  }
}

interface Ask {
  readonly settings: HookSettings;
  readonly message: HookMessage;
  readonly timeoutMs: number;
}

interface Answer {
  readonly status: number | undefined;
  readonly value: unknown;
  readonly error?: string;
}

async function askOverHttp(caller: HookCaller, ask: Ask): Promise<Answer> {
  const { settings, message, timeoutMs } = ask;
  const { url = '', secret = '' } = settings;
  if (url === '' || secret === '') throw new Error('the hook has no address or no secret');
  const body = JSON.stringify(message);
  const timestampSeconds = Math.floor(caller.now() / 1000);
  const signature = caller.sign({ secret, id: message.id, timestampSeconds, body });
  const headers = { 'content-type': 'application/json', ...signature };
  const answer = await caller.outbound({
    url,
    method: 'POST',
    headers,
    body,
    timeoutMs,
    maxBytes: maxAnswerBytes,
  });
  return readAnswer(answer);
}

function readAnswer({ status, text }: Awaited<ReturnType<CallEdgeFunction>>): Answer {
  const parsed = parseJson(text);
  if (status < 200 || status > 299) {
    return { status, value: parsed.value, error: `the hook answered with status ${status}` };
  }
  return { status, ...parsed };
}

/**
 * A function gets the fields of the data beside those of the message, so that a function for
 * `event->'claims'` or `event->'user'` finds them.
 */
async function askFunction(caller: HookCaller, ask: Ask): Promise<Answer> {
  const { settings, timeoutMs } = ask;
  const { functionName = '' } = settings;
  if (functionName === '') throw new Error('the hook names no function');
  const { data, ...head } = ask.message;
  const call = caller.callFunction(functionName, { ...data, ...head }, { timeoutMs });
  const value = await within(call, timeoutMs);
  return { status: undefined, value: value ?? undefined };
}

async function askEdgeFunction(caller: HookCaller, ask: Ask): Promise<Answer> {
  const { settings, message, timeoutMs } = ask;
  const { edgeFunction = '' } = settings;
  if (edgeFunction === '') throw new Error('the hook names no function');
  const { callEdgeFunction } = caller;
  if (!callEdgeFunction) throw new Error('no edge functions run in this process');
  const over = new AbortController();
  const { signal } = over;
  const body = JSON.stringify(message);
  const call = callEdgeFunction(edgeFunction, {
    id: message.id,
    body,
    maxBytes: maxAnswerBytes,
    signal,
  });
  try {
    return readAnswer(await within(call, timeoutMs));
  } finally {
    over.abort();
  }
}

const askBy: Readonly<
  Record<HookSettings['target'], (caller: HookCaller, ask: Ask) => Promise<Answer>>
> = { http: askOverHttp, function: askFunction, edge: askEdgeFunction };

/** The call itself goes on: the database ends the statement after the same time, and an edge function is aborted. */
async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the function took too long')), timeoutMs);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}

function parseJson(text: string): { readonly value: unknown; readonly error?: string } {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { value: undefined, error: 'the answer of the hook is not JSON' };
  }
}
