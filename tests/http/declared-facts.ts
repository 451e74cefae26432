// The declarations of routes, and the facts that they can state.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const declarations = [
  { file: 'apps/api/src/http/access.ts', types: ['RouteNeeds', 'RouteRule'] },
  { file: 'apps/console/server/src/http/access.ts', types: ['RouteNeeds', 'RouteRule'] },
  { file: 'libs/auth-engine/src/part.ts', types: ['Route', 'MatchedRoute'] },
  { file: 'libs/wire/src/project-route.ts', types: ['ProjectRoute'] },
];

const isSource = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.test.ts');
export const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((file) => join(folder, file));

/** The properties of these interfaces of a source file. */
export function propertiesIn(
  source: ts.SourceFile | undefined,
  types: readonly string[],
): readonly ts.PropertySignature[] {
  const statements: readonly ts.Statement[] = source?.statements ?? [];
  return statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => types.includes(name.text))
    .flatMap(({ members }) => members.filter(ts.isPropertySignature));
}
