// What the description says of the console's operations beyond their controllers. By `Controller.method`.
import type { Json, Paths } from '#libs/web';
import { projectApiPath } from '../http/project-api-path.js';

export const tags: Readonly<Record<string, string>> = {
  'Sign-in': 'Sign-in of operators, and their passwords',
  'Second factor': 'The second factor of the operator who is signed in',
  Sessions: 'Sessions of the operator who is signed in',
  Operators: 'The operators of the deployment',
  Invitations: 'Invitations of new operators',
  organizations: 'Organizations and their members',
  projects: 'Projects with their keys and domains',
  operations: 'Work on projects that runs, waits or has failed',
  usage: 'What projects were used for',
  audit: 'What operators have done',
  proxy: 'The API of a project, in the name of the operator',
  deployment: 'The process, its parts and its environment',
  server: 'The server itself',
};

const summaries: Readonly<Record<string, string>> = {
  'AuditController.all': 'List the audit log of the deployment',
  'AuditController.ofOrganization': 'List the audit log of an organization',
  'AuditController.ofProject': 'List the audit log of a project',
  'DeploymentController.read': 'Read the state of the deployment',
  'DeploymentController.environment':
    'List the environment variables of the process; secrets are left out',
  'HealthController.live': 'Check that the process answers',
  'HealthController.ready': 'Check that the process can serve requests',
  'InvitationsController.create': 'Invite an operator',
  'InvitationsController.list': 'List the open invitations',
  'InvitationsController.revoke': 'Revoke an invitation',
  'InvitationsController.retryMail': 'Send a failed or waiting mail of an invitation now',
  'InvitationsController.accept': 'Accept an invitation',
  'LoginController.login': 'Sign in as an operator',
  'LoginController.changePassword':
    'Change your password; needed before anything else after a reset',
  'LoginController.signOut': 'End your session',
  'OperationsController.list': 'List the work on your projects that is not finished',
  'OperationsController.retry': 'Try an operation again now',
  'OperatorsController.list': 'List the operators',
  'OperatorsController.delete': 'Delete an operator',
  'OperatorsController.sessions': 'List the sessions of an operator',
  'OperatorsController.endSessions': 'End all sessions of an operator',
  'OperatorsController.endSession': 'End a session of an operator',
  'OperatorsController.update': 'Change an operator',
  'OperatorsController.reset': 'Give an operator a new password and remove the second factor',
  'SessionsController.current': 'Read your session',
  'SessionsController.list': 'List your sessions',
  'SessionsController.revoke': 'End one of your sessions',
  'TwoFactorController.enable': 'Begin the enrolment of a second factor',
  'TwoFactorController.verifyTotp': 'Verify a code of your authenticator',
  'TwoFactorController.verifyBackupCode': 'Verify a backup code',
  'TwoFactorController.disable': 'Remove your second factor',
  'TwoFactorController.replaceBackupCodes': 'Replace your backup codes',
  'TwoFactorController.trustedDevices': 'List the devices that skip the second step',
  'TwoFactorController.forgetTrustedDevice': 'Stop trusting a device',
  'MembersController.list': 'List the members of an organization',
  'MembersController.add': 'Add a member to an organization',
  'MembersController.change': 'Change the role of a member',
  'MembersController.remove': 'Remove a member from an organization',
  'MembershipsController.list':
    'List the memberships in the organizations whose members you manage',
  'MembershipsController.give': 'Give an operator a role without an invitation',
  'OrganizationsController.create': 'Create an organization',
  'OrganizationsController.list': 'List your organizations',
  'OrganizationsController.get': 'Read an organization',
  'OrganizationsController.rename': 'Rename an organization',
  'OrganizationsController.delete': 'Delete an organization',
  'ProjectDomainsController.list': 'List the domains of a project',
  'ProjectDomainsController.add': 'Add a domain to a project',
  'ProjectDatabaseController.access': 'Read the connection string of the owner of a project',
  'ProjectDatabaseController.rotatePassword':
    'Give the owner of a project a new database password and end its connections',
  'ProjectDomainsController.verify': 'Check the TXT record of a domain now',
  'ProjectDomainsController.vouch': 'Serve a domain without a TXT record',
  'ProjectDomainsController.dns': 'Look up what DNS says of a host name of a project',
  'ProjectDomainsController.remove': 'Remove a domain from a project',
  'ProjectKeysController.list': 'List the keys of a project by their first characters',
  'ProjectKeysController.rotate': 'Replace a key of a project; the new one is shown once',
  'ProjectKeysController.create': 'Add a key to a project; it is shown once',
  'ProjectKeysController.revoke': 'End a key of a project at once',
  'ProjectLimitsController.read': 'Read the limits of a project',
  'ProjectLimitsController.set': 'Set the limits of a project',
  'ProjectsController.create': 'Create a project; its keys are shown once',
  'ProjectsController.list': 'List your projects',
  'ProjectsController.get': 'Read a project',
  'ProjectsController.rename': 'Rename a project',
  'ProjectsController.delete':
    'Delete a project, at once or after a period in which it can be restored',
  'ProjectsController.restore': 'Restore a deleted project',
  'ProjectsController.pause': 'Pause a project',
  'ProjectsController.resume': 'Resume a paused project',
  'ProjectsController.status': 'Read the state and the size of a project',
  'UsageController.list': 'List the requests of your projects in the last minutes',
  'UsageController.read': 'Read what a project was used for over time',
};

const binary = { type: 'string', format: 'binary' };
const file = (type: string, summary: string): Json => ({
  summary,
  responses: { 200: { description: 'The file', content: { [type]: { schema: binary } } } },
});

export const details: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(Object.entries(summaries).map(([id, summary]) => [id, { summary }])),
  'ClientController.archive': file('application/gzip', 'The client as a package that npm installs'),
  'ClientController.script': file('text/javascript', 'The client as one ES module for pages'),
  'ClientController.channels': file('text/javascript', 'What /client.js loads for channels'),
};

const forwarded = (verb: string): Json => ({
  operationId: `ProxyController.${verb}`,
  tags: ['proxy'],
  summary: `Forward a ${verb.toUpperCase()} request to the API of a project`,
  description:
    'What follows `/api/` is the path of the project below `/api/`. The operator needs the capability that the route declares; the request is written to the audit log before it is sent.',
  responses: { 200: { description: 'The answer of the project, with its status and headers' } },
});

/** The proxy accepts every method; these are the methods of a project's routes. */
export const addedPaths: Paths = {
  [`/${projectApiPath.replace(':ref', '{ref}')}/{path}`]: Object.fromEntries(
    ['get', 'post', 'put', 'patch', 'delete'].map((verb) => [verb, forwarded(verb)]),
  ),
};
