import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const organization = defineGroup('auth.organization', {
  title: 'Organizations',
  help: 'Users form organizations with members, roles, invitations and teams.',
  rebuilds: ['auth'],
  fields: {
    enabled: flag({ label: 'Enabled', default: true }),
    allowUserToCreateOrganization: flag({
      label: 'Users may create organizations',
      default: true,
    }),
    teamsEnabled: flag({ label: 'Teams', formerly: 'allowOrgSso', default: false }),
    maxMembers: integer({
      label: 'Members of an organization',
      help: 'Counts direct adds, accepted invitations and SSO. 0: no limit.',
      default: 0,
      range: [0, 1_000_000],
    }),
    maxOrganizations: integer({
      label: 'Organizations of a user',
      help: 'That the user created. 0: no limit.',
      default: 0,
      range: [0, 1_000_000],
    }),
    maxTeams: integer({
      label: 'Teams of an organization',
      help: '0: no limit.',
      default: 0,
      range: [0, 100_000],
    }),
    invitationExpiresIn: integer({
      label: 'Life of an invitation',
      default: 172_800,
      range: [3600, 2_592_000],
      unit: 's',
    }),
    requireVerifiedEmail: flag({
      label: 'Only verified addresses accept invitations',
      help: 'Off: whoever signs up with the invited address may join.',
      default: true,
    }),
  },
});
