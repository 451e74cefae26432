import { type QueryClient, queryOptions } from '@tanstack/react-query';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';
import { schemaKey } from '../project/schema.js';

export type PolicyTable = ProjectSchemas['PolicyTable'];
export type Policy = ProjectSchemas['PolicyView'];
export type TryResult = ProjectSchemas['TryResult'];
export type RefusedRow = TryResult['refusedRows'][number];
export type PolicyTest = ProjectSchemas['TestRow'];
export type TestRun = ProjectSchemas['TestRun'];
export type TestOutcome = TestRun['results'][number];

const shownUsers = 8;

const policiesKey = (ref: string) => ['projects', ref, 'policies'] as const;
export const testsKey = (ref: string) => ['projects', ref, 'policy-tests'] as const;

/** Has policies read again, and the schema, which counts them and says where row level security is on. */
export async function refreshPolicies(queryClient: QueryClient, ref: string): Promise<void> {
  await Promise.all(
    [policiesKey(ref), schemaKey(ref)].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}

/** `content.read`. */
export const policiesQuery = (ref: string) =>
  queryOptions({
    queryKey: policiesKey(ref),
    queryFn: () => answer(projectApi(ref).GET('/api/admin/policies')),
    refetchInterval: refreshMs,
  });

/** `content.write`. */
export const testsQuery = (ref: string) =>
  queryOptions({
    queryKey: testsKey(ref),
    queryFn: () => answer(projectApi(ref).GET('/api/admin/policies/tests')),
    refetchInterval: refreshMs,
  });

/** Accounts whose address or name has a text. `secrets.manage`. */
export const usersQuery = (ref: string, search: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'users-to-try', search],
    queryFn: () => {
      const query = { perPage: shownUsers, ...(search !== '' && { search }) };
      return answer(projectApi(ref).GET('/api/admin/users', { params: { query } }));
    },
    staleTime: refreshMs,
  });

/** A request to the lab, as the API takes it. */
export interface TryBody {
  readonly as: object;
  readonly request: object;
  readonly policies?: readonly object[];
}

/** `content.write`; with `policies` `secrets.manage` too. */
export function tryPolicies(ref: string, { as, request, policies }: TryBody): Promise<TryResult> {
  const body = {
    as: { ...as },
    request: { ...request },
    ...(policies && { policies: policies.map((one) => ({ ...one })) }),
  };
  return answer(projectApi(ref).POST('/api/admin/policies/try', { body }));
}

export function runTests(
  ref: string,
  { ids, policies }: { readonly ids?: readonly string[]; readonly policies?: readonly object[] },
): Promise<TestRun> {
  const body = {
    ...(ids && { ids: [...ids] }),
    ...(policies && { policies: policies.map((one) => ({ ...one })) }),
  };
  return answer(projectApi(ref).POST('/api/admin/policies/tests/run', { body }));
}

export function saveTest(
  ref: string,
  {
    name,
    as,
    request,
    expect,
  }: {
    readonly name: string;
    readonly as: object;
    readonly request: object;
    readonly expect: object;
  },
) {
  const body = { name, as: { ...as }, request: { ...request }, expect: { ...expect } };
  return answer(projectApi(ref).POST('/api/admin/policies/tests', { body }));
}

/** The parts of a test that were changed. */
export interface TestChange {
  readonly name?: string;
  readonly as?: object;
  readonly request?: object;
  readonly expect?: object;
}

/** Changes the parts that are given. */
export function changeTest(
  ref: string,
  id: string,
  { name, as, request, expect }: TestChange,
): Promise<PolicyTest> {
  const body = {
    ...(name !== undefined && { name }),
    ...(as && { as: { ...as } }),
    ...(request && { request: { ...request } }),
    ...(expect && { expect: { ...expect } }),
  };
  const params = { path: { id } };
  return answer(projectApi(ref).PATCH('/api/admin/policies/tests/{id}', { params, body }));
}

export function deleteTest(ref: string, id: string) {
  return answer(
    projectApi(ref).DELETE('/api/admin/policies/tests/{id}', { params: { path: { id } } }),
  );
}

/** Runs SQL as the owner of the project. `content.write` and `secrets.manage`. */
export function runSql(ref: string, query: string) {
  return answer(projectApi(ref).POST('/api/admin/sql', { body: { query } }));
}
