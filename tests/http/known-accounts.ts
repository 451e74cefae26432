// A project with a person who is known to it and one who is not, and a service for its messages that is slow, as
// services are: waiting for it would show who is known.
import { openHttpRecorder, type HttpRecorder } from '../support/http-recorder.js';
import { Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';
import { makeUser } from './administration.js';
import {
  clockTime,
  computingTime,
  leastOf,
  mediansAtOnce,
  mediansInTurns,
  type Timed,
} from './answer-times.js';
import { createWith, post } from './complete-project.js';

/** How long the service takes for a message; the routes below take a small part of it. */
const slowMs = 400;
/** The same where the engine lets every answer take half a second. */
const verySlowMs = 2000;
/** Differences below this part of the time of the service do not count: a route that waits for it waits for all of it. */
export const half = 0.5;
/** Without a hash the one computes many times as long as the other. */
export const maxRatio = 3;
/** A machine that is busy with other things takes its time for all of it. */
export const patienceMs = 120_000;

const after = (milliseconds: number) => async () => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return { status: 200, body: {} };
};

export const known = {
  email: 'known@example.org',
  phoneNumber: '+15551230001',
  phoneNumberVerified: true,
};
export const unknown = { email: 'nobody@example.org', phoneNumber: '+15551230002' };

export interface Who {
  readonly email: string;
  readonly phoneNumber: string;
}
export interface Row {
  readonly name: string;
  readonly path: string;
  readonly body: (who: Who) => object;
  /** The account that exists, if it is not {@link known}. */
  readonly somebody?: Partial<Who>;
  /** The engine lets every answer take half a second. */
  readonly isPadded?: boolean;
}

export const asked: readonly Row[] = [
  {
    name: 'a sign-in with a wrong password',
    path: '/sign-in/email',
    body: ({ email }) => ({ email, password: 'a wrong password' }),
  },
  {
    name: 'a sign-in with a password to an account that has none',
    path: '/sign-in/email',
    body: ({ email }) => ({ email, password: 'a wrong password' }),
    somebody: { email: 'codes@example.org' },
  },
  {
    name: 'a sign-in with a number and a wrong password',
    path: '/sign-in/phone-number',
    body: ({ phoneNumber }) => ({ phoneNumber, password: 'a wrong password' }),
  },
  {
    name: 'a recovery by link',
    path: '/request-password-reset',
    body: ({ email }) => ({ email }),
  },
  {
    name: 'a recovery by code',
    path: '/email-otp/request-password-reset',
    body: ({ email }) => ({ email }),
  },
  {
    name: 'a recovery by SMS',
    path: '/phone-number/request-password-reset',
    body: ({ phoneNumber }) => ({ phoneNumber }),
  },
  {
    name: 'a code to sign in',
    path: '/email-otp/send-verification-otp',
    body: ({ email }) => ({ email, type: 'sign-in' }),
  },
  {
    name: 'a code to prove an address',
    path: '/email-otp/send-verification-otp',
    body: ({ email }) => ({ email, type: 'email-verification' }),
  },
  {
    name: 'a link to sign in',
    path: '/sign-in/magic-link',
    body: ({ email }) => ({ email }),
  },
  {
    name: 'another link to prove an address',
    path: '/send-verification-email',
    body: ({ email }) => ({ email }),
    isPadded: true,
  },
  {
    name: 'a code by SMS',
    path: '/phone-number/send-otp',
    body: ({ phoneNumber }) => ({ phoneNumber }),
  },
];

