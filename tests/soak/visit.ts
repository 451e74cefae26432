// Visits many projects of one deployment in turn, of which only so many are kept in memory.
import { asRecord, type Deployment } from '../support/deployment.js';
import { send } from '../support/http.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';

const email = 'visitor@example.org';

/** A project that is visited again and again, and the lifetime of sessions that is its own. */
export interface Visited {
  readonly project: ProjectUnderTest;
  readonly expiresIn: number;
}

/** Makes projects whose settings differ, each with a user. */
export async function makeVisited(
  deployment: Deployment,
  count: number,
  say: (line: string) => void = () => undefined,
): Promise<readonly Visited[]> {
  const all: Visited[] = [];
  for (let index = 0; index < count; index += 1) {
    const project = await deployment.createProject();
    const expiresIn = 100_000 + index;
    const call = {
      method: 'PUT',
      path: '/api/admin/settings/auth.sessions',
      body: { expiresIn },
    };
    const saved = await project.asService(call);
    if (saved.status !== 200) throw new Error(`${saved.status} ${saved.text}`);
    await project.signUp(email);
    all.push({ project, expiresIn });
    if ((index + 1) % 100 === 0) say(`${index + 1} projects made`);
  }
  return all;
}

/** Signs in at the project by the auth engine; how long the session lasts is what its settings say. */
export async function visit({ project }: Visited): Promise<number> {
  const reply = await project.send({
    method: 'POST',
    path: '/api/auth/sign-in/email',
    body: { email, password: userPassword },
  });
  if (reply.status !== 200) throw new Error(`${project.ref}: ${reply.status} ${reply.text}`);
  const lifetime = /Max-Age=(\d+)/.exec(reply.headers['set-cookie']?.[0] ?? '')?.[1];
  return Number(lifetime);
}

/** How many projects the process holds, by the figures that it publishes. */
export async function heldProjects(
  deployment: Deployment,
): Promise<{ readonly live: number; readonly draining: number }> {
  const { text, status } = await send(deployment.apiOrigin, { path: '/metrics' });
  if (status !== 200) throw new Error(`${status} ${text}`);
  const figure = (state: string) => {
    const line = new RegExp(String.raw`^rowhouse_projects\{state="${state}"\} (\d+)$`, 'm');
    return Number(line.exec(text)?.[1]);
  };
  return { live: figure('live'), draining: figure('draining') };
}

/** The settings of a project as an administrator reads them. */
export async function storedLifetime({ project }: Visited): Promise<unknown> {
  const reply = await project.asService({ path: '/api/admin/settings/auth.sessions' });
  return asRecord(reply.body)['expiresIn'];
}
