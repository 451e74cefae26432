// Whatever proves something in project A proves nothing in project B, not even for somebody with the same
// address and number who is about to prove the same there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';

import { makeSignedIn, rowsOf, usersPath } from '../http/administration.js';
import {
  codeIn,
  completeSettings,
  cookiesOf,
  createWith,
  done,
  fieldOf,
  mailedCode,
  mailedLink,
  outcomeOf,
  post,
  save,
  site,
} from '../http/complete-project.js';
import { codeFor } from '../support/authenticator.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { bearer } from '../support/replies.js';

let deployment: Deployment;
let sms: SmsGateway;
let a: ProjectUnderTest;
let b: ProjectUnderTest;
beforeAll(async () => {
  [deployment, sms] = await Promise.all([Deployment.shared('outbound'), openSmsGateway()]);
  a = await createWith(deployment, completeSettings(sms));
  b = await createWith(deployment, completeSettings(sms));
});
afterAll(async () => {
  await deployment.close();
  await sms.close();
});

/** Somebody who has an account with the same address, number and password in both projects. */
interface Person extends SignedIn {
  readonly project: ProjectUnderTest;
  readonly phoneNumber: string;
}

interface Proof {
  readonly name: string;
  /** Lets a person come by the proof. */
  readonly make: (person: Person) => Promise<string>;
  /** Uses it as a person. */
  readonly use: (person: Person, proof: string) => Promise<Reply>;
  /** What it is refused with in the other project. */
  readonly refused: string;
}

const newPassword = 'another good password';
const press = (project: ProjectUnderTest, link: URL) =>
  project.send({
    method: 'POST',
    path: link.pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: link.search.slice(1),
  });
const sentCode = async (type: string, { project, email }: Person) => {
  await done(post(project, '/email-otp/send-verification-otp', { email, type }));
  return mailedCode(project, email);
};
const textedCode = async (path: string, { project, phoneNumber }: Person) => {
  await done(post(project, path, { phoneNumber }));
  return codeIn((await sms.waitForSms(phoneNumber)).text);
};
const enrol = async (person: Person) => {
  const body = { password: userPassword };
  const { project } = person;
  const uri = fieldOf(
    await done(post(project, '/two-factor/enable', body, bearer(person))),
    'totpURI',
  );
  await done(post(project, '/two-factor/verify-totp', { code: codeFor(uri) }, bearer(person)));
  // As if the app had been used long ago: a code is good for one use.
  await rowsOf(project, 'update auth."twoFactor" set "lastStep" = null');
  return uri;
};
const apps = new Map<string, string>();

