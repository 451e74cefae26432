export { applyWrite, type Write } from './apply-write.js';
export type { FieldValue } from './decode.js';
export { type Group, type Rebuild } from './define-group.js';
export { describe, type FieldForm, type GroupForm } from './describe.js';
export {
  findGroup,
  getGroup,
  resolveAll,
  SETTINGS_GROUPS,
  type GroupName,
  type Settings,
  type SettingsOf,
} from './groups.js';
export { allowedOrigins, isAllowedOrigin } from './origins.js';
export { readiness, type Readiness } from './readiness.js';
export { redact } from './redact.js';
export { mapSecrets, type Environment, type Sources } from './resolve.js';
