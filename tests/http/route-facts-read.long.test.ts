// Each fact of a declaration of routes is stated because something reads it. The types of the sources say what is read.
import ts from 'typescript';
import { expect, test } from 'vitest';

import { declarations, propertiesIn, sourcesIn } from './declared-facts.js';

/** Compiles the sources and returns the facts that no file reads, as `file: type.fact`. */
function unreadFacts(files: readonly string[], declared: typeof declarations): readonly string[] {
  const { config } = ts.readConfigFile('tsconfig.json', (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const program = ts.createProgram([...files], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const facts = declared.flatMap(({ file, types }) =>
    propertiesIn(program.getSourceFile(file), types).map((property) => ({ file, property })),
  );
  const unread = new Map(facts.map((fact) => [fact.property, fact.file]));
  const names = new Set(facts.map(({ property }) => property.name.getText()));
  for (const source of program.getSourceFiles()) {
    if (!source.isDeclarationFile) visit(source);
  }
  return [...unread].map(([{ name, parent }, file]) => {
    const type = ts.isInterfaceDeclaration(parent) ? parent.name.text : '';
    return `${file}: ${type}.${name.getText()}`;
  });

  function visit(node: ts.Node): void {
    const symbol = readSymbol(node, names, checker);
    for (const declaration of symbol?.declarations ?? []) {
      if (!ts.isPropertySignature(declaration)) continue;
      if (declaration.getSourceFile() !== node.getSourceFile()) unread.delete(declaration);
    }
    ts.forEachChild(node, visit);
  }
}

/** The property that `value.name` or `{ name } = value` reads; undefined for other code and other names. */
function readSymbol(
  node: ts.Node,
  names: ReadonlySet<string>,
  checker: ts.TypeChecker,
): ts.Symbol | undefined {
  if (ts.isPropertyAccessExpression(node) && names.has(node.name.text)) {
    return checker.getSymbolAtLocation(node.name);
  }
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const name = (node.propertyName ?? node.name).getText();
  if (!names.has(name)) return undefined;
  return checker.getTypeAtLocation(node.parent).getProperty(name);
}

test('each fact of a declaration is read outside of it', { timeout: 180_000 }, () => {
  const files = [
    'apps/api/src',
    'apps/console/server/src',
    'libs/auth-engine/src',
    'libs/wire/src',
  ];
  expect(unreadFacts(files.flatMap(sourcesIn), declarations)).toEqual([]);
});
