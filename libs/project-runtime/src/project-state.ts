// The variable part of an open project, as one immutable value. The runtime replaces it as a whole, so that a request
// never sees the rules of one version with the settings of another.
import type { Rebuild } from '#libs/settings';

import { type HttpRules, httpRules } from './http-rules.js';
import type { ProjectRecord } from '#libs/database';
import type { ProjectSettings } from './project-settings.js';
import { type RequestGuards, requestGuards } from './request-guards.js';
import type { Candidate } from './replaceable.js';
import type { RuntimeDeps } from './runtime-deps.js';

export interface ProjectState {
  readonly record: ProjectRecord;
  /** The address at which users reach the project. */
  readonly baseUrl: URL;
  readonly settings: ProjectSettings;
  /** The rules for HTTP requests. */
  readonly rules: HttpRules;
  /** What requests must carry besides their credential. */
  readonly guards: RequestGuards;
}

/** A part of a project that is built from its state, and replaced while requests use it. */
export interface BuiltPart {
  /** The name with which settings groups declare that the part is built from their values. */
  readonly kind: Rebuild;
  /** Whether there is an instance. Without an instance the first use builds it from the state at that time. */
  readonly isBuilt: boolean;
  /** Whether the instance is older than the state, because it could not be built again. */
  readonly isStale: boolean;
  /** Builds a successor for `state`, which is not in effect yet. */
  prepare(state: ProjectState): Promise<Candidate>;
  /** Builds the instance again from the current state, and logs a failure. Does nothing without an instance. */
  rebuildSoon(): void;
}

/**
 * Returns the state for a record and settings, with the fallbacks of that record. Token issuers of `before` are kept if
 * their settings are the same.
 */
export function buildState(
  { record, ...given }: Pick<ProjectState, 'record' | 'settings'>,
  deps: Pick<RuntimeDeps, 'envOf' | 'urlOf' | 'outbound' | 'now'>,
  before?: ProjectState,
): ProjectState {
  const baseUrl = deps.urlOf(record);
  const settings = given.settings.under(deps.envOf(record));
  return {
    record,
    baseUrl,
    settings,
    rules: httpRules(settings.values, baseUrl, record.domains),
    guards: requestGuards(settings.values, deps.outbound, deps.now, before?.guards),
  };
}
