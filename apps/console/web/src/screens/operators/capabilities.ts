// What operators may do, in words, and the roles that give it. The server has the same roles; a test compares them.

export const capabilityNames = [
  'content.read',
  'content.write',
  'settings.manage',
  'secrets.manage',
  'imports.run',
  'audit.read',
  'members.manage',
  'projects.manage',
] as const;
export type Capability = (typeof capabilityNames)[number];

export const capabilityAbouts: Readonly<Record<Capability, string>> = {
  'content.read': 'Sees the project, the rows of all users in its tables, and all files.',
  'content.write': 'Changes rows and files, and runs SQL on rows.',
  'settings.manage':
    'Decides whether people may sign up, use the project as guests and make API keys, and whether requests need a key.',
  'secrets.manage':
    'Manages the accounts of users, the keys and all other settings, and runs SQL as the owner of the tables.',
  'imports.run': 'Imports projects from other platforms.',
  'audit.read': 'Reads the audit log.',
  'members.manage': 'Invites, changes and removes members, as far as the own capabilities go.',
  'projects.manage':
    'Makes, renames, pauses, deletes and restores projects, and manages their domains.',
};

export const roles = ['owner', 'developer', 'support', 'viewer', 'custom'] as const;
export type Role = (typeof roles)[number];

/** The capabilities of each role but `custom`, which has its own list. */
export const capabilitiesByRole: Readonly<Record<Exclude<Role, 'custom'>, readonly Capability[]>> =
  {
    owner: capabilityNames,
    developer: [
      'content.read',
      'content.write',
      'settings.manage',
      'secrets.manage',
      'imports.run',
      'audit.read',
    ],
    support: ['content.read', 'content.write', 'audit.read'],
    viewer: ['content.read'],
  };

export const roleTitles: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  developer: 'Developer',
  support: 'Support',
  viewer: 'Viewer',
  custom: 'Custom',
};

export const roleAbouts: Readonly<Record<Role, string>> = {
  owner: 'May do everything, and decides who else may.',
  developer: 'Builds the project: content, all settings, keys and accounts.',
  support: 'Helps users: sees and changes content, and reads the audit log.',
  viewer: 'Sees everything in the project, and changes nothing.',
  custom: 'Has the capabilities that are ticked.',
};

/** A role and, for `custom`, its capabilities. */
export interface Grant {
  readonly role: Role;
  readonly capabilities: readonly Capability[];
}

export function capabilitiesOf({ role, capabilities }: Grant): readonly Capability[] {
  return role === 'custom' ? capabilities : capabilitiesByRole[role];
}

/** The body of a grant: the server takes a list with the role `custom` alone. */
export function grantBody({ role, capabilities }: Grant) {
  return role === 'custom' ? { role, capabilities: [...capabilities] } : { role };
}
