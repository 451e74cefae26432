// Addresses that identity providers name obey the same rule as those that people type.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import type { AuthProject } from './auth-project.js';
import { begin, comeBack, locationOf, openProjectWith, openProvider } from './oauth-flow.js';
import { manager, oidcBody, openSsoProject, register, signInAt } from './sso-project.js';

const people = [
  {
    name: 'a domain beyond ASCII',
    email: 'Ada@bücher.example',
    stored: 'ada@xn--bcher-kva.example',
  },
  { name: 'letters beyond ASCII', email: 'jürgen@bücher.example', stored: undefined },
  { name: 'an invisible letter', email: 'a\u{200B}da@bücher.example', stored: undefined },
];

const usersOf = async (project: AuthProject, login: string): Promise<readonly unknown[]> => {
  const rows = await project.sql(
    `select u.email from auth."user" u join auth.account a on a."userId" = u.id where a."accountId" = $1`,
    [login],
  );
  return rows.map(({ email }) => email);
};

describe('single sign-on', () => {
  let project: AuthProject;
  let idp: OidcIdentityProvider;
  beforeAll(async () => {
    [project, idp] = await Promise.all([openSsoProject(), openOidcIdentityProvider()]);
    const admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
    await register(admin, oidcBody(idp, 'corp', 'bücher.example'));
  }, 60_000);
  afterAll(async () => {
    await Promise.all([project.close(), idp.close()]);
  });
  const arrive = (login: string, email: string) =>
    signInAt(project, idp, {
      login,
      claims: { email, email_verified: true },
      body: { providerId: 'corp' },
    });

  test.each(people)('$name: $email', async ({ name, email, stored }) => {
    const { outcome } = await arrive(name, email);
    expect(outcome).toBe(stored === undefined ? 'INVALID_EMAIL' : 'ok');
    expect(await usersOf(project, name)).toEqual(stored === undefined ? [] : [stored]);
  });

  test('a person who has signed in before keeps an old address', async () => {
    await arrive('old', 'old@bücher.example');
    const email = 'jörg@bücher.example';
    await project.sql(`update auth."user" set email = $1 where email like 'old@%'`, [email]);
    expect((await arrive('old', email)).outcome).toBe('ok');
    expect(await usersOf(project, 'old')).toEqual([email]);
  });
});

describe('a provider', () => {
  let project: AuthProject;
  let idp: OidcIdentityProvider;
  beforeAll(async () => {
    idp = await openProvider();
    project = await openProjectWith(idp);
  }, 60_000);
  afterAll(async () => {
    await project.close();
    await idp.close();
  });
  const arrive = async (login: string, email: string): Promise<string | null> => {
    const { url, cookies } = await begin(project);
    const callback = await idp.signInAt(url, { login, claims: { email, email_verified: true } });
    return new URL(locationOf(await comeBack(project, callback, cookies))).searchParams.get(
      'error',
    );
  };

  test.each(people)('$name: $email', async ({ name, email, stored }) => {
    const error = await arrive(name, email);
    expect(error === null).toBe(stored !== undefined);
    expect(await usersOf(project, name)).toEqual(stored === undefined ? [] : [stored]);
  });

  test('a person who has signed in before keeps an old address', async () => {
    await arrive('old', 'old@bücher.example');
    const email = 'jörg@bücher.example';
    await project.sql(`update auth."user" set email = $1 where email like 'old@%'`, [email]);
    expect(await arrive('old', email)).toBeNull();
    expect(await usersOf(project, 'old')).toEqual([email]);
  });
});
