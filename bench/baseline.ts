// What the product is held against: the same statements sent to the same database by a client that
// does nothing else.

import { lookupFor } from '#libs/database';
import { tokenSql } from './database/accounts.js';
import type { BenchCase } from './case.js';

/** How the statements travel: all in one round trip, or one round trip each. */
export type Travel = 'pipelined' | 'serial';

/** Whether the session is looked up, or the claims are simply asserted. */
export type CallerWork = 'live lookup' | 'claims only';

export interface BaselineWork {
  readonly measured: BenchCase;
  readonly travel: Travel;
  readonly caller: CallerWork;
}

/**
 * A fresh connection's first transactions fill the caches of its process; the product's connections have done
 * that when their measurement begins.
 */
export const WARM_UP_SECONDS = 1;

export interface BaselineLoad {
  readonly clients: number;
  /** Whole seconds. */
  readonly seconds: number;
}

/** Where a baseline connects, and as whom. */
export interface BaselineTarget {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

export interface Baseline {
  readonly title: string;
  /** Whether it can do a work; what it cannot is shown as not measured. */
  measures(work: BaselineWork): boolean;
  /** Transactions per second. Rejects when any transaction failed. */
  measure(work: BaselineWork, load: BaselineLoad): Promise<number>;
}

const anySession = { kind: 'session', token: '' } as const;

// The product's own lookup, with a session's number `:session` in place of its parameter. pgbench takes a
// colon with a letter behind it for a variable, so the JSON texts in it get a space there.
const LOOKUP_SQL = lookupFor(anySession, { idType: 'text', readOnly: false })
  .text.replaceAll('":', '": ')
  .replace('$1', tokenSql(':session'));

// The same claims as text that comes with the request, as from a trusted token: what a lookup costs is
// the difference. Policies read claims of the same size in both.
const CLAIMS_SQL = `
select set_config('role', 'authenticated', true),
       set_config('request.jwt.claims', '{"sub": "bench_user_' || :session || '",' ||
         '"role": "authenticated", "user_role": "USER", "email": "user@bench.invalid", ' ||
         '"aal": "aal1", "is_anonymous": false, "session_id": "bench_session", ' ||
         '"org_id": null, "org_role": null, "team_id": null, ' ||
         '"app_metadata": {}, "user_metadata": {}}', true),
       set_config('request.jwt.claim.sub', 'bench_user_' || :session, true)`;

/** Lookup and statements of one transaction, with the variables `:session`, `:n` and `:body`. */
export function statementsOf({ measured, caller }: BaselineWork): readonly string[] {
  return [caller === 'live lookup' ? LOOKUP_SQL : CLAIMS_SQL, ...measured.statements];
}

export interface BoundStatement {
  readonly text: string;
  readonly values: readonly string[];
}

/** A statement with numbered parameters in place of its variables, in the order of their first use. */
export function bindVariables(
  statement: string,
  values: Readonly<Record<string, string>>,
): BoundStatement {
  const bound: string[] = [];
  const numbers = new Map<string, string>();
  // Two colons are a cast.
  const text = statement.replaceAll(/(?<!:):([a-z]+)/g, (variable, name: string) => {
    const value = values[name];
    if (value === undefined) return variable;
    const number = numbers.get(name) ?? `$${String(bound.push(value))}`;
    numbers.set(name, number);
    return number;
  });
  return { text, values: bound };
}
