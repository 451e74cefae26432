// Saved tests of policies: created, changed and deleted with an entry in the audit log.
import { type JsonBytes, jsonBytesOf, type Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';
import { isUuid } from '#libs/storage-rules';

import { mayRunAsOwner } from '../sql/index.js';
import { requireCaller } from './account-caller.js';
import { auditedTry } from './audited-try.js';
import { readExpectation } from './expectation.js';
import {
  deleteTest,
  findTest,
  insertTest,
  isNameTaken,
  listTestsJson,
  lockTests,
  measureTests,
  type TestRow,
  type TestValues,
  updateTest,
} from './policy-tests.sql.js';
import { text } from './read-fields.js';
import type { Trying } from './try-policies.js';
import { readCaller, readRequest } from './try-request.js';

export type PolicyTest = TestRow;

/** Who saves a test. */
type Saving = Pick<Trying, 'caller' | 'actor'>;

export interface PolicyTestList {
  readonly tests: readonly PolicyTest[];
}

const maxTests = 200;
/** Of all tests together, as they are stored: lists and runs read them whole. */
const maxTestsBytes = 4 * 1024 * 1024;
const maxNameLength = 200;

export async function readTests(project: ProjectRuntime): Promise<JsonBytes<PolicyTestList>> {
  return jsonBytesOf(await listTestsJson(project.db));
}

/**
 * Throws INVALID_INPUT and UNKNOWN_FIELD (400), CAPABILITY_REQUIRED (403) for a caller that may not be tried,
 * POLICY_TEST_NAME_TAKEN, TOO_MANY_POLICY_TESTS and POLICY_TESTS_TOO_LARGE (409).
 */
export function createTest(
  project: ProjectRuntime,
  { caller, actor }: Saving,
  body: TestValues,
): Promise<PolicyTest> {
  const values = checked(body, mayRunAsOwner(caller));
  return project.db.runAsEngine(async (tx) => {
    await lockTests(tx);
    await requireFreeName(tx, values.name);
    const test = await insertTest(tx, values);
    await requireLimits(tx);
    await audit(tx, actor, { action: 'policyTest.create', target: test.id, after: test });
    return test;
  });
}

/** Changes the fields that are given. Throws POLICY_TEST_NOT_FOUND (404) and the errors of {@link createTest}. */
export function changeTest(
  project: ProjectRuntime,
  { caller, actor }: Saving,
  { id, change }: { readonly id: string; readonly change: Partial<TestValues> },
): Promise<PolicyTest> {
  return project.db.runAsEngine(async (tx) => {
    await lockTests(tx);
    const before = await getTest(tx, id);
    const { name, as, request, expect } = before;
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const wanted = { name, as, request, expect, ...Object.fromEntries(given) };
    const values = checked(wanted, mayRunAsOwner(caller));
    await requireFreeName(tx, values.name, id);
    const test = await updateTest(tx, id, values);
    await requireLimits(tx);
    await audit(tx, actor, { action: 'policyTest.update', target: id, before, after: test });
    return test;
  });
}

/** Throws POLICY_TEST_NOT_FOUND (404). */
export function removeTest(
  project: ProjectRuntime,
  actor: Saving['actor'],
  id: string,
): Promise<void> {
  return project.db.runAsEngine(async (tx) => {
    const before = await getTest(tx, id);
    await deleteTest(tx, id);
    await audit(tx, actor, { action: 'policyTest.delete', target: id, before });
  });
}

async function getTest(tx: Transaction, id: string): Promise<PolicyTest> {
  const test = isUuid(id) ? await findTest(tx, id) : undefined;
  if (!test) throw fail('POLICY_TEST_NOT_FOUND');
  return test;
}

/** The texts of keys are secrets, so a test names a key by its id. */
function checked({ name, as, request, expect }: TestValues, seesAccounts: boolean): TestValues {
  const caller = readCaller(as);
  requireCaller(caller, seesAccounts);
  if (caller.kind === 'key') {
    const reason = 'is not kept in tests; give keyId';
    throw fail('INVALID_INPUT', { field: 'as.key', reason });
  }
  readRequest(request);
  return { name: text(name, 'name', maxNameLength), as, request, expect: readExpectation(expect) };
}

/** Undoes the change if it is over a limit. */
async function requireLimits(tx: Transaction): Promise<void> {
  const { count, bytes } = await measureTests(tx);
  if (count > maxTests) throw fail('TOO_MANY_POLICY_TESTS', { limit: maxTests });
  if (bytes > maxTestsBytes) throw fail('POLICY_TESTS_TOO_LARGE', { maxBytes: maxTestsBytes });
}

async function requireFreeName(tx: Transaction, name: string, except?: string): Promise<void> {
  if (await isNameTaken(tx, name, except)) throw fail('POLICY_TEST_NAME_TAKEN', { name });
}

/** The audit log has the test with its caller and target; values of rows stay out of it. */
async function audit(
  tx: Transaction,
  actor: Saving['actor'],
  {
    action,
    target,
    before,
    after,
  }: {
    readonly action: string;
    readonly target: string;
    readonly before?: PolicyTest;
    readonly after?: PolicyTest;
  },
): Promise<void> {
  const shown = (test?: PolicyTest) =>
    test
      ? {
          name: test.name,
          ...auditedTry(readCaller(test.as), readRequest(test.request)),
          expect: test.expect,
        }
      : null;
  await appendAudit(tx, { actor, action, target, before: shown(before), after: shown(after) });
}
