// Names and texts as SQL writes them.

/** Key words that cannot be the name of a table or column without quotes (PostgreSQL manual, appendix C). */
const RESERVED: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric authorization between binary bigint bit boolean both
   case cast char character check coalesce collate collation column concurrently constraint create cross
   current_catalog current_date current_role current_schema current_time current_timestamp current_user dec
   decimal default deferrable desc distinct do else end except exists extract false fetch float for foreign
   freeze from full grant greatest group grouping having ilike in initially inner inout int integer intersect
   interval into is isnull join json json_array json_arrayagg json_object json_objectagg lateral leading least
   left like limit localtime localtimestamp merge_action national natural nchar none normalize not notnull null
   nullif numeric offset on only or order out outer overlaps overlay placing position precision primary real
   references returning right row select session_user setof similar smallint some substring symmetric
   system_user table tablesample then time timestamp to trailing treat trim true union unique user using values
   varchar variadic verbose when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest
   xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable`.split(/\s+/),
);

/** A name, in quotes where PostgreSQL would read it otherwise. */
export function quoteName(name: string): string {
  if (/^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name)) return name;
  return `"${name.replaceAll('"', '""')}"`;
}

/** The name of an object with its schema. */
export function qualified({
  schema,
  name,
}: {
  readonly schema: string;
  readonly name: string;
}): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** Names with commas between them. */
export function nameList(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}

/** A text as a literal, whatever `standard_conforming_strings` says. */
export function quoteText(text: string): string {
  const doubled = text.replaceAll("'", "''");
  return text.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`;
}

/** The value of `comment on … is`. */
export function commentText(comment: string | null): string {
  return comment === null || comment === '' ? 'null' : quoteText(comment);
}
