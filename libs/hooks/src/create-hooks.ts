// The four hooks of a project, as its auth engine calls them. A hook that is off costs nothing; a hook that is
// on is called and recorded; a failed call is handled as its policy says.
import { createId } from '@paralleldrive/cuid2';
import { fail } from '#libs/errors';
import { readClaims, readSignUp, refusalOf, type Reading } from './answers.js';
import { askHook, type HookOutcome } from './ask-hook.js';
import { targetOf, withoutSecrets } from './hidden-values.js';
import type {
  AccessTokenEvent,
  HookCaller,
  HookDelivery,
  HookEventType,
  HookMessage,
  HookName,
  SendEvent,
  SignUpAdditions,
  SignUpEvent,
} from './hook-types.js';

export interface HooksOptions extends HookCaller {
  /** Stores a delivery; a pending one is an event that waits for the worker. */
  readonly record: (delivery: HookDelivery) => Promise<void>;
}

/** Each of the first three throws HOOK_FAILED (503) when the hook fails and its policy is `refuse`. */
export interface AuthHooks {
  /** What to add to a user who is about to be created. Throws SIGNUP_REFUSED (403) with the hook's text. */
  signUp(event: SignUpEvent): Promise<SignUpAdditions>;
  /** The claims of a token that is about to be signed. */
  accessToken(event: AccessTokenEvent): Promise<Readonly<Record<string, unknown>>>;
  /** Whether the hook has delivered the message; otherwise it is the caller's to deliver. */
  send(event: SendEvent): Promise<boolean>;
  /**
   * Stores an event for the worker. Call it after the commit; it ends once the event is stored and never
   * rejects.
   */
  emit(type: HookEventType, data: Readonly<Record<string, unknown>>): Promise<void>;
}

/** The hooks of a project with fixed settings. They own nothing. */
export function createHooks(options: HooksOptions): AuthHooks {
  const { settings } = options;
  return {
    async signUp(event) {
      const nothing: SignUpAdditions = { app_metadata: {}, user_metadata: {} };
      if (!settings.signUp.enabled) return nothing;
      const found = await ask(options, 'signUp', { ...event }, readSignUpOutcome);
      if (found?.kind === 'refused') throw fail('SIGNUP_REFUSED', { reason: found.reason });
      return found?.additions ?? nothing;
    },
    async accessToken({ userId, claims, method }) {
      if (!settings.accessToken.enabled) return claims;
      const changed = await ask(
        options,
        'accessToken',
        { user_id: userId, claims, ...(method && { authentication_method: method }) },
        (outcome) => readOutcome(outcome, (answer) => readClaims(answer, claims)),
      );
      const ignored = changed?.ignored ?? [];
      if (ignored.length > 0) {
        const message = `The hook accessToken may not change ${ignored.join(', ')}`;
        options.log({ level: 'warn', message });
      }
      return changed?.claims ?? claims;
    },
    async send(event) {
      if (!settings.send.enabled) return false;
      const isDelivered = await ask(options, 'send', { ...event }, (outcome) =>
        readOutcome(outcome, () => ({ kind: 'value', value: true })),
      );
      return isDelivered ?? false;
    },
    async emit(type, data) {
      if (!settings.events.enabled) return;
      const message = newMessage(options, type, data);
      await keep(options, { hook: 'events', message, status: 'pending', attempts: 0 });
    },
  };
}

type SignUpDecision =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'added'; readonly additions: SignUpAdditions };

/** A refusal counts with a status of 4xx too: a hook that says no in the words of HTTP means it. */
function readSignUpOutcome(outcome: HookOutcome): Reading<SignUpDecision> {
  const isServerError = outcome.status !== undefined && outcome.status >= 500;
  const reason = isServerError ? undefined : refusalOf(outcome.value);
  if (reason !== undefined) return { kind: 'value', value: { kind: 'refused', reason } };
  if (outcome.kind === 'failed') return { kind: 'unusable', error: outcome.error };
  const read = readSignUp(outcome.value);
  if (read.kind === 'unusable') return read;
  return { kind: 'value', value: { kind: 'added', additions: read.value } };
}

/** An answer `{error: {message}}` is a failure of the hook, whatever its status. */
function readOutcome<T>(outcome: HookOutcome, read: (answer: unknown) => Reading<T>): Reading<T> {
  if (outcome.kind === 'failed') return { kind: 'unusable', error: outcome.error };
  const problem = refusalOf(outcome.value);
  if (problem === undefined) return read(outcome.value);
  return { kind: 'unusable', error: `the hook answered with an error: ${problem}` };
}

/** Returns the answer of the hook; undefined when it failed and the request goes on without. */
async function ask<T>(
  options: HooksOptions,
  hook: Exclude<HookName, 'events'>,
  data: Readonly<Record<string, unknown>>,
  read: (outcome: HookOutcome) => Reading<T>,
): Promise<T | undefined> {
  const message = newMessage(options, `hook.${hook}`, data);
  const outcome = await askHook(options, hook, message);
  const found = read(outcome);
  const { status: responseStatus, durationMs } = outcome;
  const row = { hook, message, attempts: 1, responseStatus, durationMs };
  if (found.kind === 'value') {
    await keep(options, { ...row, status: 'succeeded' });
    return found.value;
  }
  await keep(options, { ...row, status: 'failed', error: found.error });
  const cause = outcome.kind === 'failed' ? causeOf(outcome) : undefined;
  options.log({ level: 'warn', message: `The hook ${hook} failed: ${found.error}`, cause });
  if (options.settings[hook].onFailure === 'refuse') throw fail('HOOK_FAILED', { hook }, { cause });
  return undefined;
}

/** A hook answered with a status that is no success. */
export class HookAnswerError extends Error {
  constructor(readonly status: number) {
    super(`the hook answered with status ${status}`);
    this.name = 'HookAnswerError';
  }
}

function causeOf({ cause, status }: HookOutcome & { readonly kind: 'failed' }): unknown {
  if (cause !== undefined || status === undefined || status < 300) return cause;
  return new HookAnswerError(status);
}

function newMessage(
  { now, project }: HooksOptions,
  type: string,
  data: Readonly<Record<string, unknown>>,
): HookMessage {
  const createdAt = new Date(now()).toISOString();
  return { type, id: `evt_${createId()}`, createdAt, project, data };
}

type Row = Omit<HookDelivery, 'eventId' | 'target' | 'payload'> & { readonly message: HookMessage };

/** A delivery that cannot be recorded is logged; the request that it belongs to goes on. */
async function keep(options: HooksOptions, { message, ...row }: Row): Promise<void> {
  const { settings, record, log } = options;
  try {
    await record({
      ...row,
      eventId: message.id,
      target: targetOf(settings[row.hook]),
      payload: withoutSecrets(row.hook, message),
    });
  } catch (cause) {
    const what = row.status === 'pending' ? 'An event is lost' : 'A delivery is not recorded';
    const text = `${what}: ${message.type} ${message.id} of the hook ${row.hook}`;
    log({ level: 'error', message: text, cause });
  }
}
