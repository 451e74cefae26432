import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPasskeyProject, origin, rpId, type PasskeyProject } from './passkey-people.js';
import { assert, attest, makePasskey } from './software-authenticator.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: PasskeyProject;
beforeAll(async () => {
  project = await openPasskeyProject();
});
afterAll(() => project.close());

describe('a sign-in is refused', () => {
  test('with a counter that has not grown', async () => {
    const { person, passkey } = await project.personWithPasskey();
    expect((await project.signIn(passkey)).status).toBe(200);
    passkey.counter = 0;
    expect(await project.signIn(passkey)).toMatchObject({ status: 400 });
    expect(await project.levelsOf(person)).toHaveLength(2);
  });

  test('with a counter that a copy uses at the same moment', async () => {
    const { person, passkey } = await project.personWithPasskey();
    const begun = await Promise.all(Array.from({ length: 6 }, () => project.begin('authenticate')));
    const replies = await Promise.all(
      begun.map(({ challenge, carried }) =>
        project.post('/passkey/verify-authentication', {
          headers: carried,
          body: { response: assert({ ...passkey, counter: 7 }, { challenge, origin, rpId }) },
        }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await project.levelsOf(person)).toHaveLength(2);
  });

  test('with a challenge that was used, however many try at once', async () => {
    const { person, passkey } = await project.personWithPasskey();
    const { challenge, carried } = await project.begin('authenticate');
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        project.post('/passkey/verify-authentication', {
          headers: carried,
          body: { response: assert(passkey, { challenge, origin, rpId }) },
        }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await project.levelsOf(person)).toHaveLength(2);
  });

  test('with the challenge of somebody else', async () => {
    const { passkey } = await project.personWithPasskey();
    const [mine, foreign] = [
      await project.begin('authenticate'),
      await project.begin('authenticate'),
    ];
    const reply = await project.post('/passkey/verify-authentication', {
      headers: mine.carried,
      body: { response: assert(passkey, { challenge: foreign.challenge, origin, rpId }) },
    });
    expect(reply.status).toBe(400);
  });

  test('without a challenge, or with that of a registration', async () => {
    const { person, passkey } = await project.personWithPasskey();
    const { challenge, carried } = await project.begin('register', person.token);
    const response = assert(passkey, { challenge, origin, rpId });
    for (const headers of [{}, carried]) {
      // One after the other: the second uses the challenge up.
      const reply = await project.post('/passkey/verify-authentication', {
        headers,
        body: { response },
      });
      expect(reply.status).toBe(400);
    }
  });

  test.each([
    { name: 'by a page of somebody else', change: { origin: 'https://evil.example' } },
    { name: 'by a page of a neighbor', change: { origin: 'http://xyz.localhost:8000' } },
    { name: 'for another relying party', change: { rpId: 'evil.example' } },
    { name: 'as an answer to a registration', change: { type: 'webauthn.create' as const } },
  ])('that was made $name', async ({ change }) => {
    const { person, passkey } = await project.personWithPasskey();
    expect((await project.signIn(passkey, change)).status).toBe(400);
    expect(await project.levelsOf(person)).toHaveLength(1);
  });

  test('although the request says that it comes from the page that made it', async () => {
    const { passkey } = await project.personWithPasskey();
    const { challenge, carried } = await project.begin('authenticate');
    const evil = 'https://evil.example';
    const reply = await project.post('/passkey/verify-authentication', {
      headers: { ...carried, origin: evil },
      body: { response: assert(passkey, { challenge, origin: evil, rpId }) },
    });
    expect([400, 403]).toContain(reply.status);
  });

  test('of a user who is not active', async () => {
    const { person, passkey } = await project.personWithPasskey();
    await project.sql(`update auth."user" set status = 'inactive' where id = $1`, [person.id]);
    expect(await project.signIn(passkey)).toMatchObject({
      status: 403,
      body: { code: 'USER_INACTIVE' },
    });
  });

  test.each([
    { name: 'no object', response: 'x' },
    { name: 'an id with a NUL', response: { id: 'a\0b', response: {} } },
    { name: 'an id that is no text', response: { id: 7, response: {} } },
    {
      name: 'client data that is no JSON',
      response: { id: 'a', response: { clientDataJSON: 'e30x' } },
    },
    { name: 'no client data', response: { id: 'a', response: {} } },
  ])('with $name for a response', async ({ response }) => {
    for (const path of ['verify-authentication', 'verify-registration']) {
      // Two requests, one after the other.
      const reply = await project.post(`/passkey/${path}`, { body: { response } });
      expect([400, 401]).toContain(reply.status);
    }
  });
});

describe('a registration is refused', () => {
  const stored = async (id: string) =>
    project.sql('select "userId" from auth.passkey where "credentialID" = $1', [id]);

  test('of a passkey that somebody has already', async () => {
    const { person, passkey } = await project.personWithPasskey();
    const stranger = await project.newPerson();
    const reply = await project.register(stranger, makePasskey(passkey.id));
    expect(reply).toMatchObject({ status: 400, body: { code: 'PASSKEY_REFUSED' } });
    expect(await stored(passkey.id)).toEqual([{ userId: person.id }]);
    expect(at((await project.signIn(passkey)).body, 'user', 'id')).toBe(person.id);
  });

  test('with the challenge of somebody else', async () => {
    const [person, stranger] = [await project.newPerson(), await project.newPerson()];
    const { challenge, carried } = await project.begin('register', stranger.token);
    const passkey = makePasskey();
    const reply = await project.post('/passkey/verify-registration', {
      headers: { ...bearer(person.token), ...carried },
      body: { response: attest(passkey, { challenge, origin, rpId }) },
    });
    expect(reply.status).toBe(401);
    expect(await stored(passkey.id)).toEqual([]);
  });

  test.each([
    { name: 'by a page of somebody else', change: { origin: 'https://evil.example' } },
    { name: 'for another relying party', change: { rpId: 'evil.example' } },
    { name: 'as an answer to a sign-in', change: { type: 'webauthn.get' as const } },
    { name: 'with another challenge', change: { challenge: 'AAAA' } },
  ])('that was made $name', async ({ change }) => {
    const passkey = makePasskey();
    const reply = await project.register(await project.newPerson(), passkey, change);
    expect(reply.status).toBe(400);
    expect(await stored(passkey.id)).toEqual([]);
  });

  test('to a guest', async () => {
    const guest = await project.post('/sign-in/anonymous', { body: {} });
    const reply = await project.get('/passkey/generate-register-options', {
      headers: bearer(textAt(guest.body, 'token')),
    });
    expect(reply).toMatchObject({ status: 403, body: { code: 'PERMANENT_ACCOUNT_REQUIRED' } });
  });

  test('to whoever has a second factor and has not given it', async () => {
    const person = await project.newPerson();
    await project.sql(`update auth."user" set "twoFactorEnabled" = true where id = $1`, [
      person.id,
    ]);
    const headers = bearer(person.token);
    const options = () => project.get('/passkey/generate-register-options', { headers });
    expect(await options()).toMatchObject({ status: 403, body: { code: 'AAL2_REQUIRED' } });
    await project.sql(`update auth.session set aal = 'aal2' where "userId" = $1`, [person.id]);
    expect((await options()).status).toBe(200);
  });

  test('with a field that makes a session, or any other', async () => {
    const person = await project.newPerson();
    const reply = await project.post('/passkey/verify-registration', {
      headers: bearer(person.token),
      body: { response: {}, createSession: true },
    });
    expect(reply).toMatchObject({ status: 400, body: { code: 'FIELD_NOT_ALLOWED' } });
  });
});
