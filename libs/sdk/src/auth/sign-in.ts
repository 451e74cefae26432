/** Signing up and in with typed passwords and codes, or without credentials as a guest. */
import { SessionMethods } from './session-methods.js';
import { linkHeaders } from './redirect-flow.js';
import {
  completeSignIn,
  captchaHeader,
  keepUser,
  type NoSession,
  signedOut,
  type SignInAnswer,
  trustHeader,
} from './sign-in-answer.js';
import { invalidInput } from '../error.js';
import { answered, type AuthAnswer, needTexts } from './wire.js';

export interface CaptchaOption {
  /** The proof of the CAPTCHA, for routes that the project guards with one. */
  readonly captchaToken?: string;
}

export interface SignUpOptions extends CaptchaOption {
  /** The user's `user_metadata`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The final target of the link in the verification mail. */
  readonly emailRedirectTo?: string;
}

export interface SignUpCredentials {
  readonly email: string;
  readonly password: string;
  /** Default: a random name. */
  readonly username?: string;
  readonly name?: string;
  readonly image?: string;
  readonly options?: SignUpOptions;
}

type OneName = { readonly email: string } | { readonly phone: string };

export type PasswordCredentials = OneName & {
  readonly password: string;
  readonly options?: CaptchaOption;
};

export type OtpCredentials =
  | {
      readonly email: string;
      readonly options?: CaptchaOption & {
        /** If set, the mail contains a link to this address, else a code. */
        readonly emailRedirectTo?: string;
      };
    }
  /** With the leading `+`. */
  | { readonly phone: string; readonly options?: CaptchaOption };

export type VerifyOtpParams =
  | {
      readonly email: string;
      readonly token: string;
      /** `email` signs in; `signup` verifies the address of a new account. */
      readonly type: 'email' | 'signup';
      readonly options?: CaptchaOption;
    }
  | {
      readonly phone: string;
      readonly token: string;
      /** `sms` signs in; `phone_change` gives the signed-in user this number. */
      readonly type: 'sms' | 'phone_change';
      readonly options?: CaptchaOption;
    };

export type ResendParams =
  | {
      readonly type: 'email' | 'signup' | 'recovery';
      readonly email: string;
      readonly options?: CaptchaOption & { readonly emailRedirectTo?: string };
    }
  | {
      readonly type: 'sms' | 'phone_change';
      readonly phone: string;
      readonly options?: CaptchaOption;
    };

/** Success without data: the code was sent. */
export type SentAnswer = AuthAnswer<NoSession, NoSession>;

const verifyPaths = {
  email: '/sign-in/email-otp',
  signup: '/email-otp/verify-email',
  sms: '/phone-number/verify',
  phone_change: '/phone-number/verify',
} as const;

const sendPaths = {
  email: '/email-otp/send-verification-otp',
  signup: '/send-verification-email',
  recovery: '/email-otp/request-password-reset',
  sms: '/phone-number/send-otp',
  phone_change: '/phone-number/send-otp',
} as const;

type SendOptions = CaptchaOption & { readonly emailRedirectTo?: string };

export class SignInMethods extends SessionMethods {
  /** Creates an account. There is no session yet if the project requires a verified address. */
  signUp(credentials: SignUpCredentials): Promise<SignInAnswer> {
    return answered(async () => {
      const { email, password, username, name, image, options = {} } = credentials;
      needTexts({ email, password });
      const { data, emailRedirectTo: callbackURL, captchaToken } = options;
      const body = { email, password, username, name, image, data, callbackURL };
      return this.#submitSignIn('/sign-up/email', body, captchaHeader(captchaToken));
    }, signedOut);
  }

  /**
   * Signs in with a password and an address or a phone number. If the answer has `mfa`, the second factor is still
   * missing: verify it with `mfa.verify`.
   */
  signInWithPassword(credentials: PasswordCredentials): Promise<SignInAnswer> {
    return answered(async () => {
      const { password, options } = credentials;
      const { path, name } = passwordRoute(credentials);
      needTexts({ ...name, password });
      const trust = await this.parts.source.recall('trust');
      const headers = {
        ...captchaHeader(options?.captchaToken),
        ...(trust !== undefined && { [trustHeader]: trust }),
      };
      return this.#submitSignIn(path, { ...name, password }, headers);
    }, signedOut);
  }

