/** What must hold all along, or at the end. */
export const INVARIANTS = {
  answered: 'no request is answered with 5xx',
  inactive: 'no session of a deactivated or deleted user is accepted after the commit',
  ended: 'no session is accepted after it was signed out or ended by an administrator',
  reset: 'no session lives after its password was reset, and the old password opens nothing',
  demoted: 'a demoted user loses the admin routes with the next request',
  apart: 'a user of one project gets nothing in another',
  granted: 'what a user is entitled to is not refused',
  counts: 'users, sessions and accounts in the database are those of the model at the end',
} as const;

export type Invariant = keyof typeof INVARIANTS;

/** An invariant that does not hold, with the last steps of the user whom it concerns. */
export class Violation extends Error {
  constructor(
    readonly invariant: Invariant,
    what: string,
    trace: readonly string[] = [],
  ) {
    super([`${INVARIANTS[invariant]}: ${what}`, ...trace].join('\n  '));
  }
}
