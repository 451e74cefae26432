// The work of the authentication routes: the requests, how a right answer is recognized, and a request that
// must not get it.

import type { Evidence, HttpCall } from '../case.js';
import { emailOf, SESSIONS, tokenOf } from '../database/accounts.js';
import type { SeriesKey } from '../rate-book.js';
import { buildRequests, type RequestMix } from '../requests.js';
import { GET_SESSION, SIGN_IN } from './demands.js';

/** Users with a password: enough that sign-ins of the same moment are of different users. */
export const PASSWORD_ACCOUNTS = 200;
export const PASSWORD = 'correct horse battery staple';

export interface AuthCase extends Omit<RequestMix, 'host'> {
  readonly key: SeriesKey;
  /** In the answer to key 1 and session 1. */
  readonly evidence: readonly Evidence[];
  /** Before the first round; the usual time when absent. */
  readonly firstWarmUpSeconds?: number;
  /** Shows nothing that could be believed. */
  readonly strange: { readonly call: HttpCall; readonly bearer?: string };
}

function signIn(account: number, password: string): HttpCall {
  return {
    method: 'POST',
    path: '/api/auth/sign-in/email',
    body: JSON.stringify({ email: emailOf(account), password }),
  };
}

const OWN_SESSION: HttpCall = { method: 'GET', path: '/api/auth/get-session' };

const OWN_ADDRESS: Evidence = { pattern: new RegExp(`"email":"${emailOf(1)}"`, 'g'), times: 1 };

export const AUTH_CASES: readonly AuthCase[] = [
  {
    key: SIGN_IN,
    keys: PASSWORD_ACCOUNTS,
    sessions: 1,
    evidence: [OWN_ADDRESS, { pattern: /"token":"[A-Za-z0-9]{32}"/g, times: 1 }],
    call: (account) => signIn(account, PASSWORD),
    // About 1,500 sign-ins.
    firstWarmUpSeconds: 15,
    strange: { call: signIn(1, `${PASSWORD}x`) },
  },
  {
    key: GET_SESSION,
    keys: 1,
    sessions: SESSIONS,
    evidence: [OWN_ADDRESS, { pattern: /"userId":"bench_user_1"/g, times: 1 }],
    call: () => OWN_SESSION,
    bearer: tokenOf,
    strange: { call: OWN_SESSION, bearer: `x${tokenOf(1).slice(1)}` },
  },
];

/** The requests of a round. */
export function authRequests(measured: AuthCase, host: string): string[] {
  return buildRequests({ ...measured, host });
}
