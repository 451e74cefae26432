import type { AuthHooks as HookRunner } from '#libs/hooks';
import type { MailKind, MailValues } from '#libs/mail-templates';
import type { HttpCall, RateLimiter, RateUse } from '#libs/wire';
import type { Settings } from '#libs/settings';
import type { EnginePool, RunStatement } from './engine-pool.js';
import type { DeletionCheck } from './user-deletion.js';

/** The settings groups that the auth engine is built from. */
export type AuthSettings = Pick<
  Settings,
  | 'auth.methods.emailPassword'
  | 'auth.methods.magicLink'
  | 'auth.methods.emailOTP'
  | 'auth.methods.anonymous'
  | 'auth.phoneOtp'
  | 'auth.social'
  | 'auth.oauth.custom'
  | 'auth.passkey'
  | 'auth.twoFactor'
  | 'auth.apiKey'
  | 'auth.organization'
  | 'auth.sso'
  | 'auth.urls'
  | 'auth.sessions'
  | 'auth.signup'
  | 'auth.tokens'
  | 'auth.rateLimits'
  | 'auth.attackProtection'
  | 'security.rateLimit'
>;

/** One line of the engine's log. Carries no secret and no address of a user. */
export interface AuthLogEntry {
  readonly level: 'warn' | 'error';
  readonly message: string;
  /** The request that failed, as in its answer; absent for lines of the engine itself. */
  readonly requestId?: string;
  /** The failure behind it; may name tables and columns, never goes to the caller. */
  readonly cause?: unknown;
}

/** A mail of the kind `K`. */
export type AuthMailOf<K extends MailKind> = {
  readonly [N in K]: {
    readonly kind: N;
    readonly to: string;
    /** What the template may show, besides what every mail of the project knows. */
    readonly values: Omit<MailValues<N>, 'appName' | 'siteUrl' | 'email'>;
  };
}[K];

/** A mail that the engine wants sent. */
export type AuthMail = AuthMailOf<MailKind>;

/** An SMS that the engine wants sent. */
export interface AuthSms {
  readonly kind: 'signIn' | 'secondFactor' | 'resetPassword' | 'verifyPhone';
  /** In E.164, such as `+15551234567`. */
  readonly to: string;
  readonly code: string;
}

/** A message of a request, with the way it takes. */
export type AuthMessage =
  ({ readonly channel: 'email' } & AuthMail) | ({ readonly channel: 'sms' } & AuthSms);

/** Keeps the messages of requests until they are sent. */
export interface MessageStore {
  /**
   * Whether there is a way to send mail. Checked before the account of a request is known, so that a project without
   * one refuses every address alike.
   */
  readonly canMail: () => boolean;
  /** Whether the project has a working provider of SMS. */
  readonly hasSms: boolean;
  /** Throws PROJECT_BUSY while too many messages wait. */
  readonly checkRoom: () => Promise<void>;
  /**
   * Stores the messages of one request and answers their ids: on the connection of `run`, whose transaction is about to
   * commit, or else committed. Storing none takes as much work as storing one.
   */
  readonly store: (
    messages: readonly AuthMessage[],
    run?: RunStatement,
  ) => Promise<readonly string[]>;
  /** Has committed messages sent, after the answer. */
  readonly send: (ids: readonly string[]) => void;
}

/** How the parts of the engine hand messages over. A message is stored before the answer of the request leaves. */
export interface AuthMessages {
  /** Throws EMAIL_NOT_CONFIGURED when the project has no way to send mail. */
  mail(mail: AuthMail): Promise<void>;
  readonly canMail: () => boolean;
  /** Absent while the project has no working provider of SMS. */
  readonly sms?: (message: AuthSms) => Promise<void>;
}

/** A request to a server that an administrator has named; refuses addresses that are not public. */
export type OutboundCall = HttpCall;

/** The hooks of a project that the engine calls. Absent hooks are not enabled. */
export type AuthHooks = Partial<Pick<HookRunner, 'signUp' | 'accessToken' | 'emit'>>;

export interface AuthConfig {
  readonly settings: AuthSettings;
  /** The project's id in its address. */
  readonly ref: string;
  /** Signs session cookies; at least 32 random characters, one per project. */
  readonly secret: string;
  /** Where the project is reached, such as `https://abc.example.com`. Never taken from a request. */
  readonly baseUrl: string;
  /** Origins that belong to the project besides `baseUrl` and the ones of `auth.urls`. */
  readonly trustedOrigins?: readonly string[];
  readonly pool: EnginePool;
  readonly idType: 'text' | 'uuid';
  readonly messages: AuthMessages;
  readonly call: OutboundCall;
  /** Belongs to the project and outlives the instance, so that saving settings resets no count. */
  readonly rateLimiter: RateLimiter;
  /** Counts uses that the routes do not count by themselves. Throws RATE_LIMITED when one is used up. */
  readonly limit: (uses: readonly RateUse[]) => Promise<void>;
  readonly hooks: AuthHooks;
  readonly log: (entry: AuthLogEntry) => void;
  /**
   * Deletes a user and stores the event `user.deleted` with these data. Returns false when the user does not exist. Throws what
   * `check` throws, and the refusal of a table of the project that keeps the user.
   */
  readonly deleteUser: (deletion: {
    readonly userId: string;
    readonly eventData: Readonly<Record<string, unknown>>;
    readonly check?: DeletionCheck;
  }) => Promise<boolean>;
  /** Called for each session that begins. */
  readonly onSession?: () => void;
  /**
   * Called after each request that may have changed accounts or sessions, refused ones included. The request is answered
   * when it has resolved.
   */
  readonly onWrite?: (() => Promise<void>) | undefined;
  readonly generateUsername?: () => string;
}

/** The header in which the engine finds the client's address; whatever a client sends in it is removed. */
export const addressHeader = 'x-internal-ip';
