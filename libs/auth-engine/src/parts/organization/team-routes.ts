// The routes of teams inside organizations, with the checks of their bodies.
import { read, write } from '../../part.js';
import type { BodyOptions, BodyRules, OrganizationRoutes } from './bodies.js';
import * as check from './checks.js';

const teamMember = ({ idType }: BodyOptions): BodyRules => ({
  fields: { teamId: check.id, userId: check.userId(idType), organizationId: check.id },
});

/** Routes about teams inside organizations. */
export const teamRoutes: OrganizationRoutes = {
  '/organization/create-team': {
    ...write,
    summary: 'Create a team',
    fields: 'name! organizationId',
    takesOtherFields: true,
    answer: 'Team',
    needsSession: true,
    checks: { fields: { name: check.name, organizationId: check.id } },
  },
  '/organization/update-team': {
    ...write,
    summary: 'Change a team',
    fields: 'teamId! data!:object',
    takesOtherFields: true,
    answer: 'Team',
    needsSession: true,
    checks: { fields: { teamId: check.id, data: { name: check.name, organizationId: check.id } } },
  },
  '/organization/remove-team': {
    ...write,
    summary: 'Delete a team',
    fields: 'teamId! organizationId',
    takesOtherFields: true,
    answer: 'Message',
    needsSession: true,
    checks: { fields: { teamId: check.id, organizationId: check.id }, required: ['teamId'] },
  },
  '/organization/list-teams': {
    ...read,
    summary: 'List the teams of an organization',
    fields: 'organizationId',
    answer: 'Teams',
    needsSession: true,
  },
  '/organization/set-active-team': {
    ...write,
    summary: 'Choose the team of the session',
    fields: 'teamId+',
    takesOtherFields: true,
    answer: 'TeamOrNull',
    needsSession: true,
    checks: { fields: { teamId: check.orNull(check.id) } },
  },
  '/organization/list-user-teams': {
    ...read,
    summary: 'List your teams',
    answer: 'Teams',
    needsSession: true,
  },
  '/organization/list-team-members': {
    ...read,
    summary: 'List the members of a team',
    fields: 'teamId',
    answer: 'TeamMembers',
    needsSession: true,
  },
  '/organization/add-team-member': {
    ...write,
    summary: 'Add a member to a team',
    fields: 'teamId! userId!',
    takesOtherFields: true,
    answer: 'TeamMember',
    needsSession: true,
    checks: teamMember,
  },
  '/organization/remove-team-member': {
    ...write,
    summary: 'Remove a member from a team',
    fields: 'teamId! userId!',
    takesOtherFields: true,
    answer: 'Message',
    needsSession: true,
    checks: teamMember,
  },
};
