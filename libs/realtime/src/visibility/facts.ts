// What decides on the visibility of a table's rows for a role, as the database says it. All of it is read in the
// transaction of the evaluation; what an evaluation was compiled for is compared by its hash.

import { effectivePolicies } from '#libs/realtime-core';
import { isRecord } from '#libs/wire';

/** A policy that applies to the role and has an effect on reading: one without USING has none. */
export interface PolicyFacts {
  readonly isPermissive: boolean;
  /** Names in it are found on the search path with which it is evaluated. */
  readonly condition: string;
  /** Its nodes are plain ones, and its functions are built in and depend on their arguments alone, but for auth.uid(). */
  readonly isPlain: boolean;
  readonly subselects: number;
  /**
   * Its nodes are plain ones or casts, and its functions are built in and depend on their arguments alone, but for those
   * of `auth` that read a claim: what it reads of its caller is in its text.
   */
  readonly isTraceable: boolean;
  /** Calls of functions of `auth` in it. */
  readonly callerReads: number;
}

export interface ColumnFacts {
  readonly name: string;
  /** As SQL, without limits of length. */
  readonly type: string;
  readonly isReadable: boolean;
  /** Whether its type is one of PostgreSQL, with operators of PostgreSQL. */
  readonly isBuiltIn: boolean;
}

export interface TableFacts {
  readonly hash: string;
  readonly schema: string;
  readonly name: string;
  /** Schema and name, quoted. */
  readonly sqlName: string;
  /** The name, quoted. */
  readonly alias: string;
  readonly isSelectable: boolean;
  /** Whether policies apply to the role. */
  readonly isSecured: boolean;
  readonly hasUuids: boolean;
  readonly columns: readonly ColumnFacts[];
  readonly policies: readonly PolicyFacts[];
}

const EQUALS = 'operator(pg_catalog.=)';

/** The policies of the table $1 that apply to the current role. */
const policies = `pg_catalog.pg_policy p
  where p.polrelid ${EQUALS} c.oid and p.polcmd in ('r', '*') and exists (
    select from pg_catalog.unnest(p.polroles) role (oid)
    where role.oid ${EQUALS} 0::pg_catalog.oid or pg_catalog.pg_has_role(role.oid, 'USAGE')
  )`;

/** What needs no lock on the table. */
const rights = `
    'schema', n.nspname, 'name', c.relname,
    'sqlName', pg_catalog.format('%I.%I', n.nspname, c.relname), 'alias', pg_catalog.quote_ident(c.relname),
    'isSelectable', pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
      and pg_catalog.has_schema_privilege(n.oid, 'USAGE'),
    'isSecured', pg_catalog.row_security_active(c.oid),
    'hasUuids', pg_catalog.to_regprocedure('auth.uid()') is not null and exists (
      select from pg_catalog.pg_proc f
      where f.oid ${EQUALS} pg_catalog.to_regprocedure('auth.uid()')::pg_catalog.oid
        and f.prorettype ${EQUALS} 2950::pg_catalog.oid
    ),
    'columns', (
      select pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, -1), 'isReadable', pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT'),
        'isBuiltIn', a.atttypid operator(pg_catalog.<) 16384::pg_catalog.oid
      ) order by a.attnum)
      from pg_catalog.pg_attribute a
      where a.attrelid ${EQUALS} c.oid and a.attnum operator(pg_catalog.>) 0::pg_catalog.int2 and not a.attisdropped
    )`;

/** JSON of everything that a compiled evaluation depends on. */
const facts = `pg_catalog.json_build_object(${rights},
    'conditions', (
      select pg_catalog.json_agg(pg_catalog.json_build_array(
        p.polpermissive, pg_catalog.pg_get_expr(p.polqual, p.polrelid)
      ) order by p.oid)
      from ${policies}
    )
  )::pg_catalog.text`;
const fromTable = `from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid ${EQUALS} c.relnamespace
where c.oid ${EQUALS} $1::pg_catalog.oid`;

/** Reads what the current role may do with the table $1, also while the table is locked. */
export const READ_RIGHTS = `select pg_catalog.json_build_object(${rights})::pg_catalog.text ${fromTable}`;

/** Notes the hash of the facts about the table $1 in a setting of the transaction; a table that is gone has none. */
export const NOTE_FACTS = `select pg_catalog.set_config('realtime.facts',
  coalesce((select pg_catalog.md5(${facts}) ${fromTable}), 'none'), true)`;

