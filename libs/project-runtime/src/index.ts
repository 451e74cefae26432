export { auditActor, type AuditActor, type AuditEntry } from './audit.js';
export type { HttpRules } from './http-rules.js';
export type { CompiledCatalog } from './project-catalog.js';
export type { DatabaseLogin, IdType, ProjectRecord } from './project-record.js';
export { ProjectRegistry, type LiveProject, type RegistryOptions } from './project-registry.js';
export { ProjectRuntime, type RuntimeDeps } from './project-runtime.js';
export type { Lease } from './slot.js';
export type { GroupView } from './project-settings.js';
export { latencyBoundsMs } from './traffic.js';
