// Runs saved tests, each as a try of its own.
import { AppError } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import { mayRunAsOwner, requireRunAsOwner } from '../sql/index.js';
import { refusalOfCaller } from './account-caller.js';
import {
  type Actual,
  actualOf,
  type Expectation,
  isAsExpected,
  readExpectation,
} from './expectation.js';
import { auditedChanges, auditedTry } from './audited-try.js';
import { listTests, type TestRow } from './policy-tests.sql.js';
import type { PolicyChange } from './policy-change.js';
import { readCaller, readRequest, type TriedCaller, type TriedRequest } from './try-request.js';
import { runTry, type Trying } from './try-policies.js';

export interface TestOutcome {
  readonly id: string;
  readonly name: string;
  readonly passed: boolean;
  readonly expected: Expectation;
  readonly actual: Actual;
}

/** A test with its parts as they are tried. */
interface ReadTest {
  readonly id: string;
  readonly name: string;
  readonly as: TriedCaller;
  readonly request: TriedRequest;
  readonly expected: Expectation;
}

export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly results: readonly TestOutcome[];
}

/** After it no further test is begun; those that are left have failed. */
const maxRunMs = 60_000;

/**
 * Runs the tests with these ids, or all, one after the other. Each change of policies is made for each test and undone
 * with it. A test whose caller may not be tried is not run, and has failed. Throws CAPABILITY_REQUIRED (403) for changes
 * of an operator who may not run SQL as the owner, and the errors of the changes.
 */
export async function runTests(
  project: ProjectRuntime,
  { caller, actor, now }: Trying,
  {
    ids,
    changes,
  }: { readonly ids: readonly string[] | undefined; readonly changes: readonly PolicyChange[] },
): Promise<TestRun> {
  if (changes.length > 0) requireRunAsOwner(caller);
  const all = await listTests(project.db);
  const tests = (ids ? all.filter(({ id }) => ids.includes(id)) : all).map(readTest);
  const changed = await auditedChanges(changes);
  await project.db.runAsEngine((tx) =>
    appendAudit(tx, {
      actor,
      action: 'policyTest.run',
      target: 'policy tests',
      before: null,
      after: {
        tests: tests.length,
        ...changed,
        tries: tests.map(({ id, as, request }) => ({ test: id, ...auditedTry(as, request) })),
      },
    }),
  );
  const seesAccounts = mayRunAsOwner(caller);
  const endsAt = performance.now() + maxRunMs;
  const results: TestOutcome[] = [];
  // In order: tries share few connections.
  for (const test of tests) {
    const isInTime = performance.now() < endsAt;
    results.push(
      isInTime ? await runTest(project, { now, seesAccounts }, test, changes) : unrun(test),
    );
  }
  const passed = results.filter((result) => result.passed).length;
  return { passed, failed: results.length - passed, results };
}

function readTest({ id, name, as, request, expect }: TestRow): ReadTest {
  return {
    id,
    name,
    as: readCaller(as),
    request: readRequest(request),
    expected: readExpectation(expect),
  };
}

async function runTest(
  project: ProjectRuntime,
  { now, seesAccounts }: { readonly now: () => number; readonly seesAccounts: boolean },
  test: ReadTest,
  changes: readonly PolicyChange[],
): Promise<TestOutcome> {
  const { id, name, as, request, expected } = test;
  const refusal = refusalOfCaller(as, seesAccounts);
  if (refusal) return { id, name, passed: false, expected, actual: actualOfRefusal(refusal) };
  const actual = await actualOfTry(() =>
    runTry(project, { as, request, changes }, now).then(actualOf),
  );
  return { id, name, passed: isAsExpected(expected, actual), expected, actual };
}

/** A try that cannot be made, such as one of a user who is gone, is a refusal, too. */
async function actualOfTry(run: () => Promise<Actual>): Promise<Actual> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'refused', code: error.code, message: error.message };
  }
}

function actualOfRefusal({ code, message, hint = '' }: AppError): Actual {
  return { kind: 'refused', code, message: `${message}: ${hint}` };
}

function unrun({ id, name, expected }: ReadTest): TestOutcome {
  const message = `the tests have taken longer than ${maxRunMs / 1000} seconds`;
  return {
    id,
    name,
    passed: false,
    expected,
    actual: { kind: 'refused', code: 'PGRST504', message },
  };
}
