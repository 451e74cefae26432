// The SQL texts in source files, and the names in them that are found by the search path. A project's owner can
// make functions and types of the same names, so statements of the platform name the schema.
import ts from 'typescript';

/** A name without a schema. */
export interface UnqualifiedName {
  readonly name: string;
  readonly kind: 'function' | 'type';
  /** Where the name begins in the source. */
  readonly offset: number;
  readonly line: number;
}

/** What a text must have to be taken for SQL: prose has commas and parentheses, too. */
const sqlWord =
  /\b(?:select|insert into|delete from|update|returning|where|order by|group by|join|exists|interval|now\(|make_interval\()|"[a-z]+[A-Z]\w*"|::/;
/** Words before a parenthesis that are grammar, or functions that the grammar itself finds in pg_catalog. */
const GRAMMAR: ReadonlySet<string> = new Set(
  `all and any array as between by case check coalesce conflict current_schemas distinct else
   end except exists extract filter from greatest grouping in into is join key lateral least
   like limit materialized not nullif offset on only operator or order over overlay partition
   position returning row select set some substring table then trim union unique update using
   values when where with xmlserialize intersect recursive cast ordinality numeric references`.split(
    /\s+/,
  ),
);

/** The unqualified names in the SQL texts of a source; the ending of its name says how it is written. */
export function unqualifiedNames(source: string, name = 'source.ts'): readonly UnqualifiedName[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found: UnqualifiedName[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      for (const hit of namesIn(textOf(node, file))) {
        const offset = node.getStart(file) + hit.offset;
        const { line } = file.getLineAndCharacterOfPosition(offset);
        found.push({ ...hit, offset, line: line + 1 });
      }
    }
    if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The text as it stands in the source; what is put into a template is blank, so that offsets stay. */
function textOf(node: ts.StringLiteralLike | ts.TemplateExpression, file: ts.SourceFile): string {
  const text = node.getText(file);
  if (!ts.isTemplateExpression(node)) return text;
  const start = node.getStart(file);
  return node.templateSpans.reduce((whole, { expression }) => {
    const from = expression.getStart(file) - start;
    const to = expression.getEnd() - start;
    return whole.slice(0, from) + ' '.repeat(to - from) + whole.slice(to);
  }, text);
}

type Hit = Pick<UnqualifiedName, 'name' | 'kind' | 'offset'>;

function namesIn(text: string): Hit[] {
  if (!sqlWord.test(text)) return [];
  // Texts and comments inside of a statement hold no names; a name after a table has its columns behind it.
  const plain = text
    .slice(1, -1)
    .replace(/'[^'\n]*'/g, (quoted) => `'${' '.repeat(quoted.length - 2)}'`);
  const hits: Hit[] = [];
  for (const match of plain.matchAll(/(?<![\w."$:])([a-z_][a-z0-9_]*)\(/g)) {
    const [, name = ''] = match;
    if (!GRAMMAR.has(name)) hits.push({ name, kind: 'function', offset: match.index + 1 });
  }
  for (const match of plain.matchAll(/::([a-z_][a-z0-9_]*)(?!\w|\.)/g)) {
    const [, name = ''] = match;
    hits.push({ name, kind: 'type', offset: match.index + 3 });
  }
  for (const match of plain.matchAll(/(?<![\w.])(bytea|date|inet|jsonb?|regclass|text|uuid) '/g)) {
    const [, name = ''] = match;
    hits.push({ name, kind: 'type', offset: match.index + 1 });
  }
  return [...hits, ...castsIn(plain)];
}

/** The types in `cast(value as type)`, where the value may have parentheses and casts of its own. */
function castsIn(plain: string): Hit[] {
  return [...plain.matchAll(/\bcast\(/g)].flatMap(({ index }): Hit[] => {
    let depth = 0;
    for (const match of plain.slice(index).matchAll(/[()]|\bas\s+([a-z_][a-z0-9_]*)(?!\w|\.)/g)) {
      const [text, name] = match;
      if (text === '(') depth++;
      else if (text === ')' && --depth === 0) return [];
      else if (depth === 1 && name !== undefined) {
        const offset = index + match.index + text.length - name.length + 1;
        return [{ name, kind: 'type', offset }];
      }
    }
    return [];
  });
}
