// A project with policies to try, and the answers of the lab.
import { Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

export const tryPath = '/api/admin/policies/try';
export const testsPath = '/api/admin/policies/tests';

/** Notes of two users, a table without a policy, and a table with a sequence. Locked notes are hidden from everybody. */
export const notesSql = (id: string): string => `
  create table notes (
    id int primary key, owner ${id} default auth.uid(), body text not null, locked bool not null default false);
  create policy own_notes on notes for all to authenticated using (owner = (select auth.uid()));
  create policy shared_notes on notes for select using (body = 'shared');
  create policy unlocked on notes as restrictive for select using (not locked);
  create table closed (id int primary key, body text);
  insert into closed values (1, 'a'), (2, 'b');
  create table counted (id serial primary key, body text);
  create policy any_counted on counted for insert with check (body <> 'no');
  create policy see_counted on counted for select using (true);`;

export interface Lab {
  readonly deployment: Deployment;
  readonly project: ProjectUnderTest;
  readonly ada: SignedIn;
  readonly bob: SignedIn;
  close(): Promise<void>;
}

export async function openLab(): Promise<Lab> {
  const deployment = await Deployment.shared();
  const project = await deployment.createProject();
  const [{ type }] = (await project.sql(
    `select pg_catalog.format_type(prorettype, null) as type from pg_proc where oid = 'auth.uid()'::regprocedure`,
  )) as [{ type: string }];
  await project.sql(notesSql(type));
  const [ada, bob] = [
    await project.signUp('ada@example.org'),
    await project.signUp('bob@example.org'),
  ];
  await project.sql(`insert into notes (id, owner, body, locked) values
    (1, '${ada.id}', 'mine', false), (2, '${ada.id}', 'mine too', true),
    (3, '${bob.id}', 'private', false), (4, '${bob.id}', 'shared', false)`);
  return { deployment, project, ada, bob, close: () => deployment.close() };
}

/** Tries as an administrator with the secret key. */
export function tryOut(
  { project }: Pick<Lab, 'project'>,
  as: unknown,
  request: unknown,
  policies?: readonly unknown[],
): Promise<Reply> {
  const body = { as, request, ...(policies && { policies }) };
  return project.asService({ method: 'POST', path: tryPath, body });
}
