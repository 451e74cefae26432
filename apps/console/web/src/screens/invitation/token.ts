// The token of an invitation comes in the fragment of the link, which browsers do not send. It leaves the address at
// once, so that neither the history nor a shared screen has it; a reload finds it in the storage of the tab.

const storageKey = 'rowhouse.invitation';

/** Takes the token out of the address, or out of the storage. */
export function takeInvitation(): string | undefined {
  const { hash, pathname, search } = window.location;
  const given = new URLSearchParams(hash.slice(1)).get('token');
  if (given !== null && given !== '') {
    keepInvitation(given);
    window.history.replaceState(window.history.state, '', pathname + search);
  }
  return window.sessionStorage.getItem(storageKey) ?? undefined;
}

/** Keeps it for a page that is loaded again, and for the page after a sign-in. */
export function keepInvitation(token: string): void {
  window.sessionStorage.setItem(storageKey, token);
}

/** It was accepted, or the session in which it was opened has ended. */
export function forgetInvitation(): void {
  window.sessionStorage.removeItem(storageKey);
}
