/** Signing up and in with what the user types: passwords and codes, or nothing at all for a guest. */
import { SessionMethods } from './session-methods.js';
import { linkHeaders } from './redirect-flow.js';
import {
  admit,
  captchaHeader,
  keepUser,
  type NoSession,
  nobody,
  type SignInAnswer,
  trustHeader,
} from './sign-in-answer.js';
import { answered, type AuthAnswer, invalidInput, needTexts } from './wire.js';

export interface CaptchaOption {
  /** The proof of the CAPTCHA, on routes that the project guards with one. */
  readonly captchaToken?: string;
}

export interface SignUpOptions extends CaptchaOption {
  /** The user's `user_metadata`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Where the link of the verification mail leads in the end. */
  readonly emailRedirectTo?: string;
}

export interface SignUpCredentials {
  readonly email: string;
  readonly password: string;
  /** Default: a random one. */
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
        /** With it the mail holds a link that leads here, without it a code. */
        readonly emailRedirectTo?: string;
      };
    }
  /** With the leading `+`. */
  | { readonly phone: string; readonly options?: CaptchaOption };

export type VerifyOtpParams =
  | {
      readonly email: string;
      readonly token: string;
      /** `email` signs in; `signup` proves the address of a new account. */
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

/** Nothing but that it worked: the code is on its way. */
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
  /** Makes an account. There is no session yet when the project wants the address verified first. */
  signUp(credentials: SignUpCredentials): Promise<SignInAnswer> {
    return answered(async () => {
      const { email, password, username, name, image, options = {} } = credentials;
      needTexts({ email, password });
      const { data, emailRedirectTo: callbackURL, captchaToken } = options;
      const body = { email, password, username, name, image, data, callbackURL };
      return this.#enter('/sign-up/email', body, captchaHeader(captchaToken));
    }, nobody);
  }

  /**
   * Signs in with a password and an address or a phone number. When the answer has `mfa`, the
   * second factor is still missing: give it with `mfa.verify`.
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
      return this.#enter(path, { ...name, password }, headers);
    }, nobody);
  }

  /** Makes a guest: a user without a name, who can become a permanent one with the same id. */
  signInAnonymously({ options }: { readonly options?: CaptchaOption } = {}): Promise<SignInAnswer> {
    const headers = captchaHeader(options?.captchaToken);
    return answered(() => this.#enter('/sign-in/anonymous', {}, headers), nobody);
  }

  /** Sends a code by mail or SMS, to be given to `verifyOtp`; or a link, when it is told where to lead. */
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

  /** Signs in with a code, or proves an address or a phone number with it. */
  verifyOtp(params: VerifyOtpParams): Promise<SignInAnswer> {
    return answered(async () => {
      const { type, token, options } = params;
      const path = Object.hasOwn(verifyPaths, type) ? verifyPaths[type] : undefined;
      if (!path) throw invalidInput(`type: codes of the type ${type} cannot be verified here`);
      const isPhone = 'phone' in params;
      needTexts(isPhone ? { phone: params.phone, token } : { email: params.email, token });
      const headers = captchaHeader(options?.captchaToken);
      if (!isPhone) return this.#enter(path, { email: params.email, otp: token }, headers);
      const body = { phoneNumber: params.phone, code: token };
      if (type === 'sms') return this.#enter(path, body, headers);
      await this.parts.asUser.post(path, { ...body, updatePhoneNumber: true }, headers);
      return keepUser(this.parts.source);
    }, nobody);
  }

  /** Sends a code or a verification mail once more. */
  resend(params: ResendParams): Promise<SentAnswer> {
    return this.#send(() =>
      'phone' in params
        ? this.#sendCode(params.type, params.phone, params.options)
        : this.#sendCode(params.type, params.email, params.options),
    );
  }

  /** Mails a code with which `resetPassword` sets a new password. The answer tells nobody who has an account. */
  resetPasswordForEmail(email: string, options?: CaptchaOption): Promise<SentAnswer> {
    return this.#send(() => this.#sendCode('recovery', email, options));
  }

  /** Sets a new password with the mailed code. All sessions of the user end; sign in with the new one. */
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

  async #enter(path: string, body: object, headers: Record<string, string>) {
    return admit(this.parts.source, await this.parts.asVisitor.submit(path, body, headers));
  }

  async #sendCode(
    type: ResendParams['type'],
    to: string,
    options: SendOptions | undefined,
  ): Promise<unknown> {
    const path = Object.hasOwn(sendPaths, type) ? sendPaths[type] : undefined;
    if (!path) throw invalidInput(`type: there are no messages of the type ${type}`);
    const isPhone = type === 'sms' || type === 'phone_change';
    needTexts({ [isPhone ? 'phone' : 'email']: to });
    const address = isPhone ? { phoneNumber: to } : { email: to, ...mailFields(type, options) };
    return this.parts.asVisitor.post(path, address, captchaHeader(options?.captchaToken));
  }

  #send(work: () => Promise<unknown>): Promise<SentAnswer> {
    return answered(async () => {
      await work();
      return nobody;
    }, nobody);
  }
}

/** The route for a name that users sign in with, and the name as it is sent. */
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