/** Reads the facts and their hash, and how simple the policies are. Nodes and functions are read from the stored tree. */
export const READ_FACTS = `select f.facts, pg_catalog.md5(f.facts), f.trees::pg_catalog.text from (
  select ${facts} as facts, (
    select pg_catalog.json_agg(pg_catalog.json_build_object(
      'nodes', (
        select pg_catalog.json_agg(found.words[1])
        from pg_catalog.regexp_matches(p.polqual::pg_catalog.text, '\\{([A-Z_]+)', 'g') found (words)
      ),
      'hasWholeRow', p.polqual::pg_catalog.text operator(pg_catalog.~) ':varattno 0 ',
      'hasOwnTypes', exists (
        select from pg_catalog.regexp_matches(p.polqual::pg_catalog.text, ':resulttype (\\d+)', 'g') found (words)
        where found.words[1]::pg_catalog.oid operator(pg_catalog.>=) 16384::pg_catalog.oid
      ),
      'functions', (
        select pg_catalog.json_agg(case
          when f.oid operator(pg_catalog.<) 16384::pg_catalog.oid and f.provolatile ${EQUALS} 'i'::pg_catalog."char"
            then 'immutable'
          when f.oid ${EQUALS} pg_catalog.to_regprocedure('pg_catalog.now()')::pg_catalog.oid then 'now'
          when f.oid ${EQUALS} pg_catalog.to_regprocedure('auth.uid()')::pg_catalog.oid then 'uid'
          when f.oid ${EQUALS} any (array[
            pg_catalog.to_regprocedure('auth.jwt()'), pg_catalog.to_regprocedure('auth.role()'),
            pg_catalog.to_regprocedure('auth.email()')
          ]::pg_catalog.oid[]) then 'claim'
          else 'other'
        end)
        from pg_catalog.regexp_matches(p.polqual::pg_catalog.text, ':(?:op)?funcid (\\d+)', 'g') found (words)
        left join pg_catalog.pg_proc f on f.oid ${EQUALS} found.words[1]::pg_catalog.oid
      )
    ) order by p.oid)
    from ${policies}
  ) as trees ${fromTable}
) f`;

/** Nodes that compute a value from their arguments alone. Those of a plain sub-select are checked by their text. */
const PLAIN_NODES: ReadonlySet<string> = new Set(
  `VAR CONST FUNCEXPR OPEXPR SCALARARRAYOPEXPR BOOLEXPR NULLTEST BOOLEANTEST RELABELTYPE COALESCE COALESCEEXPR
   DISTINCTEXPR ARRAY ARRAYEXPR CASE CASEEXPR WHEN CASEWHEN CASETESTEXPR`.split(/\s+/),
);
const SUBSELECT_NODES: ReadonlySet<string> = new Set([
  'SUBLINK',
  'QUERY',
  'TARGETENTRY',
  'FROMEXPR',
]);

/** A cast by the input and output functions of types, as from text to uuid. */
const CAST_NODE = 'COERCEVIAIO';
const PLAIN_FUNCTIONS: ReadonlySet<string> = new Set(['immutable', 'now', 'uid']);
const TRACEABLE_FUNCTIONS: ReadonlySet<string> = new Set([...PLAIN_FUNCTIONS, 'claim']);

/** Returns what a role may do with a table from the row of {@link READ_RIGHTS}; undefined without a row. */
export function rightsIn(
  row: readonly (string | null)[] | undefined,
): Pick<TableFacts, 'schema' | 'name' | 'isSelectable' | 'columns'> | undefined {
  const [text] = row ?? [];
  if (typeof text !== 'string') return undefined;
  // The statement above builds it.
  const found = JSON.parse(text) as Omit<TableFacts, 'policies' | 'hash'>;
  return { ...found, columns: found.columns ?? [] };
}

/** Returns the facts from the row of {@link READ_FACTS}; undefined without a row. */
export function factsOf(row: readonly (string | null)[] | undefined): TableFacts | undefined {
  const [text, hash, trees] = row ?? [];
  if (typeof text !== 'string' || typeof hash !== 'string') return undefined;
  // The statement above builds both.
  const { conditions, ...facts } = JSON.parse(text) as Omit<TableFacts, 'policies' | 'hash'> & {
    readonly conditions: readonly (readonly [boolean, string | null])[] | null;
  };
  const shapes: unknown = JSON.parse(trees ?? '[]');
  const policies = (conditions ?? []).map(([isPermissive, condition], index) => ({
    isPermissive,
    condition,
    ...simplicityOf(Array.isArray(shapes) ? shapes[index] : undefined),
  }));
  return { ...facts, columns: facts.columns ?? [], hash, policies: effectivePolicies(policies) };
}

type Simplicity = Pick<PolicyFacts, 'isPlain' | 'subselects' | 'isTraceable' | 'callerReads'>;

function simplicityOf(shape: unknown): Simplicity {
  const { nodes, hasWholeRow, hasOwnTypes, functions } = isRecord(shape) ? shape : {};
  const names = textsIn(nodes);
  const kinds = textsIn(functions);
  const hasNodes = (isKnown: (name: string) => boolean): boolean =>
    names !== undefined && hasWholeRow === false && names.every(isKnown);
  const hasFunctions = (known: ReadonlySet<string>): boolean =>
    kinds !== undefined && kinds.every((kind) => known.has(kind));
  const isPlainNode = (name: string): boolean => PLAIN_NODES.has(name) || SUBSELECT_NODES.has(name);
  return {
    isPlain: hasNodes(isPlainNode) && hasFunctions(PLAIN_FUNCTIONS),
    subselects: (names ?? []).filter((name) => name === 'SUBLINK').length,
    isTraceable:
      hasNodes((name) => isPlainNode(name) || name === CAST_NODE) &&
      hasFunctions(TRACEABLE_FUNCTIONS) &&
      hasOwnTypes === false,
    callerReads: (kinds ?? []).filter((kind) => kind === 'uid' || kind === 'claim').length,
  };
}

/** The texts of a list; PostgreSQL writes null for an empty one. Undefined for anything else. */
function textsIn(value: unknown): readonly string[] | undefined {
  const list: unknown = value ?? [];
  if (!Array.isArray(list)) return undefined;
  const items: readonly unknown[] = list;
  const texts = items.filter((item) => typeof item === 'string');
  return texts.length === items.length ? texts : undefined;
}
