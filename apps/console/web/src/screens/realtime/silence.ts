// Why a listener that has joined may receive nothing.
import { allows } from '../policies/table-state.js';
import type { TableDetails } from '../project/schema.js';
import type { Listener } from './listener.js';
import type { AnnouncedTable } from './queries.js';

/** What is known of a table; undefined: not read, or not for this operator. */
export interface KnownTable {
  readonly name: string;
  readonly announced: AnnouncedTable | undefined;
  readonly details: Pick<TableDetails, 'hasRls' | 'policies' | 'grants'> | undefined;
}

interface Reason {
  readonly text: string;
  /** Whether it keeps changes from the caller in any case; the others are possible reasons. */
  readonly isCertain: boolean;
}

type Role = 'anon' | 'authenticated' | 'service_role';

/** The reasons, those that are certain first. */
export function reasonsOfSilence(
  listener: Listener,
  tables: readonly KnownTable[],
): readonly Reason[] {
  const { topic, event, filter } = listener;
  if (tables.length === 0) {
    return [
      possible(`No message was sent to ${topic} since it joined.`),
      possible('It has joined without a table, so no change of a row comes.'),
    ];
  }
  const role = roleOf(listener);
  const names = tables.map(({ name }) => name).join(', ');
  const reasons = [
    ...tables.flatMap((table) => ofTable(table, role)),
    ...(filter === '' ? [] : [possible(`The filter lets only rows with ${filter} pass.`)]),
    ...(event === '*' ? [] : [possible(`It receives only ${event}.`)]),
    possible(`Nothing was written to ${names} since it joined.`),
  ];
  return [
    ...reasons.filter(({ isCertain }) => isCertain),
    ...reasons.filter(({ isCertain }) => !isCertain),
  ];
}

const possible = (text: string): Reason => ({ text, isCertain: false });
const certain = (text: string): Reason => ({ text, isCertain: true });

function roleOf({ as }: Listener): Role {
  return 'role' in as ? as.role : 'authenticated';
}

function ofTable({ name, announced, details }: KnownTable, role: Role): readonly Reason[] {
  const off =
    announced?.enabled === false
      ? [certain(`${name} is switched off under “Tables”, so it announces nothing.`)]
      : [];
  return [...off, ...(details ? ofPolicies(name, role, details) : [])];
}

function ofPolicies(
  name: string,
  role: Role,
  { hasRls, policies, grants }: NonNullable<KnownTable['details']>,
): readonly Reason[] {
  if (!grants[role].includes('select')) {
    return [certain(`The role ${role} has no right to read ${name}.`)];
  }
  if (role === 'service_role' || !hasRls) return [];
  const isReading = policies.some((policy) => allows(policy, 'select', role));
  return isReading
    ? [possible(`The policies of ${name} hide the rows that were written from this caller.`)]
    : [certain(`No policy lets the role ${role} read ${name}.`)];
}
