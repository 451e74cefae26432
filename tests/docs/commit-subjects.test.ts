// The subjects of commits say what changes for the reader, in the imperative (CONTRIBUTING.md). Earlier ones stay as
// they are.
import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

/** The last commit before this rule. */
const before = 'c92191e7d1b6020be92d6d46dc45a6e223c782ba';
const maxLength = 72;
const types = 'feat|fix|perf|refactor|test|docs|build|chore';
const subject = new RegExp(`^(?:${types})(?:\\([\\w-]+\\))?!?: (\\S+)`);

/** Endings of words that are no imperative, such as `adds`, `added`, `adding`. */
const otherForm = /(?<!s|focu)s$|(?<!e|emb)ed$|(?<!br|^p|str)ing$/;

/** Why a subject does not follow the rule; undefined if it does. */
function problemOf(text: string): string | undefined {
  if (text.length > maxLength) return `longer than ${maxLength} characters`;
  const [, verb] = subject.exec(text) ?? [];
  if (verb === undefined) return 'does not begin with a type, a scope and a verb';
  return /^(?:an?|the|no)$/.test(verb) || otherForm.test(verb)
    ? `${verb} is no imperative`
    : undefined;
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The subjects since, but those of merges; undefined where the history does not reach back to the rule. */
function subjectsSince(): readonly string[] | undefined {
  try {
    git('merge-base', '--is-ancestor', before, 'HEAD');
  } catch {
    // No git, no repository, or one without that commit, as an archive and a shallow clone are.
    console.warn('skipped: the subjects of commits need the history of the repository');
    return undefined;
  }
  return git('log', '--no-merges', '--format=%s', `${before}..HEAD`).split('\n').filter(Boolean);
}

const subjects = subjectsSince();

test.skipIf(subjects === undefined)('each subject follows the rule', () => {
  const problems = (subjects ?? []).map((text) => ({ text, problem: problemOf(text) }));
  expect(problems.filter(({ problem }) => problem !== undefined)).toEqual([]);
});

test.each([
  'fix(auth): keep sessions of deactivated users refused',
  'feat!: embed the client',
  'fix: need no history',
  'test: focus the first cell',
  'perf(console-web): press fewer keys',
  'build: bring the release of Node.js to the tests',
])('"%s" follows the rule', (text) => {
  expect(problemOf(text)).toBeUndefined();
});

test.each([
  { text: 'sessions of deactivated users, refused', problem: 'does not begin with a type' },
  { text: 'fix(auth):keep sessions', problem: 'does not begin with a type' },
  { text: 'wip: keep sessions', problem: 'does not begin with a type' },
  { text: 'fix: sessions are refused', problem: 'sessions is no imperative' },
  { text: 'fix: the sessions are refused', problem: 'the is no imperative' },
  { text: 'feat: added a screen', problem: 'added is no imperative' },
  { text: 'feat: adding a screen', problem: 'adding is no imperative' },
  { text: `feat: add ${'x'.repeat(63)}`, problem: 'longer than 72 characters' },
])('"$text" does not', ({ text, problem }) => {
  expect(problemOf(text)).toContain(problem);
});
