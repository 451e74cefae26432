import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applySessionPolicy, createSessionUses, sessionTokenHash } from '#libs/auth-engine';
import { resolveAll } from '#libs/settings';
import { cookieOf, openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { bearer, textAt } from '../support/replies.js';

const origin = 'http://abc.localhost:8000';
const email = 'ada@example.com';

interface Times {
  /** Seconds since the sign-in, and until the end. */
  readonly age: number;
  readonly left: number;
}

async function timesOf(project: AuthProject, token: string): Promise<Times | undefined> {
  const [row] = await project.sql(
    `select extract(epoch from now() - "createdAt")::float8 as age,
       extract(epoch from "expiresAt" - now())::float8 as left
     from auth.session where "tokenHash" = sha256($1)`,
    [token],
  );
  return row && { age: Number(row['age']), left: Number(row['left']) };
}

/** Makes a session older: as if everything about it had happened so many seconds before. */
async function age(project: AuthProject, token: string, seconds: number): Promise<void> {
  await project.sql(
    `update auth.session set "createdAt" = "createdAt" - make_interval(secs => $2),
       "updatedAt" = "updatedAt" - make_interval(secs => $2),
       "expiresAt" = "expiresAt" - make_interval(secs => $2),
       "endsAt" = "endsAt" - make_interval(secs => $2) where "tokenHash" = sha256($1)`,
    [token, seconds],
  );
}

const policy = (fields: Readonly<Record<string, unknown>>) => ({ 'auth.sessions': fields });
const settingsOf = (fields: Readonly<Record<string, unknown>>) =>
  resolveAll(policy(fields), {})['auth.sessions'];

describe('the lifetime of a session', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject();
    await signUp(project, email);
  });
  afterAll(() => project.close());

  async function signInUnder(fields: Readonly<Record<string, unknown>>, body: object = {}) {
    const via = await project.rebuild(policy(fields));
    const reply = await project.post('/sign-in/email', { via, body: { email, password, ...body } });
    return { via, token: textAt(reply.body, 'token'), reply };
  }

  test.each([
    { name: 'the lifetime', fields: { expiresIn: 1000, updateAge: 100 }, left: 1000 },
    { name: 'the timebox', fields: { timebox: 500 }, left: 500 },
    { name: 'inactivity', fields: { inactivityTimeout: 300 }, left: 300 },
    {
      name: 'the earliest of all',
      fields: { timebox: 200, inactivityTimeout: 300 },
      left: 200,
    },
  ])('begins with $name', async ({ fields, left }) => {
    const { token } = await signInUnder(fields);
    expect((await timesOf(project, token))?.left).toBeCloseTo(left, -1);
  });

  test.each([
    {
      name: 'is renewed when it is due',
      fields: { expiresIn: 1000, updateAge: 100 },
      aged: 200,
      left: 1000,
    },
    {
      name: 'is left alone before',
      fields: { expiresIn: 1000, updateAge: 500 },
      aged: 200,
      left: 800,
    },
    {
      name: 'is renewed after a tenth of the inactivity',
      fields: { inactivityTimeout: 300 },
      aged: 31,
      left: 300,
    },
    {
      name: 'is not renewed before a tenth of it',
      fields: { inactivityTimeout: 300 },
      aged: 20,
      left: 280,
    },
    {
      name: 'ends with the timebox however much it is used',
      fields: { timebox: 500, inactivityTimeout: 300 },
      aged: 250,
      left: 250,
    },
  ])('a session that is used $name', async ({ fields, aged, left }) => {
    const { via, token } = await signInUnder(fields);
    await age(project, token, aged);
    const reply = await project.get('/get-session', { via, headers: bearer(token) });
    expect((await timesOf(project, token))?.left).toBeCloseTo(left, -1);
    const shown = new Date(textAt(reply.body, 'session', 'expiresAt')).getTime();
    expect((shown - Date.now()) / 1000).toBeCloseTo(left, -1);
  });

  test('a look that says so renews nothing', async () => {
    const { via, token } = await signInUnder({ inactivityTimeout: 300 });
    await age(project, token, 200);
    await project.get('/get-session?disableRefresh=true', { via, headers: bearer(token) });
    expect((await timesOf(project, token))?.left).toBeCloseTo(100, -1);
  });

  test('any route that takes the session renews it', async () => {
    const { via, token } = await signInUnder({ inactivityTimeout: 300 });
    await age(project, token, 200);
    expect((await project.get('/list-sessions', { via, headers: bearer(token) })).status).toBe(200);
    expect((await timesOf(project, token))?.left).toBeCloseTo(300, -1);
  });

  test.each([
    { name: 'unused for too long', fields: { inactivityTimeout: 300 }, aged: 301 },
    { name: 'older than the timebox', fields: { timebox: 500 }, aged: 501 },
  ])('a session that is $name is none', async ({ fields, aged }) => {
    const { via, token } = await signInUnder(fields);
    await age(project, token, aged);
    expect((await project.get('/get-session', { via, headers: bearer(token) })).body).toBeNull();
    expect((await project.get('/token', { via, headers: bearer(token) })).status).toBe(401);
  });

  test('a session of who does not want to be remembered ends after a day, however much it is used', async () => {
    const { via, token } = await signInUnder({}, { rememberMe: false });
    await age(project, token, 80_000);
    await project.get('/get-session', { via, headers: bearer(token) });
    expect((await timesOf(project, token))?.left).toBeCloseTo(6_400, -1);
  });

  test('a renewed session renews its cookie', async () => {
    const { via, token, reply } = await signInUnder({ expiresIn: 1000, updateAge: 100 });
    const headers = { cookie: cookieOf(reply), origin };
    const before = await project.get('/get-session', { via, headers });
    expect(before.headers.getSetCookie()).toEqual([]);
    await age(project, token, 200);
    const after = await project.get('/get-session', { via, headers });
    expect(after.headers.getSetCookie().join()).toContain('Max-Age=1000');
    const signature = createHmac('sha256', project.secret).update(token).digest('base64');
    expect(decodeURIComponent(cookieOf(after))).toBe(
      `better-auth.session_token=${token}.${signature}`,
    );
  });

  test('stricter rules hold for the sessions that there are', async () => {
    const { token } = await signInUnder({});
    await age(project, token, 1000);
    const { token: young } = await signInUnder({});
    expect(
      await applySessionPolicy(project.pool, settingsOf({ timebox: 900, inactivityTimeout: 600 })),
    ).toBeGreaterThanOrEqual(2);
    expect((await timesOf(project, token))?.left).toBeLessThan(0);
    expect((await timesOf(project, young))?.left).toBeCloseTo(600, -1);
  });
});

