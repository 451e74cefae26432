// Which claims of another issuer's token policies see: every claim that the server makes is its own.
import { expect, test } from 'vitest';

import { SERVER_CLAIMS } from '#libs/wire';

import { type ClaimTrust, foreignClaims } from './foreign-claims.js';

const nothing: ClaimTrust = {
  idClaim: 'sub',
  emails: 'verified',
  organizations: false,
  appMetadata: false,
};
const everything: ClaimTrust = { ...nothing, organizations: true, appMetadata: true };
const seen = (claims: Readonly<Record<string, unknown>>, trust = nothing) =>
  foreignClaims({ sub: 'u1', ...claims }, trust);

test.each(SERVER_CLAIMS.filter((name) => name !== 'sub'))(
  'a token does not state %s, whatever it says',
  (name) => {
    for (const value of ['service_role', 'ADMIN', 'aal2', true, false, 1, { '*': ['*'] }, ['a']]) {
      expect(seen({ [name]: value })).toEqual(seen({}));
    }
  },
);

const given: readonly string[] = ['org_id', 'org_role', 'team_id'];
test.each(SERVER_CLAIMS.filter((name) => name !== 'sub' && !given.includes(name)))(
  'an issuer that is trusted with everything does not state %s either',
  (name) => {
    for (const value of ['service_role', 'ADMIN', 'aal2', true]) {
      expect(seen({ [name]: value }, everything)).toEqual(seen({}, everything));
    }
  },
);

test.each(given)('%s is stated by an issuer that is trusted with organizations alone', (name) => {
  const stated = { [name]: 'o1' };
  expect(seen(stated)).toMatchObject({ [name]: null });
  expect(seen(stated, { ...nothing, organizations: true })).toMatchObject(stated);
});

test('app_metadata is stated by an issuer that is trusted with it alone, user_metadata by all', () => {
  const stated = { app_metadata: { plan: 'gold' }, user_metadata: { theme: 'dark' } };
  expect(seen(stated)).toMatchObject({ ...stated, app_metadata: {} });
  expect(seen(stated, { ...everything, appMetadata: false })).toMatchObject({ app_metadata: {} });
  expect(seen(stated, { ...nothing, appMetadata: true })).toMatchObject(stated);
});

test('other claims are what the issuer says', () => {
  expect(seen({ tier: 'gold', iss: 'https://a.example' })).toMatchObject({ tier: 'gold' });
});
