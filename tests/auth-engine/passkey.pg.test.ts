import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password } from './auth-project.js';
import { openPasskeyProject, origin, rpId, type PasskeyProject } from './passkey-people.js';
import { assert } from './software-authenticator.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: PasskeyProject;
beforeAll(async () => {
  project = await openPasskeyProject();
});
afterAll(() => project.close());

describe('passkeys', () => {
  test('registration needs a signed-in user', async () => {
    expect((await project.get('/passkey/generate-register-options')).status).toBe(401);
    const reply = await project.post('/passkey/verify-registration', { body: { response: {} } });
    expect([400, 401]).toContain(reply.status);
  });

  test('the options name the relying party of the settings', async () => {
    const { options } = await project.begin('register', (await project.newPerson()).token);
    expect(options).toMatchObject({ rp: { id: rpId, name: 'Abc' }, attestation: 'none' });
  });

  test('a registered passkey signs in, without cookies, as its user', async () => {
    const { person, passkey } = await project.personWithPasskey();
    const reply = await project.signIn(passkey);
    expect(reply).toMatchObject({
      status: 200,
      body: { user: { id: person.id, email: person.email }, session: { aal: 'aal2' } },
    });
    const token = textAt(reply.body, 'token');
    const who = await project.get('/get-session', { headers: bearer(token) });
    expect(at(who.body, 'user', 'id')).toBe(person.id);
  });

  test.each([
    { name: 'with the user verified is of level aal2', isVerified: true, aal: 'aal2' },
    { name: 'without is of level aal1', isVerified: false, aal: 'aal1' },
  ])('a sign-in $name', async ({ isVerified, aal }) => {
    const { person, passkey } = await project.personWithPasskey();
    expect(at((await project.signIn(passkey, { isVerified })).body, 'session', 'aal')).toBe(aal);
    expect(await project.levelsOf(person)).toEqual(['aal1', aal]);
  });

  test('a session of another method is of level aal1', async () => {
    const { person } = await project.personWithPasskey();
    await project.post('/sign-in/email', { body: { email: person.email, password } });
    expect(await project.levelsOf(person)).toEqual(['aal1', 'aal1']);
  });

  test('lists show no key material, and of oneself alone', async () => {
    const { person, row } = await project.personWithPasskey();
    await project.personWithPasskey();
    const reply = await project.get('/passkey/list-user-passkeys', {
      headers: bearer(person.token),
    });
    expect(reply.body).toEqual([row]);
    expect(Object.keys(Object(row)).sort()).toEqual([
      'aaguid',
      'backedUp',
      'createdAt',
      'credentialID',
      'deviceType',
      'id',
      'name',
      'transports',
    ]);
  });

  test('a passkey can be renamed and deleted by its user, and is good for nothing then', async () => {
    const { person, passkey, row } = await project.personWithPasskey();
    const headers = bearer(person.token);
    const id = textAt(row, 'id');
    const renamed = await project.post('/passkey/update-passkey', {
      headers,
      body: { id, name: 'phone' },
    });
    expect(renamed).toMatchObject({ status: 200, body: { passkey: { id, name: 'phone' } } });
    expect((await project.post('/passkey/delete-passkey', { headers, body: { id } })).status).toBe(
      200,
    );
    expect((await project.signIn(passkey)).status).toBe(401);
    expect(await project.levelsOf(person)).toHaveLength(1);
  });

  test.each(['update-passkey', 'delete-passkey'])(
    '%s of somebody else is refused',
    async (path) => {
      const { row } = await project.personWithPasskey();
      const stranger = await project.newPerson();
      const id = textAt(row, 'id');
      const body = path === 'update-passkey' ? { id, name: 'mine' } : { id };
      const reply = await project.post(`/passkey/${path}`, {
        headers: bearer(stranger.token),
        body,
      });
      expect([401, 403, 404]).toContain(reply.status);
      const rows = await project.sql('select name from auth.passkey where id = $1', [id]);
      expect(rows).toEqual([{ name: 'laptop' }]);
    },
  );
});

describe('settings of passkeys', () => {
  const routeOf = async (group: object) => {
    const via = await project.rebuild({ 'auth.passkey': group });
    return (await project.get('/passkey/generate-authenticate-options', { via })).status;
  };

  test.each([
    { name: 'off', group: { enabled: false, rpId }, status: 404 },
    { name: 'on without the relying party', group: { enabled: true }, status: 404 },
    { name: 'complete', group: { enabled: true, rpId }, status: 200 },
  ])('while they are $name the routes answer $status', async ({ group, status }) => {
    expect(await routeOf(group)).toBe(status);
  });

  test.each([
    { name: 'of the settings', page: 'https://app.abc.localhost', status: 200 },
    { name: 'of the project', page: origin, status: 400 },
  ])('with an origin of its own a page $name answers $status', async ({ page, status }) => {
    const { passkey } = await project.personWithPasskey();
    const group = { enabled: true, rpId, origin: 'https://app.abc.localhost/' };
    const via = await project.rebuild({ 'auth.passkey': group });
    const { challenge, carried } = await project.begin('authenticate');
    const reply = await project.post('/passkey/verify-authentication', {
      via,
      headers: carried,
      body: { response: assert(passkey, { challenge, origin: page, rpId }) },
    });
    expect(reply.status).toBe(status);
  });

  test.each([
    { name: 'below the relying party', page: 'https://app.abc.localhost', status: 200 },
    { name: 'elsewhere', page: 'https://app.example.com', status: 400 },
  ])('a page of the list of addresses $name answers $status', async ({ page, status }) => {
    const { passkey } = await project.personWithPasskey();
    const via = await project.rebuild({
      'auth.passkey': { enabled: true, rpId },
      'auth.urls': { redirectUrls: ['https://*.abc.localhost', 'https://app.example.com'] },
    });
    const { challenge, carried } = await project.begin('authenticate');
    const reply = await project.post('/passkey/verify-authentication', {
      via,
      headers: { ...carried, origin: page },
      body: { response: assert(passkey, { challenge, origin: page, rpId }) },
    });
    expect(reply.status).toBe(status);
  });
});

test('the passkey of whoever took an address before its owner came is gone with the rest', async () => {
  const { person, passkey } = await project.personWithPasskey();
  await project.post('/email-otp/send-verification-otp', {
    body: { email: person.email, type: 'sign-in' },
  });
  const mail = project.mails.findLast(({ to }) => to === person.email);
  const otp = textAt(mail?.values, 'code');
  const owner = await project.post('/sign-in/email-otp', { body: { email: person.email, otp } });
  expect(owner.status).toBe(200);
  expect((await project.signIn(passkey)).status).toBe(401);
  expect((await project.get('/token', { headers: bearer(person.token) })).status).toBe(401);
});
