export { applyWrite, type Write } from './apply-write.js';
export type { FieldValue, ObjectValue } from './decode.js';
export { type Delivery, type Group, type Part, type Rebuild } from './define-group.js';
export {
  describe,
  type EntriesForm,
  type FieldForm,
  type GroupForm,
  type LeafForm,
  type ObjectForm,
} from './describe.js';
export {
  capabilityOfGroup,
  findGroup,
  findGroupCapability,
  getGroup,
  resolveAll,
  SETTINGS_GROUPS,
  type GroupName,
  type Settings,
  type SettingsOf,
} from './groups.js';
export { customProviderIdProblem, isBuiltInProviderId } from './groups/provider-ids.js';
export { defaultStatementSeconds } from './groups/rest.js';
export { allowedOrigins, isAllowedOrigin } from './origins.js';
export { partsOf, readiness, type Readiness } from './readiness.js';
export { rebuildsBetween } from './rebuilds-between.js';
export { redact } from './redact.js';
export { type Environment, type Sources } from './resolve.js';
export { mapSecrets, unopenedPathsIn, UnopenedSecret } from './secrets.js';
export { type FieldSources, type Source, sourcesOf } from './sources.js';
export { recordedVersion, restoredBody, secretPathsIn, secretsChanged } from './versions.js';