export const guessed: readonly Row[] = [
  {
    name: 'a code to sign in',
    path: '/sign-in/email-otp',
    body: ({ email }) => ({ email, otp: '000000' }),
  },
  {
    name: 'a code that proves an address',
    path: '/email-otp/verify-email',
    body: ({ email }) => ({ email, otp: '000000' }),
  },
  {
    name: 'a code that is looked at only',
    path: '/email-otp/check-verification-otp',
    body: ({ email }) => ({ email, type: 'forget-password', otp: '000000' }),
  },
  {
    name: 'a code of a recovery',
    path: '/email-otp/reset-password',
    body: ({ email }) => ({ email, otp: '000000', password: 'a new password' }),
  },
  {
    name: 'a code of an SMS',
    path: '/phone-number/verify',
    body: ({ phoneNumber }) => ({ phoneNumber, code: '000000' }),
  },
  {
    name: 'a code of a recovery by SMS',
    path: '/phone-number/reset-password',
    body: ({ phoneNumber }) => ({ phoneNumber, otp: '000000', newPassword: 'a new password' }),
  },
];

/** Whether a password is compared there, which costs far more than everything else. */
const hashes = ({ path }: Row): boolean => /^\/sign-in\/(email|phone-number)$/.test(path);
/** Rows whose message goes to the service. */
export const sending = asked.filter((row) => !row.isPadded && !hashes(row));
/** Rows whose answer takes half a second in any case. */
export const padded = asked.filter(({ isPadded }) => isPadded);
/** Rows that compare a password. */
export const hashing = asked.filter(hashes);

export const whoIs = ({ somebody }: Row): Who => ({ ...known, ...somebody });

/** The project, whose messages go to `service`. */
export class KnownAccounts {
  private constructor(
    private readonly deployment: Deployment,
    readonly service: HttpRecorder,
    readonly project: ProjectUnderTest,
  ) {}

  static async open(): Promise<KnownAccounts> {
    const service = await openHttpRecorder();
    const deployment = await Deployment.shared('outbound');
    const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const project = await createWith(deployment, {
      'security.rateLimit': { enabled: false },
      'auth.urls': { siteUrl: 'https://app.example.com' },
      'auth.hooks': {
        send: { enabled: true, target: 'http', url: `${service.origin}/send`, secret },
      },
      'auth.phoneOtp': { enabled: true, signUpOnVerification: false },
      'auth.methods.magicLink': { createUsers: false },
      'auth.methods.emailOTP': { createUsers: false },
    });
    await Promise.all([
      makeUser(project, { ...known, password: userPassword, emailVerified: false }),
      makeUser(project, { email: 'codes@example.org', emailVerified: true }),
    ]);
    return new KnownAccounts(deployment, service, project);
  }

  ask({ path, body }: Row, who: Who): Promise<Reply> {
    return post(this.project, path, body(who));
  }

  /**
   * Returns how much of the time of the service the answer to who is known takes longer than the one to who is not, or
   * shorter: 1 is all of it.
   */
  waitingOf(row: Row): Promise<number> {
    const serviceMs = row.isPadded ? verySlowMs : slowMs;
    this.service.answerWith(after(serviceMs));
    const medians = row.isPadded ? mediansAtOnce : mediansInTurns;
    const measure = async () => {
      const [yes = 0, no = 0] = await medians(this.timed(row, clockTime));
      return Math.abs(yes - no) / serviceMs;
    };
    return leastOf(measure, half);
  }

  /** Returns how many times as long the server computes for the one as for the other. */
  computingOf(row: Row): Promise<number> {
    // Without a hash a sign-in costs little more than this, which is refused before anything is looked up.
    const nothing = { ...row, body: () => ({ email: '', password: '' }) };
    const works = [
      ...this.timed(row, computingTime),
      () => computingTime(() => this.ask(nothing, unknown)),
    ];
    const measure = async () => {
      const [yes = 0, no = 0, floor = 0] = await mediansInTurns(works);
      const [one, other] = [yes - floor, no - floor];
      return one > 0 && other > 0 ? Math.max(one / other, other / one) : Infinity;
    };
    return leastOf(measure, maxRatio);
  }

  private timed(row: Row, time: typeof clockTime): readonly Timed[] {
    return [() => time(() => this.ask(row, whoIs(row))), () => time(() => this.ask(row, unknown))];
  }

  async close(): Promise<void> {
    await this.deployment.close();
    await this.service.close();
  }
}
