// What may change about a project while it is served, as one immutable value. The runtime replaces it as a whole, so
// that a request never sees the rules of one version beside the settings of another.
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
  /** How requests are admitted. */
  readonly rules: HttpRules;
  /** What requests must show beside their credential. */
  readonly guards: RequestGuards;
}

/** A part of a project that is built from its state, and replaced while requests use it. */
export interface BuiltPart {
  /** The name by which a settings group says that it is built from its values. */
  readonly kind: Rebuild;
  /** Whether there is an instance. Without one the first use builds it from the state of that moment. */
  readonly isBuilt: boolean;
  /** Builds a successor for `state`, which is not in force yet. */
  prepare(state: ProjectState): Promise<Candidate>;
  /** Builds the instance again from the state in force, and logs a failure. Does nothing without an instance. */
  rebuildSoon(): void;
}

/** Returns the state that follows from a record and settings. `before` keeps token issuers whose settings are the same. */
export function buildState(
  { record, settings }: Pick<ProjectState, 'record' | 'settings'>,
  deps: Pick<RuntimeDeps, 'urlOf' | 'outbound' | 'now'>,
  before?: ProjectState,
): ProjectState {
  const baseUrl = deps.urlOf(record);
  return {
    record,
    baseUrl,
    settings,
    rules: httpRules(settings.values, baseUrl, record.domains),
    guards: requestGuards(settings.values, deps.outbound, deps.now, before?.guards),
  };
}
