// The steps of the creation and of the deletion of a project, in their order, as the operation notes them.

export const creationSteps = [
  'reserve the ref',
  'check that the names are free',
  'make the folder',
  'create the roles and the database',
  'grant the rights',
  'activate',
] as const;

export const deletionSteps = [
  'rename the database',
  'remove the objects',
  'drop the snapshots',
  'drop the database',
  'note the logins',
  'remove the folder',
  'remove the row',
  'drop the roles',
] as const;
