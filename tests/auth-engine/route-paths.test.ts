// What is known of a route is declared on it. A path in another place is the beginning of a second list.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

const folder = 'libs/auth-engine/src';

/** Paths of the operating system. */
const ofFiles = /^\/proc\//;

/** Returns the paths of a text that declare no route and no endpoint, and name no constant. */
function strayPaths(text: string): readonly string[] {
  const stray: string[] = [];
  const visit = (node: ts.Node): void => {
    const isPath = ts.isStringLiteralLike(node) && /^\/[a-z]/.test(node.text);
    if (isPath && !ofFiles.test(node.text) && !isDeclaration(node)) stray.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true));
  return stray;
}

function isDeclaration(path: ts.StringLiteralLike): boolean {
  const { parent } = path;
  // `'/sign-out': { … }` in a table of routes, `path: '/change-email'` in a row of one.
  if (ts.isPropertyAssignment(parent))
    return parent.name === path || parent.name.getText() === 'path';
  if (ts.isVariableDeclaration(parent))
    return /^path$|(?:Path|Prefix)$/.test(parent.name.getText());
  const isFirst = ts.isCallExpression(parent) && parent.arguments[0] === path;
  return isFirst && ['endpoint', 'route'].includes(parent.expression.getText());
}

test('a path of the auth engine is in the declaration of its route or endpoint', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    strayPaths(readFileSync(`${folder}/${file}`, 'utf8')).map((path) => `${file}: ${path}`),
  );
  expect(found).toEqual([]);
});

test.each([
  "const isSignUp = ({ path }) => path === '/sign-up/email';",
  "const paths = ['/list-sessions', `/list-sessions`];",
  "refuseAlike('/email-otp/reset-password');",
  "const names = { begin: '/passkey/begin' };",
])('%s has a path too many', (text) => {
  expect(strayPaths(text)).not.toEqual([]);
});

test.each([
  "const routes = { '/sign-out': { ...write } };",
  "const row = { path: '/change-email' };",
  "const listPath = '/list-sessions';",
  "endpoint('/list-sessions', {}, run);",
  "const url = '/' + `/${name}`; // '/sign-out'",
])('%s declares', (text) => {
  expect(strayPaths(text)).toEqual([]);
});
