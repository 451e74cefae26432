// What a part of the auth engine is: one way to sign in or one thing that accounts can do, with its routes
// and with what the engine needs for it. The list of parts is parts/index.ts.
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import type { AuthConfig } from './auth-config.js';
import type { CaptchaEndpoint } from '#libs/captcha';
import type { CarriedCookie } from './carried-cookies.js';

/** The kinds of request that are counted apart; each has its limits in the settings `auth.rateLimits`. */
export type LimitKind =
  'signUp' | 'signIn' | 'anonymous' | 'sendEmail' | 'sendSms' | 'verifyCode' | 'passwordReset';

/** What a route declares. Rules that hold for several routes read these facts; a part may compare its own paths. */
export interface Route {
  readonly method: 'GET' | 'POST';

  // For the description of the API.
  /** One line on what the route does. */
  readonly summary: string;
  /**
   * The fields of the body, or of the query of a GET: `email! name+ rememberMe:boolean`. Fields are texts unless a type
   * follows; `!` marks the required ones, `+` the others that the example has. The body must not have any other field.
   */
  readonly fields?: string;
  /** Whether the body may have more than `fields`: the engine ignores the rest, or the endpoint checks it. */
  readonly takesOtherFields?: true;
  /** The name of the schema of a successful answer. */
  readonly answer: string;
  /** Whether the route refuses requests without a session. */
  readonly needsSession?: true;

  // For the way of a request to the engine.
  /** Counted under this kind beside the limit over all routes. */
  readonly limit?: LimitKind;
  /** The fields of the body that name the account: an address, a number, a user name. */
  readonly identifiedBy?: readonly string[];
  readonly cacheControl: string;
  /** Any web page may send a form, so only identity providers that answer by one get it. */
  readonly body: 'json' | 'form';
  readonly maxBodyBytes: number;
  /** Whether the route answers without a project key: mails and identity providers send browsers here. */
  readonly isKeyless?: true;
  /** Whether a request may change accounts or sessions. */
  readonly isWrite?: true;
  /** What the CAPTCHA settings call the request. */
  readonly captcha?: CaptchaEndpoint;

  // For the rules of accounts and sessions.
  /** Refused (EMAIL_NOT_CONFIGURED) while no mail can be sent: always, or while sign-ups must verify their address. */
  readonly needsMail?: 'always' | 'toVerify';
  /** Whether a user with a second factor must have given it in this session (AAL2_REQUIRED). */
  readonly needsSecondFactor?: true;
  /**
   * Whether the answer has the form of a sign-in: of sign-ups and of sign-ins in one request. Routes that open a
   * session by a link or by a second request answer otherwise.
   */
  readonly answersSignIn?: true;
  /** Whether the route signs in with a password: it is compared with the stored one, not with the rules for new ones. */
  readonly signsInByPassword?: true;
  /** Whether the body describes a new account: a conflict is answered with the name of the value that is taken. */
  readonly createsAccount?: true;
  /** Whether the session is opened only after the second factor, where the user has one. */
  readonly asksSecondFactor?: true;
  /** How the hook of sign-ups names an account that is made here; absent: the id of the provider. */
  readonly signUpMethod?: string;
  /** Whether accounts are made here under an address that stands in for one. */
  readonly makesStandInAddress?: true;
  /** Set where a mail proves an address to a person without a session: the identities that the account keeps. */
  readonly provesAddress?: { readonly keptIdentities: readonly string[] };
  /** Whether the route adds a way into the account of the session: a key, an identity, a password, a factor. */
  readonly addsAccess?: true;
  /**
   * Whether only the user may use the route, and not an administrator who impersonates the user (IMPERSONATED_SESSION).
   * Routes that add a way in or need the second factor are so without it.
   */
  readonly isOwnerOnly?: true;
  /** The fields of the body for which the route is so. */
  readonly ownerOnlyFields?: readonly string[];
  /** The step of a sign-in by redirects: the client begins, the provider sends back, the last redirect ends. */
  readonly flow?: 'begins' | 'returns' | 'ends';
  /** Whether the route goes to a social or custom provider, to sign in or to link an identity, or comes back. */
  readonly provider?: 'signIn' | 'link' | 'callback';
  /** The ceremony of WebAuthn that the route begins, or ends with the response of the authenticator. */
  readonly ceremony?: 'beginsRegistration' | 'endsRegistration' | 'beginsSignIn' | 'endsSignIn';
  /** Whether the link of the mail leads to the site of the project if the body names no page. */
  readonly linksToSite?: true;
  /** Whether a body with an address is refused (CHANGE_EMAIL_DISABLED). */
  readonly keepsAddress?: true;
  /**
   * Whether all refusals of a code are alike, so that they do not reveal which addresses have an account: always, or
   * unless every address gets a code to sign in with.
   */
  readonly refusesAlike?: 'always' | 'unlessOpen';
  /** Whether the answer has the session of the caller, with its end as this request has moved it. */
  readonly answersSession?: true;
  /** For requests with an API key: the route returns the owner of the key, or needs no caller. Absent: the key is refused. */
  readonly apiKey?: 'owner' | 'public';
  /** Whether the `user` of the answer is not a user of the project. */
  readonly answersOtherUser?: true;
}

/** A served route with its path below the base path, as it is in the table: `/callback/:provider`. */
export interface MatchedRoute extends Route {
  readonly path: string;
  /** The name of the part that declares it. */
  readonly part: string;
}

/** Routes by their path below `/api/auth`; `:name` matches one segment. */
export type RouteTable = Readonly<Record<string, Route | readonly Route[]>>;

const kilobyte = 1024;
/** For metadata of identity providers, and for their answers. */
export const maxDocumentBytes = 512 * kilobyte;

type CommonFacts = Pick<
  Route,
  'method' | 'cacheControl' | 'body' | 'maxBodyBytes' | 'isKeyless' | 'isWrite'
>;

export const read: CommonFacts = {
  method: 'GET',
  cacheControl: 'no-store',
  body: 'json',
  maxBodyBytes: 64 * kilobyte,
};
export const write: CommonFacts = { ...read, method: 'POST', isWrite: true };
/** A GET that a browser is sent to by a mail or by an identity provider. */
export const landing: CommonFacts = { ...read, isKeyless: true, isWrite: true };

/** Options of the engine that belong to one part alone: two parts never set the same. */
export type PartEngineOptions = Pick<
  BetterAuthOptions,
  'emailAndPassword' | 'emailVerification' | 'socialProviders' | 'account'
>;

/** What the engine needs for a part under some settings. */
export interface BuiltPart {
  readonly plugins?: readonly BetterAuthPlugin[];
  readonly options?: PartEngineOptions;
  /** Cookies of the engine that clients without cookies carry in headers. */
  readonly carriedCookies?: readonly CarriedCookie[];
}

export interface AuthPart {
  /** Names the part in errors. */
  readonly name: string;
  readonly routes: RouteTable;
  /** The settings without which `build` returns undefined; absent for a part that is always there. */
  readonly neededSettings?: readonly string[];
  /**
   * What the engine needs for the part; undefined when the settings turn it off: then none of its routes
   * is there. Throws SETTINGS_REFUSED for settings that cannot work.
   */
  readonly build: (config: AuthConfig) => BuiltPart | undefined | Promise<BuiltPart | undefined>;
}
