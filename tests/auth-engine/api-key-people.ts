// People with keys of their own, on one project where users may make keys.
import { openAuthProject, signUp, type AuthProject, type Reply } from './auth-project.js';
import { bearer, textAt } from '../support/replies.js';

export const keyGroup = { enabled: true, prefix: 'abc_', maxKeys: 3 };
export const keySettings = {
  'auth.apiKey': keyGroup,
  'auth.methods.anonymous': { enabled: true },
  'auth.twoFactor': { enabled: true },
};

interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

export interface KeyProject {
  readonly project: AuthProject;
  /** Signs somebody up. */
  readonly newPerson: () => Promise<Person>;
  readonly create: (token: string, body?: object, via?: AuthProject['auth']) => Promise<Reply>;
  /** The rows of somebody's keys, the oldest first. */
  readonly keysOf: (userId: string) => Promise<readonly Record<string, unknown>[]>;
}

export async function openKeyProject(): Promise<KeyProject> {
  const project = await openAuthProject({ settings: keySettings });
  let people = 0;
  return {
    project,
    async newPerson() {
      people += 1;
      const email = `person${people}@example.com`;
      const { body } = await signUp(project, email);
      return { id: textAt(body, 'user', 'id'), email, token: textAt(body, 'token') };
    },
    create: (token, body = {}, via = project.auth) =>
      project.post('/api-key/create', { via, headers: bearer(token), body }),
    keysOf: (userId) =>
      project.sql('select * from auth.apikey where "referenceId" = $1 order by "createdAt"', [
        userId,
      ]),
  };
}
