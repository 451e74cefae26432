import type { HttpCall } from '#libs/wire';

// The words of the hooks: what a project configures, what is handed in, what is sent and what is recorded.

export type HookName = 'signUp' | 'accessToken' | 'send' | 'events';

export interface HookSettings {
  readonly enabled: boolean;
  readonly target: 'http' | 'function' | 'edge';
  /** For `http`: who is called, and the key of the signature (`whsec_…`). */
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
  /** For `function`: `schema.name` of a function `(event jsonb) returns jsonb`. */
  readonly functionName?: string | undefined;
  /** For `edge`: the slug of an edge function. */
  readonly edgeFunction?: string | undefined;
  readonly timeoutMs: number;
  /** What becomes of the request when the hook cannot be asked. Background events know no policy. */
  readonly onFailure: 'refuse' | 'continue';
}

export type HooksSettings = Readonly<Record<HookName, HookSettings>>;

/** What a receiver gets: in this form over HTTP and in an edge function, and with the fields of `data` beside the others in a function. */
export interface HookMessage {
  readonly type: string;
  /** Names the event; the same in every try to deliver it. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The project's ref. */
  readonly project: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The way out to the internet: an SSRF-safe call, whatever the address. */
export type HookOutbound = HttpCall<'status' | 'text'>;

/** The headers by which the receiver knows the sender (Standard Webhooks). */
export type SignHook = (message: {
  readonly secret: string;
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}) => Readonly<Record<string, string>>;

/**
 * Calls the project's function `name` (`schema.name`) with the event as its jsonb. It must run as a role of
 * the project, never as the engine's, whose rights the function would otherwise have.
 */
export type CallHookFunction = (
  name: string,
  event: Readonly<Record<string, unknown>>,
  limits: { readonly timeoutMs: number },
) => Promise<unknown>;

/**
 * Posts a message to the edge function `slug` and returns its answer, whatever the status. Rejects if there is none, if it
 * is longer than `maxBytes`, and if the signal aborts, which ends the call.
 */
export type CallEdgeFunction = (
  slug: string,
  call: {
    /** The id of the message, which becomes the id of the request. */
    readonly id: string;
    readonly body: string;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly status: number; readonly text: string }>;

export interface HookLogEntry {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly cause?: unknown;
}

/** What it takes to call a hook. */
export interface HookCaller {
  readonly settings: HooksSettings;
  /** The project's ref. */
  readonly project: string;
  readonly outbound: HookOutbound;
  readonly sign: SignHook;
  readonly callFunction: CallHookFunction;
  /** Absent where no edge functions run: events for them then wait for a process where they do. */
  readonly callEdgeFunction?: CallEdgeFunction | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (entry: HookLogEntry) => void;
}

/** A row for the delivery log; a pending one is due at once. */
export interface HookDelivery {
  readonly hook: HookName;
  readonly eventId: string;
  /** Where it goes: the URL without its query, or the function. */
  readonly target: string;
  readonly status: 'succeeded' | 'failed' | 'pending';
  readonly attempts: number;
  readonly responseStatus?: number | undefined;
  readonly error?: string | undefined;
  readonly durationMs?: number | undefined;
  /** The message without codes, tokens and links. */
  readonly payload: HookMessage;
}

/** The user of an event, as the API shows users. */
export interface HookUser {
  readonly id?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly name?: string;
  readonly username?: string;
  readonly role?: string;
  readonly status?: string;
  readonly is_anonymous?: boolean;
  readonly app_metadata?: Readonly<Record<string, unknown>>;
  readonly user_metadata?: Readonly<Record<string, unknown>>;
}

export interface SignUpEvent {
  /** The user that would be created. */
  readonly user: HookUser;
  /** The method, such as `email`, `magic-link`, `google`, `anonymous`. */
  readonly method: string;
  readonly ip?: string;
}

/** What a sign-up hook adds to the new user. */
export interface SignUpAdditions {
  readonly app_metadata: Readonly<Record<string, unknown>>;
  readonly user_metadata: Readonly<Record<string, unknown>>;
}

export interface AccessTokenEvent {
  readonly userId: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** How the session began, when that is known. */
  readonly method?: string;
}

export interface SendEvent {
  readonly channel: 'email' | 'sms';
  /** The kind of message, such as `verification`, `magic-link`, `reset`. */
  readonly kind: string;
  /** An email address or a phone number in E.164. */
  readonly to: string;
  readonly values: {
    readonly code?: string;
    readonly url?: string;
    readonly token?: string;
  };
  readonly user?: HookUser;
}

export type HookEventType =
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'session.created'
  | 'session.ended'
  | 'password.changed'
  | 'mfa.enabled'
  | 'mfa.disabled'
  | 'identity.linked'
  | 'identity.unlinked';