const proofs: readonly Proof[] = [
  {
    name: 'a mailed code to sign in',
    make: (person) => sentCode('sign-in', person),
    use: ({ project, email }, otp) => post(project, '/sign-in/email-otp', { email, otp }),
    refused: '400 INVALID_OTP',
  },
  {
    name: 'a mailed code that proves an address',
    make: (person) => sentCode('email-verification', person),
    use: ({ project, email }, otp) => post(project, '/email-otp/verify-email', { email, otp }),
    refused: '400 INVALID_OTP',
  },
  {
    name: 'a mailed code of a recovery',
    make: async ({ project, email }) => {
      await done(post(project, '/email-otp/request-password-reset', { email }));
      return mailedCode(project, email);
    },
    use: ({ project, email }, otp) =>
      post(project, '/email-otp/reset-password', { email, otp, password: newPassword }),
    refused: '400 INVALID_OTP',
  },
  {
    name: 'a link of a recovery',
    make: async ({ project, email }) => {
      await done(post(project, '/request-password-reset', { email }));
      const link = await mailedLink(project, email);
      return link.pathname.split('/').at(-1) ?? '';
    },
    use: ({ project }, token) => post(project, '/reset-password', { token, newPassword }),
    refused: '400 INVALID_TOKEN',
  },
  {
    name: 'a link that proves an address',
    make: async ({ project, email }) => {
      await done(post(project, '/send-verification-email', { email }));
      return (await mailedLink(project, email)).href;
    },
    use: ({ project }, link) => press(project, new URL(link)),
    refused: '302 INVALID_TOKEN',
  },
  {
    name: 'a link to sign in',
    make: async ({ project, email }) => {
      await done(post(project, '/sign-in/magic-link', { email }));
      return (await mailedLink(project, email)).href;
    },
    use: ({ project }, link) => press(project, new URL(link)),
    refused: '302 INVALID_TOKEN',
  },
  {
    name: 'a link of an administrator',
    make: async ({ project, email }) => {
      const path = `${usersPath}/generate-link`;
      const body = { type: 'magiclink', email };
      const reply = await done(project.asService({ method: 'POST', path, body }));
      return String(asRecord(asRecord(reply.body)['properties'])['action_link']);
    },
    use: ({ project }, link) => press(project, new URL(link)),
    refused: '302 INVALID_TOKEN',
  },
  {
    name: 'a code at the end of redirects',
    make: async ({ project, email }) => {
      const flow = { 'x-rowhouse-flow': 'rowhouse_code' };
      await done(post(project, '/sign-in/magic-link', { email }, flow));
      const { headers } = await press(project, await mailedLink(project, email));
      return new URL(headers.location ?? '').searchParams.get('rowhouse_code') ?? '';
    },
    use: ({ project }, code) => post(project, '/exchange-code', { code }),
    refused: '400 INVALID_CODE',
  },
  {
    name: 'a code by SMS',
    make: (person) => textedCode('/phone-number/send-otp', person),
    use: ({ project, phoneNumber }, code) =>
      post(project, '/phone-number/verify', { phoneNumber, code }),
    refused: '400 INVALID_OTP',
  },
  {
    name: 'a code of a recovery by SMS',
    make: (person) => textedCode('/phone-number/request-password-reset', person),
    use: ({ project, phoneNumber }, otp) =>
      post(project, '/phone-number/reset-password', { phoneNumber, otp, newPassword }),
    refused: '400 INVALID_OTP',
  },
  {
    name: 'the code for a new password',
    make: async (person) => {
      await done(post(person.project, '/reauthenticate', {}, bearer(person)));
      return mailedCode(person.project, person.email);
    },
    use: (person, nonce) =>
      post(person.project, '/update-password', { newPassword, nonce }, bearer(person)),
    refused: '400 INVALID_CODE',
  },
  {
    name: 'a sign-in that waits for its second factor',
    make: async (person) => {
      const { project, email } = person;
      apps.set(project.ref, await enrol(person));
      const signIn = await done(post(project, '/sign-in/email', { email, password: userPassword }));
      return fieldOf(signIn, 'mfaToken');
    },
    // With the code that would be right in this project.
    use: ({ project }, token) =>
      post(
        project,
        '/two-factor/verify-totp',
        { code: codeFor(apps.get(project.ref) ?? '') },
        { 'x-mfa-token': token },
      ),
    refused: '401 CHALLENGE_EXPIRED',
  },
  {
    name: 'an invitation to an organization',
    make: async (person) => {
      const { project, email } = person;
      const owner = await makeSignedIn(project, `owner-of-${email}`);
      const slug = `s${Date.now()}${project.ref}`;
      const made = await done(
        post(project, '/organization/create', { name: 'Street', slug }, bearer(owner)),
      );
      const organizationId = fieldOf(made, 'id');
      const body = { organizationId, email, role: 'member' };
      await rowsOf(project, `update auth."user" set "emailVerified" = true where id = $1`, [
        person.id,
      ]);
      return fieldOf(
        await done(post(project, '/organization/invite-member', body, bearer(owner))),
        'id',
      );
    },
    use: (person, invitationId) =>
      post(person.project, '/organization/accept-invitation', { invitationId }, bearer(person)),
    refused: '404 INVITATION_NOT_FOUND',
  },
  {
    name: 'an API key',
    make: async (person) =>
      fieldOf(
        await done(post(person.project, '/api-key/create', { name: 'k' }, bearer(person))),
        'key',
      ),
    use: ({ project }, key) =>
      project.send({ path: '/api/auth/get-session', headers: { authorization: `Bearer ${key}` } }),
    refused: '200 nobody',
  },
];

let people = 0;
async function personInBoth(): Promise<readonly [Person, Person]> {
  people += 1;
  const email = `person${people}@example.org`;
  const phoneNumber = `+1555987${String(people).padStart(4, '0')}`;
  const fields = { phoneNumber, phoneNumberVerified: true };
  const [inA, inB] = [await makeSignedIn(a, email, fields), await makeSignedIn(b, email, fields)];
  return [
    { ...inA, project: a, phoneNumber },
    { ...inB, project: b, phoneNumber },
  ];
}

/** `200`, `302` with the error in the address, or the refusal. */
function told(reply: Reply): string {
  if (reply.body === null) return `${reply.status} nobody`;
  const { location } = reply.headers;
  const error = location === undefined ? null : new URL(location, site).searchParams.get('error');
  return error === null ? outcomeOf(reply) : `${reply.status} ${error}`;
}

