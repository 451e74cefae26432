// How users, their ways to sign in and what they do are called on the screen.
import { shownName } from '../../ui/shown-name.js';
import type { User } from './queries.js';

/** Providers that the filter offers, by their ids. Those of the page in sight are offered too. */
export const providerNames: Readonly<Record<string, string>> = {
  credential: 'Password',
  google: 'Google',
  github: 'GitHub',
  apple: 'Apple',
  microsoft: 'Microsoft',
  facebook: 'Facebook',
  gitlab: 'GitLab',
  discord: 'Discord',
};

export const providerName = (id: string): string => providerNames[id] ?? id;

/** What a user is called: the name, or what the account is known by. */
export function nameOf({ name, email, phoneNumber }: User): string {
  if (name.trim() !== '') return shownName(name);
  return isStandIn(email) ? (phoneNumber ?? 'Guest') : email;
}

/** The same with the address, for what acts on a user: names are free, and may be the address of another. */
export function fullNameOf(user: User): string {
  const name = nameOf(user);
  const contacts = contactsOf(user);
  return contacts === noContact || contacts === name ? name : `${name} (${contacts})`;
}

/** What a user is known by where one line is all: the address, or the name and what else there is. */
export function knownAs(user: User): string {
  return isStandIn(user.email) ? nameOf(user) : user.email;
}

const noContact = 'no address';

/** Whether an address stands in for one, as that of a guest or of a user with a phone number alone. */
export function isStandIn(email: string): boolean {
  return /@(?:phone|anonymous)\.local$/.test(email);
}

/** The address and the number of a user, as far as there are any. */
export function contactsOf({ email, phoneNumber }: User): string {
  const contacts = [isStandIn(email) ? '' : email, phoneNumber ?? ''].filter((text) => text !== '');
  return contacts.length > 0 ? contacts.join(' · ') : noContact;
}
