export { ConnectionBudget } from './budget/connection-budget.js';
export type { BudgetLimits, BudgetStats } from './budget/types.js';
export type { Login } from './connect.js';
export {
  lookupFor,
  type IdType,
  type Lookup,
  type ResolvedCaller,
  type StatementTimeouts,
} from './lookup.js';
export { failedQuery } from './table-lane.js';
export {
  migrate,
  type MigrateOptions,
  type Migration,
  MigrationError,
  NewerDatabaseError,
} from './migrate.js';
export { requirementOf } from './migration-kind.js';
export type { StatementResult } from './in-flight-batch.js';
export {
  boundedJson,
  cutComment,
  cutDefinition,
  type JsonRow,
  jsonBytesOf,
} from './json-answer.js';
export {
  type EngineQueries,
  openProjectDatabase,
  type ProjectDatabase,
  type ProjectDatabaseOptions,
  type TableReads,
} from './project-database.js';
export type { DataRows, RowFrame } from './protocol/data-rows.js';
export type { ReplyOwner } from './replies/kept-reply.js';
export { LongBody } from './replies/long-body.js';
export { ReplyBudget, type ReplyLimits, type ReplyStats } from './replies/reply-budget.js';
export type { RoleLimits, StatementRows } from './role-lane.js';
export { readScript, type SqlScript } from './script/read-script.js';
export type {
  JsonBytes,
  ScriptField,
  ScriptResult,
  StatementAnswers,
} from './script/script-result.js';
export type { ScriptCaller } from './script/send-statements.js';
export type { CallerTransaction, Transaction } from './sql-lane.js';
export type { Trial, TrialCaller } from './trial.js';
export type { TableQuery, TableReply, TableRequest } from './table-lane.js';
export type {
  DatabaseLogin,
  ProjectKeys,
  ProjectRecord,
  ReleaseRefusal,
} from './project-record.js';
export { withProjectDatabase } from './with-project-database.js';
