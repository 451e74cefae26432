// What an operator has changed in the overview of a user, and what it means for the API.
import { metadataChange, metadataText, parseMetadata } from './metadata.js';
import type { User } from './queries.js';

/** The fields that were changed; the others follow the user. */
export interface Draft {
  readonly name?: string;
  readonly username?: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly phoneNumber?: string;
  readonly phoneNumberVerified?: boolean;
  readonly appMetadata?: string;
  readonly userMetadata?: string;
}

/** The fields as the form shows them. */
export function shownFields(user: User, draft: Draft): Required<Draft> {
  return {
    name: user.name,
    username: user.username ?? '',
    email: user.email,
    emailVerified: user.emailVerified,
    phoneNumber: user.phoneNumber ?? '',
    phoneNumberVerified: user.phoneNumberVerified,
    appMetadata: metadataText(user.app_metadata),
    userMetadata: metadataText(user.user_metadata),
    ...draft,
  };
}

export interface Problems {
  readonly appMetadata?: string;
  readonly userMetadata?: string;
}

/** What is wrong with the texts of metadata. */
export function problemsOf({ appMetadata, userMetadata }: Draft): Problems {
  const app = appMetadata === undefined ? undefined : parseMetadata(appMetadata);
  const own = userMetadata === undefined ? undefined : parseMetadata(userMetadata);
  return {
    ...(app && 'problem' in app && { appMetadata: app.problem }),
    ...(own && 'problem' in own && { userMetadata: own.problem }),
  };
}

/** The body of the change; empty if nothing differs from the user. */
export function changeOf(user: User, draft: Draft) {
  const { name, username, email, emailVerified, phoneNumber, phoneNumberVerified } = draft;
  const number = phoneNumber?.trim();
  return {
    ...(name !== undefined && name !== user.name && { name }),
    ...(username !== undefined && username !== (user.username ?? '') && { username }),
    ...(email !== undefined && email.trim() !== user.email && { email: email.trim() }),
    ...(emailVerified !== undefined && emailVerified !== user.emailVerified && { emailVerified }),
    ...(number !== undefined &&
      number !== (user.phoneNumber ?? '') && { phoneNumber: number === '' ? null : number }),
    ...(phoneNumberVerified !== undefined &&
      phoneNumberVerified !== user.phoneNumberVerified && { phoneNumberVerified }),
    ...changedMetadata('app_metadata', user.app_metadata, draft.appMetadata),
    ...changedMetadata('user_metadata', user.user_metadata, draft.userMetadata),
  };
}

function changedMetadata<Name extends string>(
  name: Name,
  before: Readonly<Record<string, unknown>>,
  text: string | undefined,
): { readonly [key in Name]?: Record<string, unknown> } {
  const parsed = text === undefined ? undefined : parseMetadata(text);
  const change = parsed && 'value' in parsed ? metadataChange(before, parsed.value) : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed name has the type of any text
  return (change ? { [name]: change } : {}) as { readonly [key in Name]?: Record<string, unknown> };
}
