// The functions in SQL files whose bodies PostgreSQL keeps as texts and reads again in each session.

export interface StoredFunction {
  /** With its schema. */
  readonly name: string;
  /**
   * Without comments and assignments; the types of its variables are casts, `x::text`, so that they are found like
   * those.
   */
  readonly body: string;
  /** Whether it runs with `search_path = pg_catalog, pg_temp`, whatever the session has set. */
  readonly hasFixedPath: boolean;
}

const creation = /\bcreate (?:or replace )?(?:function|procedure)\s+([\w."]+)\s*\(/g;

/** The functions and procedures with a body between dollar quotes. */
export function storedFunctions(sql: string): readonly StoredFunction[] {
  // Lines with a number sign are directives of PL/pgSQL.
  const text = sql.replace(/--[^\n]*|^#[^\n]*/gm, '');
  return [...text.matchAll(creation)].flatMap(({ index, 1: name = '' }) => {
    const rest = text.slice(index);
    const [head = '', quote, tail = ''] = splitAtQuote(rest);
    // The statement ends before the next body begins.
    if (quote === undefined || head.includes(';')) return [];
    const body = tail.slice(0, tail.indexOf(quote));
    const hasFixedPath = /\bset search_path = pg_catalog, pg_temp\b/.test(head);
    return [{ name, body: withTypesAsCasts(withoutAssignments(body)), hasFixedPath }];
  });
}

function splitAtQuote(text: string): readonly [string?, string?, string?] {
  const match = /\$\w*\$/.exec(text);
  if (!match) return [];
  const [quote] = match;
  return [text.slice(0, match.index), quote, text.slice(match.index + quote.length)];
}

/** What `update … set a = b` and `raise … using errcode = 'c'` assign is compared with nothing. */
function withoutAssignments(body: string): string {
  return body
    .replace(/\bset\s[^;]*?(?=\bwhere\b|;)/g, (list) => list.replace(/((?:set|,)\s+\w+) =/g, '$1'))
    .replace(/\b(errcode|message|detail|hint) =/g, '$1');
}

/** Declarations of variables, `x constant text := …`, are no casts for the reader of statements. */
function withTypesAsCasts(body: string): string {
  return body.replace(/\bdeclare\b[\s\S]*?\bbegin\b/g, (declarations) =>
    declarations.replace(/(\bdeclare|;)(\s+)(\w+) (?:constant )?([\w.]+)/g, '$1$2$3::$4'),
  );
}
