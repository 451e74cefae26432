// People with passkeys in a project, and the ceremonies by which they get and use them.
import { expect } from 'vitest';
import { openAuthProject, signUp, type AuthProject, type Reply } from './auth-project.js';
import {
  assert,
  attest,
  makePasskey,
  type Ceremony,
  type Passkey,
} from './software-authenticator.js';
import { bearer, textAt } from '../support/replies.js';

export const rpId = 'abc.localhost';
export const origin = 'http://abc.localhost:8000';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

export interface Begun {
  readonly challenge: string;
  /** The header that a client without cookies sends back. */
  readonly carried: Readonly<Record<string, string>>;
  readonly options: unknown;
}

/** What is unusual about a ceremony. */
type Change = Partial<Ceremony>;

export interface PasskeyProject extends AuthProject {
  newPerson(): Promise<Person>;
  begin(kind: 'register' | 'authenticate', token?: string): Promise<Begun>;
  register(person: Person, passkey: Passkey, change?: Change): Promise<Reply>;
  signIn(passkey: Passkey, change?: Change): Promise<Reply>;
  personWithPasskey(): Promise<{ person: Person; passkey: Passkey; row: unknown }>;
  /** The levels of a person's sessions, the oldest first. */
  levelsOf(person: Person): Promise<readonly unknown[]>;
}

/** A project with passkeys, guests and second factors. */
export async function openPasskeyProject(): Promise<PasskeyProject> {
  const project = await openAuthProject({
    settings: {
      'auth.passkey': { enabled: true, rpId, rpName: 'Abc' },
      'auth.methods.anonymous': { enabled: true },
      'auth.twoFactor': { enabled: true },
    },
  });
  let people = 0;

  async function newPerson(): Promise<Person> {
    people += 1;
    const email = `person${people}@example.com`;
    const { body } = await signUp(project, email);
    return { id: textAt(body, 'user', 'id'), email, token: textAt(body, 'token') };
  }

  async function begin(kind: 'register' | 'authenticate', token?: string): Promise<Begun> {
    const headers = token === undefined ? {} : bearer(token);
    const reply = await project.get(`/passkey/generate-${kind}-options`, { headers });
    expect(reply.status).toBe(200);
    const carried = { 'x-challenge-token': reply.headers.get('x-challenge-token') ?? '' };
    return { challenge: textAt(reply.body, 'challenge'), carried, options: reply.body };
  }

  async function register(person: Person, passkey: Passkey, change: Change = {}): Promise<Reply> {
    const { challenge, carried } = await begin('register', person.token);
    return project.post('/passkey/verify-registration', {
      headers: { ...bearer(person.token), ...carried },
      body: { response: attest(passkey, { challenge, origin, rpId, ...change }), name: 'laptop' },
    });
  }

  async function signIn(passkey: Passkey, change: Change = {}): Promise<Reply> {
    const { challenge, carried } = await begin('authenticate');
    return project.post('/passkey/verify-authentication', {
      headers: carried,
      body: { response: assert(passkey, { challenge, origin, rpId, ...change }) },
    });
  }

  async function personWithPasskey() {
    const person = await newPerson();
    const passkey = makePasskey();
    const reply = await register(person, passkey);
    expect(reply).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    return { person, passkey, row: reply.body };
  }

  async function levelsOf({ id }: Person) {
    const sessions = await project.sql(
      'select aal from auth.session where "userId" = $1 order by "createdAt"',
      [id],
    );
    return sessions.map(({ aal }) => aal);
  }

  return { ...project, newPerson, begin, register, signIn, personWithPasskey, levelsOf };
}
