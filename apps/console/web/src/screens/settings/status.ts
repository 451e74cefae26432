// What the report of a project says of each way to sign in and each delivery: whether it is on, and under which heading
// the overview shows it.
import type { ProjectSchemas } from '../../api/client.js';
import { type GroupForm, groupOfStatus } from './form.js';

type MethodStatus = ProjectSchemas['MethodStatus'];

/** On: it works. Not set up: it is on, or is always used, and lacks a value. */
export type State = 'on' | 'not-set-up' | 'off';

export const stateNames: Readonly<Record<State, string>> = {
  on: 'On',
  'not-set-up': 'Not set up',
  off: 'Off',
};

/** An entry of the report with the group that it is about. */
export interface Card {
  /** As in the report: `auth.social.google`. */
  readonly name: string;
  readonly status: MethodStatus;
  readonly state: State;
  readonly group: GroupForm;
  /** The field of the group that the entry is about; undefined: the group as a whole. */
  readonly field: string | undefined;
}

export interface Section {
  readonly title: string;
  readonly cards: readonly Card[];
}

const waysToSignIn = [
  'auth.methods',
  'auth.phoneOtp',
  'auth.social',
  'auth.oauth',
  'auth.passkey',
  'auth.sso',
];
const headings: readonly (readonly [title: string, areas: readonly string[]])[] = [
  ['Ways to sign in', waysToSignIn],
  ['Mail and SMS', ['email', 'phone']],
  ['For accounts', ['auth']],
];
/** It is no way to sign in and delivers nothing, so it is shown only for what it lacks. */
const protection = 'auth.attackProtection';

/** The entries of the report under their headings, without headings that have none. */
export function sectionsOf(
  statuses: Readonly<Record<string, MethodStatus>>,
  groups: readonly GroupForm[],
): readonly Section[] {
  const cards = Object.entries(statuses).flatMap(([name, status]): readonly Card[] => {
    const found = groupOfStatus(name, groups);
    if (!found || (name === protection && status.missing.length === 0)) return [];
    const state = stateOf(status, found);
    // A group that is only its parts has no state beside theirs.
    const isOnlyParts = found.field === undefined && !hasFlag(found.group);
    const hasParts = Object.keys(statuses).some((other) => other.startsWith(`${name}.`));
    return isOnlyParts && hasParts ? [] : [{ name, status, state, ...found }];
  });
  const titleOf = ({ name }: Card): string | undefined =>
    headings.find(([, areas]) => areas.some((area) => isWithin(name, area)))?.[0];
  return headings
    .map(([title]) => ({ title, cards: cards.filter((card) => titleOf(card) === title) }))
    .filter((section) => section.cards.length > 0);
}

interface Found {
  readonly group: GroupForm;
  readonly field: string | undefined;
}

function stateOf({ enabled, configured }: MethodStatus, { group, field }: Found): State {
  // A list without entries is reported as on; with entries, these are shown in its place.
  const isEmptyList = field === undefined && group.fields.every(({ kind }) => kind === 'entries');
  if (!enabled || isEmptyList) return 'off';
  return configured ? 'on' : 'not-set-up';
}

function hasFlag({ fields }: GroupForm): boolean {
  return fields.some(({ name }) => name === 'enabled');
}

function isWithin(name: string, area: string): boolean {
  return name === area || name.startsWith(`${area}.`);
}
