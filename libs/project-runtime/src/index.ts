export { type Announce, type AnnouncedWork, queriesWithin } from './announced-change.js';
export { appendAudit, auditActor, type AuditActor, type AuditEntry, authorOf } from './audit.js';
export { callerToken, type FunctionCallerVia } from './functions/caller-token.js';
export type { JournalEvent } from './functions/function-journal.js';
export type { FoundFunction } from './functions/functions.sql.js';
export { tokenHash } from './functions/project-edge-functions.js';
export { sweepFunctions } from './functions/sweep-functions.js';
export { lookAtDeliveries } from './deliveries/look.sql.js';
export { webhookDeliverer, type WebhookParts } from './deliveries/webhook-calls.js';
export { filterFault } from './deliveries/trigger-filter.js';
export { projectHooks } from './project-hooks.js';
export { findCapturedTable } from './realtime/captured-table.sql.js';
export { type ActiveSchedule, listActiveSchedules } from './deliveries/triggers.sql.js';
export { type DueSweep, findDueAfter, quietDays, sweepForm } from './due-sweeps.sql.js';
export type { HttpRules } from './http-rules.js';
export { keepMail, type InboxMail } from './inbox.sql.js';
export {
  type DeliveredTurn,
  deliverMessages,
  type LaterMessage,
} from './message-work/deliver-messages.js';
export { isTemporary, nextDelaySeconds, reasonOf } from './message-work/message-failure.js';
export { MessageOutbox, type WaitingMessages } from './message-work/message-outbox.js';
export { type MessageSeal, messageSeal } from './message-work/message-seal.js';
export { findWaiting } from './message-work/messages.sql.js';
export { listOverdue, sweepMessages } from './message-work/sweep-messages.js';
export type { CompiledCatalog } from './project-catalog.js';
export type { DatabaseLogin, IdType, ProjectKeys, ProjectRecord } from '#libs/database';
export { ProjectRegistry, type LiveProject, type RegistryOptions } from './project-registry.js';
export { shortBytes } from './project-files.js';
export { ProjectRuntime } from './project-runtime.js';
export type { ProjectStorage, StorageDeps } from './project-storage.js';
export { leaseOn, withStorage } from './storage-work/with-storage.js';
export { type GroupSources, type GroupView, ProjectSettings } from './project-settings.js';
export { reloadSettings } from './reload-settings.js';
export {
  type RestoredSettings,
  restoreSettings,
  revertSettings,
  saveSettings,
} from './save-settings.js';
export { countVersions, listVersions, type SettingsVersion } from './settings-history.sql.js';
export type { RuntimeDeps, WriteSignals } from './runtime-deps.js';
export { settingsSeal } from './settings-seal.js';
export { SmallContents } from './small-contents.js';
export { type EmptyingState, findEmptying, startEmptying } from './storage-work/emptying.sql.js';
export {
  findRelocation,
  type RelocationState,
  startRelocation,
  stopRelocation,
} from './storage-work/relocation.sql.js';
export { usedDrivers } from './storage-work/sweep-orphans.js';
export { sendWebhook, type WebhookOutcome } from './deliveries/send-webhook.js';
export {
  type OpenStorageWorkDeps,
  StorageWork,
  type StorageWorkDeps,
} from './storage-work/storage-work.js';
export {
  type StorageSweep,
  type StorageSweepCounts,
  sweepStorage,
} from './storage-work/sweep-storage.js';
export { type WebhookSeal, webhookSeal } from './deliveries/webhook-seal.js';
export type { Lease } from './replaceable.js';
export { type MailTransport, ProjectMessages } from './project-messages.js';
export { type MeasuredSize, measureProject } from './measure-project.sql.js';
export { trimChanges } from './trim-changes.js';
export type { RecentRequest, RequestKind } from './recent-requests.js';
export type { Area } from './traffic.js';
