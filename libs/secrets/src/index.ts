export {
  assertionHeader,
  assertionLifetimeSeconds,
  signAssertion,
  verifyAssertion,
  type OperatorAssertion,
} from './operator-assertion.js';
export {
  hashProjectKey,
  newProjectKey,
  publishableKeyPrefix,
  secretKeyPrefix,
} from './project-key.js';
export {
  deriveKey,
  newDataKey,
  open,
  OpenSecretError,
  seal,
  sealingKey,
  type SealingKey,
} from './seal.js';
