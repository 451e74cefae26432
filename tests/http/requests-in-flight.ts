import { expect } from 'vitest';

import { type ProjectUnderTest, userPassword } from '../support/project.js';

/**
 * Each sign-in runs under one configuration from its first step to its last: the slow part is the hash of
 * the password. The lifetime of the session shows which one it was; a mixture would show another.
 */
export async function checkRequestsInFlight(
  project: ProjectUnderTest,
  { requests, saves }: { readonly requests: number; readonly saves: number },
): Promise<void> {
  const path = (group: string) => `/api/admin/settings/${group}`;
  const write = (group: string, body: unknown) =>
    project.asService({ method: 'PUT', path: path(group), body });
  const revert = (group: string) => project.asService({ method: 'DELETE', path: path(group) });
  const { email } = await project.signUp('inflight@example.org');
  await write('security.rateLimit', { enabled: false });
  const lifetimes = [100_000, 200_000];
  let isSaving = true;
  const failures: string[] = [];
  const seen = new Set<number>();
  const signIn = async () => {
    const reply = await project.send({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      body: { email, password: userPassword },
    });
    if (reply.status !== 200) failures.push(`${reply.status} ${reply.text}`);
    const age = /Max-Age=(\d+)/.exec(reply.headers['set-cookie']?.[0] ?? '')?.[1];
    seen.add(Number(age));
  };
  const worker = async () => {
    while (isSaving) await signIn();
  };
  await write('auth.sessions', { expiresIn: lifetimes[1] });
  const workers = Array.from({ length: requests }, worker);
  const statuses: number[] = [];
  for (let save = 0; save < saves; save += 1) {
    statuses.push((await write('auth.sessions', { expiresIn: lifetimes[save % 2] })).status);
  }
  isSaving = false;
  await Promise.all(workers);
  expect(statuses).toEqual(Array(saves).fill(200));
  expect(failures).toEqual([]);
  expect([...seen].filter((age) => !lifetimes.includes(age))).toEqual([]);
  await revert('auth.sessions');
  await revert('security.rateLimit');
}