describe('what A has given out is refused at B, and taken at A', () => {
  test.each(proofs)('$name', async ({ make, use, refused }) => {
    const [inA, inB] = await personInBoth();
    // B waits for a proof of its own.
    const own = await make(inB);
    const proof = await make(inA);
    const atB = await use(inB, proof);
    expect(told(atB)).toBe(refused);
    expect(cookiesOf(atB)).not.toMatch(/session_token=[^;]/);
    expect(['200', '302']).toContain(told(await use(inA, proof)));
    expect(['200', '302']).toContain(told(await use(inB, own)));
  });
});

test('a device that A trusts is asked for the second factor at B', async () => {
  const [inA, inB] = await personInBoth();
  const trust = async (person: Person): Promise<string> => {
    const uri = await enrol(person);
    const { project, email } = person;
    const waiting = await done(post(project, '/sign-in/email', { email, password: userPassword }));
    const headers = { 'x-mfa-token': fieldOf(waiting, 'mfaToken') };
    const body = { code: codeFor(uri), trustDevice: true };
    const reply = await done(post(project, '/two-factor/verify-totp', body, headers));
    return String(reply.headers['x-trust-token']);
  };
  const [trustedByA] = [await trust(inA), await trust(inB)];
  const signIn = async ({ project, email }: Person) => {
    const headers = { 'x-trust-token': trustedByA };
    return asRecord(
      (await post(project, '/sign-in/email', { email, password: userPassword }, headers)).body,
    );
  };
  expect(await signIn(inB)).toMatchObject({ twoFactorRedirect: true });
  expect(await signIn(inA)).toMatchObject({ token: expect.any(String) });
});

test('the link of a guest who becomes permanent does nothing elsewhere', async () => {
  const links = [];
  for (const project of [a, b]) {
    const guest = await done(post(project, '/sign-in/anonymous', {}));
    await save(project, 'auth.methods.emailPassword', { requireEmailVerification: true });
    const headers = { authorization: `Bearer ${fieldOf(guest, 'token')}` };
    await done(post(project, '/upgrade-anonymous', { email: 'guest@example.org' }, headers));
    await save(project, 'auth.methods.emailPassword', {});
    links.push(await mailedLink(project, 'guest@example.org'));
  }
  const [ofA] = links;
  if (!ofA) throw new Error('there is no link');
  expect(told(await press(b, ofA))).toBe('302 INVALID_CODE');
  expect(told(await press(a, ofA))).toBe('302');
});

test('a JWT of A does not verify with the keys of B, and its key is not among them', async () => {
  const [inA] = await personInBoth();
  const token = fieldOf(await done(a.as(inA, { path: '/api/auth/token' })), 'token');
  const keysOf = async (project: ProjectUnderTest): Promise<JSONWebKeySet> => {
    // Keys are made when they are needed first.
    await project.as(await makeSignedIn(project, `keys-${project.ref}@example.org`), {
      path: '/api/auth/token',
    });
    const { keys } = asRecord((await project.send({ path: '/api/auth/jwks' })).body);
    // The document of RFC 7517; jose checks what it needs of it.
    return { keys: keys as JSONWebKeySet['keys'] };
  };
  const [ofA, ofB] = [await keysOf(a), await keysOf(b)];
  await expect(jwtVerify(token, createLocalJWKSet(ofA))).resolves.toMatchObject({
    payload: { sub: inA.id },
  });
  await expect(jwtVerify(token, createLocalJWKSet(ofB))).rejects.toThrow(/no applicable key/);
  const withKeyId = { keys: ofB.keys.map((key) => ({ ...key, kid: ofA.keys[0]?.kid ?? '' })) };
  await expect(jwtVerify(token, createLocalJWKSet(withKeyId))).rejects.toThrow(/signature/);
});

test('mails, deliveries and the audit log of A are not in those of B', async () => {
  const email = 'only-in-a@example.org';
  await makeSignedIn(a, email);
  await done(post(a, '/request-password-reset', { email }));
  const paths = [
    'inbox?limit=200',
    'messages?limit=200',
    'hooks/deliveries?limit=200',
    'audit?limit=200',
    'users?search=only',
  ];
  for (const path of paths) {
    const seen = await b.asService({ path: `/api/admin/${path}` });
    expect({ path, status: seen.status, has: seen.text.includes(email) }).toEqual({
      path,
      status: 200,
      has: false,
    });
    const foreign = { path: `/api/admin/${path}`, headers: { apikey: a.secretKey } };
    expect((await b.send(foreign)).status).toBe(401);
  }
  expect((await a.asService({ path: '/api/admin/users?search=only' })).text).toContain(email);
});
