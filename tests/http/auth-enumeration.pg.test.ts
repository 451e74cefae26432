// Nobody learns from an answer whether an address or a number has an account: status, body and headers are the
// same, and so is the time. Messages go to a service that is slow, as services are: waiting for it would tell.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openHttpRecorder, type HttpRecorder } from '../support/http-recorder.js';
import { eventually, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';
import { makeUser, rowsOf } from './administration.js';
import {
  clockTime,
  computingTime,
  leastOf,
  mediansAtOnce,
  mediansInTurns,
} from './answer-times.js';
import { createWith, post } from './complete-project.js';

/** How long the service takes for a message; the routes below take a small part of it. */
const slowMs = 400;
/** The same where the engine lets every answer take half a second. */
const verySlowMs = 2000;
/** A difference of this part of the time of the service is none. Whoever waits for the service waits for all of it. */
const half = 0.5;
/** Without a hash the one computes many times as long as the other. */
const maxRatio = 3;

const after = (milliseconds: number) => async () => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return { status: 200, body: {} };
};

let deployment: Deployment;
let service: HttpRecorder;
let project: ProjectUnderTest;

beforeAll(async () => {
  service = await openHttpRecorder();
  deployment = await Deployment.shared('outbound');
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  project = await createWith(deployment, {
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
});
afterAll(async () => {
  await deployment.close();
  await service.close();
});

const known = {
  email: 'known@example.org',
  phoneNumber: '+15551230001',
  phoneNumberVerified: true,
};
const unknown = { email: 'nobody@example.org', phoneNumber: '+15551230002' };

interface Who {
  readonly email: string;
  readonly phoneNumber: string;
}
interface Row {
  readonly name: string;
  readonly path: string;
  readonly body: (who: Who) => object;
  /** Somebody with an account, where it is not the one above. */
  readonly somebody?: Partial<Who>;
  /** The engine lets every answer take half a second. */
  readonly isPadded?: boolean;
}

const asked: readonly Row[] = [
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

const guessed: readonly Row[] = [
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
const hashes = (path: string): boolean => /^\/sign-in\/(email|phone-number)$/.test(path);
const whoIs = ({ somebody }: Row): Who => ({ ...known, ...somebody });
const ask = ({ path, body }: Row, who: Who): Promise<Reply> => post(project, path, body(who));

/** What may differ between any two answers. */
const ownHeaders = new Set(['date', 'x-request-id']);
function visible({ status, body, text, headers }: Reply): object {
  const isObject = typeof body === 'object' && body !== null;
  const kept = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
  const content: unknown = isObject ? { ...body, requestId: undefined } : text;
  return { status, content, headers: Object.fromEntries(kept) };
}

describe('who is known is answered as who is not', () => {
  test.each(asked)('$name', async (row) => {
    const [yes, no] = [await ask(row, whoIs(row)), await ask(row, unknown)];
    expect(visible(yes)).toEqual(visible(no));
    expect(yes.status).toBeLessThan(402);
  });

  test.each(guessed)('$name, after as many guesses as one likes', async (row) => {
    // Wrong codes are counted for an account over all codes: as if the last row was an hour ago.
    await rowsOf(project, 'delete from auth.rate_limit');
    // There is a code for who is known, and it ends by guessing.
    const sending = asked.filter(({ path, isPadded }) => !isPadded && !hashes(path));
    await Promise.all(sending.map((each) => ask(each, known)));
    for (let guess = 0; guess < 5; guess += 1) {
      const [yes, no] = [await ask(row, known), await ask(row, unknown)];
      expect({ guess, ...visible(yes) }).toEqual({ guess, ...visible(no) });
      expect(yes.status).toBe(400);
    }
  });

  test('messages went to who is known alone', async () => {
    const sent = (to: string) => service.requests.some(({ text }) => text.includes(to));
    for (const row of asked) await Promise.all([ask(row, known), ask(row, unknown)]);
    for (const to of [known.email, known.phoneNumber]) await eventually(async () => sent(to));
    expect([unknown.email, unknown.phoneNumber].filter(sent)).toEqual([]);
  });
});

// A machine that is busy with other things takes its time for all of it.
const patience = 120_000;

/** How much of the time of the service the one waits longer than the other: 1 is all of it. */
const waiting = ([yes = 0, no = 0]: readonly number[], serviceMs: number): number =>
  Math.abs(yes - no) / serviceMs;

describe('who is known waits as long as who is not', () => {
  const sending = asked.filter(({ path, isPadded }) => !isPadded && !hashes(path));
  const timed = (row: Row, time = clockTime) => [
    () => time(() => ask(row, whoIs(row))),
    () => time(() => ask(row, unknown)),
  ];

  test.each(sending)(
    '$name',
    async (row) => {
      service.answerWith(after(slowMs));
      const measure = async () => waiting(await mediansInTurns(timed(row)), slowMs);
      expect(await leastOf(measure, half)).toBeLessThan(half);
    },
    patience,
  );

  test.each(asked.filter(({ isPadded }) => isPadded))(
    '$name',
    async (row) => {
      service.answerWith(after(verySlowMs));
      const measure = async () => waiting(await mediansAtOnce(timed(row)), verySlowMs);
      expect(await leastOf(measure, half)).toBeLessThan(half);
    },
    patience,
  );

  test.each(asked.filter(({ path }) => hashes(path)))(
    '$name',
    async (row) => {
      // Without a hash a sign-in costs little more than this, which is refused before anything is looked up.
      const nothing = { ...row, body: () => ({ email: '', password: '' }) };
      const works = [
        ...timed(row, computingTime),
        () => computingTime(() => ask(nothing, unknown)),
      ];
      const measure = async () => {
        const [yes = 0, no = 0, floor = 0] = await mediansInTurns(works);
        const [one, other] = [yes - floor, no - floor];
        return one > 0 && other > 0 ? Math.max(one / other, other / one) : Infinity;
      };
      expect(await leastOf(measure, maxRatio)).toBeLessThan(maxRatio);
    },
    patience,
  );
});
