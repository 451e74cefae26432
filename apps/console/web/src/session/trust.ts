// The trust in this device replaces the second step of a sign-in for 30 days. It is no session: without the password
// it opens nothing. So it is kept when the tab is closed, for each address apart.

const prefix = 'rowhouse.trust.';

export function trustTokenOf(email: string): string | undefined {
  return window.localStorage.getItem(prefix + keyOf(email)) ?? undefined;
}

/** Keeps the token; each sign-in replaces it. */
export function keepTrustToken(email: string, token: string): void {
  window.localStorage.setItem(prefix + keyOf(email), token);
}

const keyOf = (email: string): string => email.trim().toLowerCase();
