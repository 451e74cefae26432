import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

describe.each([{ idType: 'text' as const }, { idType: 'uuid' as const }])(
  'answers in a project with ids of type $idType',
  ({ idType }) => {
    let project: AuthProject;
    beforeAll(async () => {
      project = await openAuthProject({ idType });
    });
    afterAll(() => project.close());

    const idPattern =
      idType === 'uuid' ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ : /^[a-z][a-z0-9]{23}$/;
    const user = {
      id: expect.stringMatching(idPattern),
      name: '',
      username: expect.stringMatching(/^user_[a-z0-9]{16}$/),
      image: null,
      role: 'USER',
      status: 'active',
      is_anonymous: false,
      emailVerified: false,
      phoneNumber: null,
      phoneNumberVerified: false,
      twoFactorEnabled: false,
      app_metadata: {},
      user_metadata: {},
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };

    test('sign-up: token and user, nothing else', async () => {
      const reply = await signUp(project, 'Shape@Example.com');
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({
        token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        user: { ...user, email: 'shape@example.com' },
      });
    });

    test('sign-in: the same shape', async () => {
      await signUp(project, 'in@example.com');
      const reply = await project.post('/sign-in/email', {
        body: { email: 'in@example.com', password },
      });
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({
        token: expect.any(String),
        user: { ...user, email: 'in@example.com' },
      });
    });

    test('get-session: session and user; null with 200 without a session', async () => {
      const token = textAt((await signUp(project, 'session@example.com')).body, 'token');
      const reply = await project.get('/get-session', { headers: bearer(token) });
      expect(reply.body).toEqual({
        session: {
          id: expect.stringMatching(idPattern),
          userId: expect.stringMatching(idPattern),
          token,
          aal: 'aal1',
          activeOrganizationId: null,
          activeTeamId: null,
          expiresAt: expect.any(String),
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          ipAddress: '203.0.113.1',
          userAgent: expect.anything(),
        },
        user: { ...user, email: 'session@example.com' },
      });
      const none = await project.get('/get-session');
      expect([none.status, none.body]).toEqual([200, null]);
    });

    test('sign-out ends the session', async () => {
      const token = textAt((await signUp(project, 'out@example.com')).body, 'token');
      const reply = await project.post('/sign-out', { headers: bearer(token) });
      expect([reply.status, reply.body]).toEqual([200, { success: true }]);
      const after = await project.get('/get-session', { headers: bearer(token) });
      expect(after.body).toBeNull();
      expect(
        await project.sql('select from auth.session where "tokenHash" = sha256($1)', [token]),
      ).toEqual([]);
    });

    test('token: a JWT that the published keys verify', async () => {
      const signedUp = await signUp(project, 'jwt@example.com');
      const token = textAt(signedUp.body, 'token');
      const replies = await Promise.all(
        [1, 2, 3, 4].map(() => project.get('/token', { headers: bearer(token) })),
      );
      const jwks = (await project.get('/jwks')).body as JSONWebKeySet; // The keys are checked by their use below.
      expect(jwks.keys).toHaveLength(1);
      expect(jwks.keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256' });
      expect(jwks.keys[0]).not.toHaveProperty('d');
      expect(createPublicKey({ key: { ...jwks.keys[0] }, format: 'jwk' }).type).toBe('public');
      for (const reply of replies) {
        const { payload } = await jwtVerify(textAt(reply.body, 'token'), createLocalJWKSet(jwks), {
          issuer: 'http://abc.localhost:8000',
          audience: 'authenticated',
        });
        expect(payload).toEqual({
          sub: at(signedUp.body, 'user', 'id'),
          role: 'authenticated',
          user_role: 'USER',
          email: 'jwt@example.com',
          aal: 'aal1',
          is_anonymous: false,
          session_id: expect.stringMatching(idPattern),
          org_id: null,
          org_role: null,
          team_id: null,
          app_metadata: {},
          user_metadata: {},
          iss: 'http://abc.localhost:8000',
          aud: 'authenticated',
          iat: expect.any(Number),
          exp: (payload.iat ?? 0) + 900,
        });
      }
    });

    test('token without a session: 401 in the error body of the platform', async () => {
      const reply = await project.get('/token');
      expect([reply.status, reply.body]).toEqual([
        401,
        { code: 'UNAUTHORIZED', message: 'Unauthorized', status: 401, requestId: 'request-1' },
      ]);
    });

    test('role and metadata are read live', async () => {
      const token = textAt((await signUp(project, 'live@example.com')).body, 'token');
      await project.sql(
        `update auth."user" set role = 'ADMIN', app_metadata = '{"plan":"pro"}' where email = $1`,
        ['live@example.com'],
      );
      const { body } = await project.get('/get-session', { headers: bearer(token) });
      expect(at(body, 'user')).toMatchObject({ role: 'ADMIN', app_metadata: { plan: 'pro' } });
    });

    test('list-sessions shows no live token, and revoke-session ends one by its id', async () => {
      const first = textAt((await signUp(project, 'list@example.com')).body, 'token');
      await project.post('/sign-in/email', { body: { email: 'list@example.com', password } });
      const stranger = textAt((await signUp(project, 'stranger@example.com')).body, 'token');
      const list = await project.get('/list-sessions', { headers: bearer(first) });
      expect(list.body).toHaveLength(2);
      expect(JSON.stringify(list.body)).not.toContain(first);
      // The engine's own client names a session by what the list has as its token.
      expect(at(list.body, '0', 'token')).toBe(textAt(list.body, '0', 'id'));
      const other = [0, 1]
        .map((index) => at(list.body, String(index)))
        .find((row) => at(row, 'isCurrent') === false);
      const id = textAt(other, 'id');
      await project.post('/revoke-session', { headers: bearer(stranger), body: { id } });
      expect(await project.sql('select id from auth.session where id = $1', [id])).toHaveLength(1);
      const reply = await project.post('/revoke-session', { headers: bearer(first), body: { id } });
      expect([reply.status, reply.body]).toEqual([200, { status: true }]);
      expect(await project.sql('select id from auth.session where id = $1', [id])).toEqual([]);
    });

    test('revoke-session takes the id in the field token, and the live token of the session itself', async () => {
      const email = 'published@example.com';
      const first = textAt((await signUp(project, email)).body, 'token');
      const signIn = () => project.post('/sign-in/email', { body: { email, password } });
      const other = textAt((await signIn()).body, 'token');
      const list = await project.get('/list-sessions', { headers: bearer(first) });
      const rows = [at(list.body, '0'), at(list.body, '1')];
      const token = textAt(
        rows.find((row) => at(row, 'isCurrent') === false),
        'token',
      );
      const revoke = (body: object) =>
        project.post('/revoke-session', { headers: bearer(first), body });
      expect((await revoke({ token })).status).toBe(200);
      expect((await project.get('/get-session', { headers: bearer(other) })).body).toBeNull();
      expect((await revoke({ token: first })).status).toBe(200);
      expect((await project.get('/get-session', { headers: bearer(first) })).body).toBeNull();
    });

    test.each([{}, { token: 7 }, { id: ['x'] }])('revoke-session refuses %j', async (body) => {
      const email = `refused-${JSON.stringify(body).length}@example.com`;
      const token = textAt((await signUp(project, email)).body, 'token');
      const reply = await project.post('/revoke-session', { headers: bearer(token), body });
      expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_INPUT']);
    });

    test.each([
      { path: '/get-session', cacheControl: 'no-store' },
      { path: '/jwks', cacheControl: 'public, max-age=300' },
    ])('$path: cache-control is $cacheControl', async ({ path, cacheControl }) => {
      expect((await project.get(path)).headers.get('cache-control')).toBe(cacheControl);
    });

    test('no log line was written', () => {
      expect(project.log).toEqual([]);
    });
  },
);