describe('the use of a session outside the auth engine', () => {
  let project: AuthProject;
  let token: string;
  const errors: unknown[] = [];
  beforeAll(async () => {
    project = await openAuthProject();
    token = textAt((await signUp(project, email)).body, 'token');
  });
  afterAll(() => project.close());

  test('keeps it alive, asking the database only when it is due', async () => {
    let settings = settingsOf({ inactivityTimeout: 300 });
    let nowMs = 0;
    let asked = 0;
    const counting = {
      connect: () => {
        asked += 1;
        return project.pool.connect();
      },
      end: () => Promise.resolve(),
    };
    const uses = createSessionUses({
      pool: counting,
      settings: () => settings,
      now: () => nowMs,
      onError: (error) => errors.push(error),
    });
    const use = async () => {
      uses.note(token);
      uses.note(token);
      await uses.settled();
    };
    await use();
    expect(asked).toBe(1);
    expect((await timesOf(project, token))?.left).toBeCloseTo(300, -1);
    nowMs = 29_000;
    await use();
    expect(asked).toBe(1);
    await age(project, token, 31);
    nowMs = 31_000;
    await use();
    expect(asked).toBe(2);
    expect((await timesOf(project, token))?.left).toBeCloseTo(300, -1);
    // New rules do not wait for what was remembered under the old ones.
    settings = settingsOf({ inactivityTimeout: 600 });
    await use();
    expect(asked).toBe(3);
    expect((await timesOf(project, token))?.left).toBeCloseTo(600, -1);
    expect(errors).toEqual([]);
  });

  test('says nothing about a session that is none, and tells of a failure', async () => {
    const told: unknown[] = [];
    const settings = settingsOf({});
    const options = {
      settings: () => settings,
      now: () => 0,
      onError: (e: unknown) => told.push(e),
    };
    const uses = createSessionUses({ pool: project.pool, ...options });
    uses.note('nobody');
    await uses.settled();
    expect(told).toEqual([]);
    const down = { connect: () => Promise.reject(new Error('down')), end: () => Promise.resolve() };
    const failing = createSessionUses({ pool: down, ...options });
    failing.note(token);
    await failing.settled();
    expect(told).toEqual([new Error('down')]);
  });
});

describe('one session per user', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({ settings: policy({ singleSession: true }) });
    await signUp(project, email);
    await signUp(project, 'other@example.com');
  });
  afterAll(() => project.close());

  const hashes = async () =>
    (
      await project.sql(
        `select "tokenHash"::text as hash from auth.session s
         join auth."user" u on u.id = s."userId" where u.email = $1`,
        [email],
      )
    ).map(({ hash }) => hash);

  test('a sign-in ends the sessions of before, of this user alone', async () => {
    const reply = await project.post('/sign-in/email', { body: { email, password } });
    expect(await hashes()).toEqual([sessionTokenHash(textAt(reply.body, 'token'))]);
    const [{ others } = { others: 0 }] = await project.sql(
      `select count(*)::int as others from auth.session s join auth."user" u on u.id = s."userId"
       where u.email = 'other@example.com'`,
    );
    expect(others).toBe(1);
  });

  test('sign-ins at the same moment end with exactly one session', async () => {
    for (let round = 0; round < 5; round += 1) {
      // Each round is a race of its own.
      const replies = await Promise.all(
        Array.from({ length: 8 }, () =>
          project.post('/sign-in/email', { body: { email, password } }),
        ),
      );
      const given = replies.map(({ body }) => sessionTokenHash(textAt(body, 'token')));
      const left = await hashes();
      expect(left).toHaveLength(1);
      expect(given).toContain(left[0]);
    }
  });

  test('using a session ends no other', async () => {
    const reply = await project.post('/sign-in/email', { body: { email, password } });
    const token = textAt(reply.body, 'token');
    await project.sql(
      `insert into auth.session (id, "tokenHash", "userId", "expiresAt")
       select 'second', sha256('second'), "userId", now() + interval '1 day' from auth.session where "tokenHash" = sha256($1)`,
      [token],
    );
    await project.get('/get-session', { headers: bearer(token) });
    expect(await hashes()).toHaveLength(2);
  });
});

describe('what users may set about their session', () => {
  test('nothing: the route that would do it is not there', async () => {
    const project = await openAuthProject();
    try {
      const token = textAt((await signUp(project, email)).body, 'token');
      const body = { aal: 'aal2', expiresAt: '2100-01-01', endsAt: null, userId: 'x' };
      const reply = await project.post('/update-session', { headers: bearer(token), body });
      expect(reply.status).toBe(404);
      const [row] = await project.sql(
        'select aal, "endsAt", "expiresAt" < now() + interval \'8 days\' as soon from auth.session',
      );
      expect(row).toEqual({ aal: 'aal1', endsAt: null, soon: true });
    } finally {
      await project.close();
    }
  });
});
