import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const organization = defineGroup('auth.organization', {
  title: 'Organizations',
  help: 'Users form organizations with members, roles, invitations and teams.',
  rebuilds: ['auth'],
  isReported: true,
  fields: {
    enabled: flag({ label: 'Enabled', default: true }),
    allowUserToCreateOrganization: flag({
      label: 'Users may create organizations',
      default: true,
    }),
    teamsEnabled: flag({ label: 'Teams', formerly: 'allowOrgSso', default: false }),
    maxMembers: integer({
      label: 'Members per organization',
      help: 'Counts direct adds, accepted invitations and SSO. 0: no limit.',
      default: 0,
      range: [0, 1_000_000],
    }),
    maxOrganizations: integer({
      label: 'Organizations per user',
      help: 'That the user created. 0: no limit.',
      default: 0,
      range: [0, 1_000_000],
    }),
    maxTeams: integer({
      label: 'Teams per organization',
      help: '0: no limit.',
      default: 0,
      range: [0, 100_000],
    }),
    invitationExpiresIn: integer({
      label: 'Lifetime of an invitation',
      default: 172_800,
      range: [3600, 2_592_000],
      unit: 's',
    }),
    requireVerifiedEmail: flag({
      label: 'Require a verified address to accept an invitation',
      help: 'Off: a user who signs up with the invited address can join without verifying it.',
      default: true,
    }),
  },
});