  /** Creates a guest: a user without a name, who can become permanent with the same id. */
  signInAnonymously({ options }: { readonly options?: CaptchaOption } = {}): Promise<SignInAnswer> {
    const headers = captchaHeader(options?.captchaToken);
    return answered(() => this.#submitSignIn('/sign-in/anonymous', {}, headers), signedOut);
  }

  /** Sends a code by mail or SMS for `verifyOtp`, or a link if it has a target. */
  signInWithOtp(credentials: OtpCredentials): Promise<SentAnswer> {
    return this.#send(async () => {
      if ('phone' in credentials) {
        const { phone, options } = credentials;
        return this.#sendCode('sms', phone, options);
      }
      const { email, options } = credentials;
      const { emailRedirectTo } = options ?? {};
      if (emailRedirectTo === undefined) return this.#sendCode('email', email, options);
      needTexts({ email });
      const body = { email, callbackURL: emailRedirectTo, errorCallbackURL: emailRedirectTo };
      const flow = await linkHeaders(this.parts.source);
      const headers = { ...captchaHeader(options?.captchaToken), ...flow };
      return this.parts.asVisitor.post('/sign-in/magic-link', body, headers);
    });
  }

  /** Signs in with a code, or verifies an address or a phone number with it. */
  verifyOtp(params: VerifyOtpParams): Promise<SignInAnswer> {
    return answered(async () => {
      const { type, token, options } = params;
      const path = Object.hasOwn(verifyPaths, type) ? verifyPaths[type] : undefined;
      if (!path) throw invalidInput(`type: codes of the type ${type} cannot be verified here`);
      const isPhone = 'phone' in params;
      needTexts(isPhone ? { phone: params.phone, token } : { email: params.email, token });
      const headers = captchaHeader(options?.captchaToken);
      if (!isPhone) return this.#submitSignIn(path, { email: params.email, otp: token }, headers);
      const body = { phoneNumber: params.phone, code: token };
      if (type === 'sms') return this.#submitSignIn(path, body, headers);
      await this.parts.asUser.post(path, { ...body, updatePhoneNumber: true }, headers);
      return keepUser(this.parts.source);
    }, signedOut);
  }

  /** Sends a code or a verification mail again. */
  resend(params: ResendParams): Promise<SentAnswer> {
    return this.#send(() =>
      'phone' in params
        ? this.#sendCode(params.type, params.phone, params.options)
        : this.#sendCode(params.type, params.email, params.options),
    );
  }

  /**
   * Sends a code by mail with which `resetPassword` sets a new password. The answer does not show whether the account
   * exists.
   */
  resetPasswordForEmail(email: string, options?: CaptchaOption): Promise<SentAnswer> {
    return this.#send(() => this.#sendCode('recovery', email, options));
  }

  /** Sets a new password with the code from the mail. All sessions of the user end; sign in with the new password. */
  resetPassword(params: {
    readonly email: string;
    readonly otp: string;
    readonly password: string;
  }): Promise<SentAnswer> {
    return this.#send(async () => {
      const { email, otp, password } = params;
      needTexts({ email, otp, password });
      return this.parts.asVisitor.post('/email-otp/reset-password', { email, otp, password });
    });
  }

  async #submitSignIn(path: string, body: object, headers: Record<string, string>) {
    return completeSignIn(
      this.parts.source,
      await this.parts.asVisitor.submit(path, body, headers),
    );
  }

  async #sendCode(
    type: ResendParams['type'],
    to: string,
    options: SendOptions | undefined,
  ): Promise<unknown> {
    const path = Object.hasOwn(sendPaths, type) ? sendPaths[type] : undefined;
    if (!path) throw invalidInput(`type: ${type} messages are not supported`);
    const isPhone = type === 'sms' || type === 'phone_change';
    needTexts({ [isPhone ? 'phone' : 'email']: to });
    const address = isPhone ? { phoneNumber: to } : { email: to, ...mailFields(type, options) };
    return this.parts.asVisitor.post(path, address, captchaHeader(options?.captchaToken));
  }

  #send(work: () => Promise<unknown>): Promise<SentAnswer> {
    return answered(async () => {
      await work();
      return signedOut;
    }, signedOut);
  }
}

/** The route for the kind of name that the user signs in with, and the name in its body. */
function passwordRoute(names: OneName): { readonly path: string; readonly name: object } {
  if ('phone' in names) {
    return { path: '/sign-in/phone-number', name: { phoneNumber: names.phone } };
  }
  return { path: '/sign-in/email', name: { email: names.email } };
}

function mailFields(type: ResendParams['type'], options: SendOptions | undefined): object {
  if (type === 'email') return { type: 'sign-in' };
  return type === 'signup' ? { callbackURL: options?.emailRedirectTo } : {};
}
