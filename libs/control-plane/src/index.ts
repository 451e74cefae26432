export { ControlPlaneStartError } from './control-plane-start-error.js';
export { ControlPlane, openControlPlane, type ControlPlaneOptions } from './control-plane.js';

export { hasControlPlane } from './migrate-control-plane.js';
export { AuditEntry } from './entities/audit-entry.entity.js';
export { type ProjectStatus, projectStatuses } from './entities/project.entity.js';
export type { ProjectKeyKind } from './entities/project-key.entity.js';
export { listAudit, type AuditFilter } from './audit/list-audit.js';
export {
  completeAudit,
  recordAudit,
  type AuditActor,
  type AuditInput,
} from './audit/record-audit.js';
export { addMembership, type NewMembership } from './organizations/add-membership.js';
export { capabilitiesOn, type CapabilityScope } from './organizations/capabilities.js';
export {
  changeMember,
  listMembers,
  removeMember,
  type MemberView,
} from './organizations/members.js';
export {
  grantMembership,
  listMemberships,
  type MembershipView,
} from './organizations/memberships.js';
export {
  createOrganization,
  deleteOrganization,
  getOrganization,
  isSlug,
  listOrganizations,
  renameOrganization,
  type OrganizationView,
} from './organizations/organizations.js';
export { roleNames, type Grant, type Role } from './organizations/roles.js';
export { renameProject, setProjectStatus } from './projects/change-project.js';
export { createProject, type CreatedProject } from './projects/create-project.js';
export {
  type DatabaseAccess,
  readDatabaseAccess,
  rotateDatabasePassword,
} from './projects/database-access.js';
export { alignAll } from './projects/align-access.js';
export { assertConfirmed, deleteProject, scheduleDeletion } from './projects/delete-project.js';
export { RemovalRunner } from './projects/removal-runner.js';
export { restoreProject } from './projects/restore-project.js';
export {
  listOperations,
  type OperationKind,
  operationKinds,
  type OperationState,
  operationStates,
  type OperationView,
} from './operations/list-operations.js';
export { retryOperation } from './operations/retry-operation.js';
export { leaseDue } from './operations/operations.js';
export {
  type OperationAttempt,
  planRepair,
  planSweeps,
  planUnfinished,
  runOperation,
} from './projects/run-operation.js';
export type { SweepResult } from './projects/quiet-projects.js';
export {
  noteAllDeliveries,
  noteDeliveries,
  planLook,
  takeProjectsToLookAt,
} from './projects/due-deliveries.js';
export { dropLeftoverLogins, hasLeftoverLogins } from './projects/leftover-logins.js';
export { readLimits, setLimits, type ProjectLimits } from './projects/project-limits.js';
export { limitLogins } from './projects/limit-logins.js';
export { type DatabaseChange, limitDatabases } from './projects/limit-databases.js';
export { requestLimit } from './provisioning/connection-share.js';
export { repairChangedLogins } from './projects/repair-logins.js';
export { checkDns, type DnsReport } from './projects/check-dns.js';
export { hostReader, type ReadHost } from './projects/host-addresses.js';
export { addDomain, type DomainView, listDomains, removeDomain } from './projects/domains.js';
export { txtReader, type ReadTxt } from './projects/txt-records.js';
export {
  type CheckedDomain,
  checkPendingDomains,
  verifyDomain,
  vouchForDomain,
} from './projects/verify-domain.js';
export { makeFirstProject } from './projects/first-project.js';
export { parseCustomDomain } from './projects/host-name.js';
export {
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  type KeyView,
  type NewKey,
} from './projects/keys.js';
export {
  getProject,
  listProjects,
  type ProjectFilter,
  type ProjectView,
  type Viewer,
} from './projects/list-projects.js';
export { ensureMigrated, waitsForRelease } from './projects/migrate-projects.js';
export { listRunning } from './projects/releases.js';
export { organizationForProject } from './projects/organization-for-project.js';
export {
  forgetMessages,
  hurryMessages,
  listWaitingMessages,
  noteMessages,
  postponeMessage,
  renoteMessages,
  type WaitingMessage,
} from './projects/waiting-messages.js';
export {
  findProject,
  getProjectRecord,
  listVersions,
  noteUse,
} from './projects/project-records.js';
export { projectCondition, type ProjectCondition } from './projects/project-status.js';
export {
  projectsContext,
  type ProjectsContext,
  type Publish,
} from './projects/projects-context.js';
export { type DatabaseServerState, readDatabaseServer } from './deployment/read-database-server.js';
export { type FleetState, readFleet } from './deployment/read-fleet.js';
export { databaseServer } from './provisioning/database-server.js';
export type {
  EndedSession,
  LockWatchLimits,
  LockWatchReports,
  StuckSession,
} from './provisioning/lock-reports.js';
export { type LockWatch, openLockWatch } from './provisioning/lock-watch.js';
export { type RemoveObjects, tidyServer } from './provisioning/provisioning.js';
export { projectFolder } from './provisioning/project-files.js';
export { acceptInvitation, type Accepted, type Accepter } from './operators/accept-invitation.js';
export {
  listOperators,
  resetOperator,
  updateOperator,
  type OperatorChanges,
  type OperatorPage,
} from './operators/administer-operators.js';
export { endSessionOf, endSessionsOf, listSessionsOf } from './operators/administer-sessions.js';
export { deleteOperator } from './operators/delete-operator.js';
export type { Visitor } from './operators/auth-call.js';
export { changePassword } from './operators/change-password.js';
export type { Authority } from './audit/actor.js';
export type { Giver } from './operators/authority.js';
export { findSession, type LiveSession } from './operators/find-session.js';
export { ensureFirstOperator, type FirstOperator } from './operators/first-operator.js';
export {
  invite,
  listInvitations,
  revokeInvitation,
  type InvitationInput,
  type InvitationView,
  type Inviter,
  type NewInvitation,
} from './operators/invitations.js';
export {
  claimInvitationMail,
  type DueInvitationMail,
  type InvitationMailOutcome,
  listDueInvitationMails,
  recordInvitationMail,
} from './operators/invitation-mail-delivery.js';
export { type InvitationMail, invitationMailStatuses } from './operators/invitation-mails.js';
export { retryInvitationMail } from './operators/retry-invitation-mail.js';
export { resetOperatorOnMachine } from './operators/reset-on-machine.js';
export { login, type LoginInput, type LoginResult } from './operators/login.js';
export type { OperatorActor } from './operators/operator-actor.js';
export { minPasswordLength } from './operators/passwords.js';
export {
  disableSecondFactor,
  enableSecondFactor,
  replaceBackupCodes,
  type Enrolment,
  type OwnRequest,
} from './operators/second-factor.js';
export {
  getCurrentSession,
  listSessions,
  revokeSession,
  signOut,
  type CurrentSession,
  type SessionView,
} from './operators/sessions.js';
export {
  forgetTrustedDevice,
  listTrustedDevices,
  type TrustedDevice,
} from './operators/trusted-devices.js';
export {
  isChallenge,
  verifyCode,
  type CodeInput,
  type VerifiedCode,
} from './operators/verify-code.js';
export { dropSnapshots, listSnapshots, type ProjectSnapshot } from './upgrades/snapshots.js';
export { type FleetUpgrade, upgradeFleet, type WaveCopies } from './upgrades/upgrade-fleet.js';
export { undoUpgrade, upgradeProject, type UpgradeResult } from './upgrades/upgrade-project.js';
export {
  findRun,
  listFailures,
  listPending,
  type UpgradeFailure,
  type UpgradeRun,
} from './upgrades/upgrade-run.js';
export { lastWave, waveSizes } from './upgrades/waves.js';
export { type ProjectUsage, readUsage, type UsageQuery } from './usage/read-usage.js';
export { listUsage, type UsagePage } from './usage/list-usage.js';
export {
  type ProjectSize,
  recordSize,
  recordUsage,
  trimUsage,
  type UsageEntry,
} from './usage/record-usage.js';
export { type UsageStep, usageSteps } from './usage/usage-steps.js';
