import { createHash } from 'node:crypto';

import type { SqlScript } from '#libs/database';
import type { Steps } from '#libs/steps';

import { maskSql } from './mask-sql.js';

/** The most openings that are counted apart; more of them are counted by their first words. */
const maxOpenings = 64;

/** What the audit log keeps of a script. */
export interface AuditedScript {
  /** The first 4 KB, secrets masked. */
  readonly sql: string;
  /** In characters. */
  readonly length: number;
  readonly statements: number;
  /** How many statements begin with which words. */
  readonly openings: Readonly<Record<string, number>>;
  /** Of the whole text as UTF-8. */
  readonly sha256: string;
}

/** Returns what the audit log keeps of a script, in steps: its beginning, and enough that padding hides nothing. */
export function* auditedScript(script: SqlScript): Steps<AuditedScript> {
  const { text, statements } = script;
  return {
    sql: yield* maskSql(script),
    length: text.length,
    statements: statements.length,
    openings: yield* openingsOf(script),
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

function* openingsOf({ statements }: SqlScript): Steps<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const [index, { words }] of statements.entries()) {
    const opening = openingOf(words, counts);
    counts.set(opening, (counts.get(opening) ?? 0) + 1);
    if (index % 1024 === 1023) yield;
  }
  return Object.fromEntries(counts);
}

/** Two words, or one when there are many: of first words PostgreSQL knows fewer than there is room for. */
function openingOf(words: readonly string[], counts: ReadonlyMap<string, number>): string {
  const [first = '', second] = words;
  const both = second === undefined ? first : `${first} ${second}`;
  if (counts.has(both) || counts.size < maxOpenings) return both;
  return counts.has(first) || counts.size < 3 * maxOpenings ? first : '…';
}
