// Sign-in with providers and single sign-on.
import { samlBody } from '../../auth-engine/sso-project.js';
import { cookiesOf, done, post } from '../../http/complete-project.js';
import { openSamlIdentityProvider } from '../../support/saml-identity-provider.js';
import { type AccountWorld, type Person, textAt } from './world.js';

export async function tryProviders(world: AccountWorld): Promise<void> {
  const { oidc } = world;
  await world.try('POST /sign-in/social');
  const person = await world.newPerson();
  const begun = await person.try('POST /link-social', { live: { provider: 'acme' } });
  const claims = { email: person.email, email_verified: true, name: 'Ada' };
  // A person who consents is given a refresh token.
  const address = `${textAt(begun, 'url')}&prompt=consent`;
  const login = person.email.replace(/@.*/, '');
  const back = new URL(await oidc.signInAt(address, { login, claims }));
  await world.try('GET /oauth2/callback/{providerId}', {
    path: { providerId: 'acme' },
    query: Object.fromEntries(back.searchParams),
    headers: { cookie: `${cookiesOf(begun)}; ${person.cookie}` },
  });
  const listed = await person.try('GET /list-accounts');
  const accounts = listed.body as readonly { readonly id: string; readonly providerId: string }[];
  const account = accounts.find(({ providerId }) => providerId === 'acme');
  if (account === undefined) throw new Error(`not linked: ${listed.text}`);
  await person.try('GET /account-info', { query: { accountId: account.id } });
  await person.try('POST /get-access-token', { live: { accountId: account.id } });
  await person.try('POST /refresh-token', { live: { accountId: account.id } });
  await person.try('POST /unlink-account', { live: { accountId: account.id } });
  const path = { provider: 'github' };
  await world.try('GET /callback/{provider}', { path });
  await world.try('POST /callback/{provider}', { path });
}

export async function trySso(world: AccountWorld): Promise<void> {
  const admin = await world.newPerson({ role: 'ADMIN' });
  const { issuer } = world.oidc;
  const providerId = 'corp';
  const live = { providerId };
  await admin.try('POST /sso/register', { live: { ...live, issuer } });
  await admin.try('GET /sso/providers');
  await admin.try('GET /sso/get-provider', { query: live });
  await admin.try('POST /sso/update-provider', { live });
  await world.try('POST /sign-in/sso', { live });
  await world.try('GET /sso/callback/{providerId}', { path: live });
  await admin.try('POST /sso/verify-domain', { live });
  await admin.try('POST /sso/delete-provider', { live });
  await trySaml(world, admin);
}

async function trySaml(world: AccountWorld, admin: Person): Promise<void> {
  const saml = await openSamlIdentityProvider();
  const providerId = 'okta';
  const body = samlBody(saml, providerId, 'corp.example');
  const as = { authorization: `Bearer ${admin.token}` };
  await done(post(world.project, '/sso/register', body, as));
  // The example is no document of a provider: the browser is sent back with an error.
  await world.try('POST /sso/saml2/sp/acs/{providerId}', { path: { providerId } });
  await world.try('GET /sso/saml2/sp/metadata', { query: { providerId } });
  await saml.close();
}
