// Counts files, functions and casts of the product, and prints the rows of the table in
// docs/decisions/0063-measures-of-the-house.md: first without the pages of the console, then with them. Takes 5 s.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

const pages = 'apps/console/web/';
/** Written by `npm run describe` from the API documents. */
const generated = /^apps\/console\/web\/src\/api\/(?:project-)?schema\.ts$/;
const listed = execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
const files = listed
  .split('\n')
  .filter((file) => /(?<!\.d)\.(?:tsx?|m?js)$/.test(file) && !generated.test(file));

const isTest = (file) => /\.test\.\w+$/.test(file) || file.startsWith('tests/');
const isSource = (file) => /^(?:apps|libs|bin)\//.test(file) && !isTest(file);
const linesIn = (text) => text.split('\n').length - 1;
const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
const share = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

/** The file that an import names; undefined for a package. */
function importedFile(from, specifier, sources) {
  const ours = /^#((?:libs|apps)\/.+)$/.exec(specifier)?.[1];
  if (ours === undefined && !specifier.startsWith('.')) return undefined;
  const path = ours === undefined ? normalize(join(dirname(from), specifier)) : `${ours}/src/index`;
  const stem = path.replace(/\.jsx?$/, '');
  const names = [path, `${stem}.ts`, `${stem}.tsx`, `${stem.replace('/src/index', '/index')}.ts`];
  return names.find((name) => sources.has(name));
}

function countFile(file, sources, counts) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line;
  const commented = new Set();
  const importsFrom = (specifier) => {
    const imported = importedFile(file, specifier, sources);
    if (imported !== undefined) counts.importers.get(imported).add(file);
  };
  const noteComments = (ranges = []) => {
    for (const { pos, end } of ranges) {
      if (text.slice(text.lastIndexOf('\n', pos - 1) + 1, pos).trim() !== '') continue;
      for (let line = lineAt(pos); line <= lineAt(end); line += 1) commented.add(line);
    }
  };
  const visit = (node) => {
    noteComments(ts.getLeadingCommentRanges(text, node.getFullStart()));
    noteComments(ts.getTrailingCommentRanges(text, node.getEnd()));
    if (ts.isFunctionLike(node) && node.body) {
      if (ts.isBlock(node.body))
        counts.functions.push(lineAt(node.getEnd()) - lineAt(node.getStart()) + 1);
      if (node.parameters.length > 4) counts.longParameters += 1;
    }
    if (node.kind === ts.SyntaxKind.AnyKeyword) counts.any += 1;
    if (ts.isAsExpression(node) && node.type.getText() !== 'const') {
      counts.casts += 1;
      const isTwice = ts.isAsExpression(node.expression);
      if (isTwice && node.expression.type.kind === ts.SyntaxKind.UnknownKeyword)
        counts.unknown += 1;
    }
    if (ts.isNonNullExpression(node)) counts.nonNull += 1;
    if (ts.isCallExpression(node)) {
      if (node.expression.getText() === 'Reflect.get') counts.reflect += 1;
      const [first] = node.arguments;
      const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
      if (isImport && first && ts.isStringLiteral(first)) importsFrom(first.text);
    }
    const isImport = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    if (isImport && node.moduleSpecifier) importsFrom(node.moduleSpecifier.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  counts.comments += commented.size;
  if (/@ts-(?:ignore|expect-error|nocheck)/.test(text)) counts.suppressed += 1;
  return linesIn(text);
}

function rowsOf(names) {
  const sources = names.filter(isSource);
  const counts = {
    functions: [],
    importers: new Map(sources.map((file) => [file, new Set()])),
    longParameters: 0,
    any: 0,
    casts: 0,
    unknown: 0,
    nonNull: 0,
    reflect: 0,
    comments: 0,
    suppressed: 0,
  };
  const known = new Set(sources);
  const sizes = sources.map((file) => countFile(file, known, counts)).toSorted((a, b) => a - b);
  const lines = sizes.reduce((sum, size) => sum + size, 0);
  const functions = counts.functions.toSorted((a, b) => a - b);
  const folders = new Set(sources.map((file) => dirname(file))).size;
  const tests = names
    .filter(isTest)
    .map((file) => ({ file, size: linesIn(readFileSync(file, 'utf8')) }));
  const testFiles = tests.filter(({ file }) => file.includes('.test.'));
  const testLines = tests.reduce((sum, { size }) => sum + size, 0);
  const [above250, below20] = [sizes.filter((n) => n > 250), sizes.filter((n) => n < 20)];
  const single = [...counts.importers.values()].filter((each) => each.size === 1);
  const middle = [at(functions, 0.5), at(functions, 0.9), at(functions, 0.99), functions.at(-1)];
  return {
    files: sources.length,
    lines,
    'lines of a file: median / p90 / max': `${at(sizes, 0.5)} / ${at(sizes, 0.9)} / ${sizes.at(-1)}`,
    'files above 400 lines': sizes.filter((n) => n > 400).length,
    'files above 250 lines': `${above250.length} (${share(above250.length, sizes.length)})`,
    'files below 20 lines': share(below20.length, sizes.length),
    'files with exactly one importer': share(single.length, sizes.length),
    'lines of a function: median / p90 / p99 / max': middle.join(' / '),
    'functions above 40 lines': functions.filter((n) => n > 40).length,
    'functions with more than 4 parameters': counts.longParameters,
    '`any`': counts.any,
    '`as unknown as`': counts.unknown,
    '`@ts-…`': counts.suppressed,
    'casts per 1,000 lines': ((1000 * counts.casts) / lines).toFixed(2),
    'non-null `!`': counts.nonNull,
    '`Reflect.get`': counts.reflect,
    'lines of comments': share(counts.comments, lines),
    'folders, files in a folder': `${folders}, ${(sizes.length / folders).toFixed(1)}`,
    'test lines by source lines': (testLines / lines).toFixed(2),
    'test files above 400 lines': `${testFiles.filter(({ size }) => size > 400).length} of ${testFiles.length}`,
  };
}

const [server, all] = [rowsOf(files.filter((file) => !file.startsWith(pages))), rowsOf(files)];
for (const [name, value] of Object.entries(server))
  console.log(`| ${name} | ${value} | ${all[name]} |`);
