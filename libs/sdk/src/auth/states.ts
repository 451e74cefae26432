/**
 * The changes of a client's session, and the events that listeners receive: a table of every state and every change in
 * it. It knows neither storage nor network.
 */
export type AuthEvent =
  | 'INITIAL_SESSION'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  | 'TOKEN_REFRESHED'
  | 'USER_UPDATED'
  | 'MFA_CHALLENGE_VERIFIED';

/** The state that the listeners of a client know. */
export type SessionState =
  /** The storage was not read yet. */
  | 'unread'
  | 'signed-out'
  /** The password was correct, and the server waits for the second factor. */
  | 'second-factor'
  | 'signed-in';

export type Happening =
  /** A new listener finds a session in the storage. */
  | 'found'
  /** A new listener finds none. */
  | 'not-found'
  | 'sign-in'
  /** The server requires the second factor. */
  | 'challenge'
  /** The second factor completes a sign-in. */
  | 'second-factor'
  /** The second factor raises the level of a current session. */
  | 'step-up'
  | 'refresh'
  | 'user-change'
  /** The session ends: signed out here, in another tab, or by the server. */
  | 'end';

export interface Step {
  readonly next: SessionState;
  readonly events: readonly AuthEvent[];
}

function to(next: SessionState, ...events: readonly AuthEvent[]): Step {
  return { next, events };
}

const signIn = to('signed-in', 'SIGNED_IN');
const passed = to('signed-in', 'SIGNED_IN', 'MFA_CHALLENGE_VERIFIED');

/**
 * The next state and events. A session that was not announced yet is announced as signed in, whatever changed in it.
 */
export const TRANSITIONS = {
  unread: {
    found: to('signed-in', 'INITIAL_SESSION'),
    'not-found': to('signed-out', 'INITIAL_SESSION'),
    'sign-in': signIn,
    challenge: to('second-factor'),
    'second-factor': passed,
    'step-up': to('signed-in', 'MFA_CHALLENGE_VERIFIED'),
    refresh: to('signed-in', 'TOKEN_REFRESHED'),
    'user-change': to('signed-in', 'USER_UPDATED'),
    end: to('signed-out', 'SIGNED_OUT'),
  },
  'signed-out': {
    found: to('signed-in', 'INITIAL_SESSION'),
    'not-found': to('signed-out', 'INITIAL_SESSION'),
    'sign-in': signIn,
    challenge: to('second-factor'),
    'second-factor': passed,
    'step-up': passed,
    refresh: signIn,
    'user-change': signIn,
    end: to('signed-out'),
  },
  'second-factor': {
    found: to('second-factor', 'INITIAL_SESSION'),
    'not-found': to('second-factor', 'INITIAL_SESSION'),
    'sign-in': signIn,
    challenge: to('second-factor'),
    'second-factor': passed,
    'step-up': passed,
    refresh: to('second-factor', 'TOKEN_REFRESHED'),
    'user-change': to('second-factor', 'USER_UPDATED'),
    end: to('signed-out', 'SIGNED_OUT'),
  },
  'signed-in': {
    found: to('signed-in', 'INITIAL_SESSION'),
    'not-found': to('signed-out', 'INITIAL_SESSION'),
    'sign-in': signIn,
    challenge: to('second-factor'),
    'second-factor': passed,
    'step-up': to('signed-in', 'MFA_CHALLENGE_VERIFIED'),
    refresh: to('signed-in', 'TOKEN_REFRESHED'),
    'user-change': to('signed-in', 'USER_UPDATED'),
    end: to('signed-out', 'SIGNED_OUT'),
  },
} as const satisfies Record<SessionState, Record<Happening, Step>>;

/** Whether a text is the name of a change. */
export function isHappening(text: unknown): text is Happening {
  return typeof text === 'string' && Object.hasOwn(TRANSITIONS.unread, text);
}
