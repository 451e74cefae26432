export {
  CAPABILITIES,
  adminStanding,
  type AdminRules,
  type Caller,
  type CallerUser,
  type Capability,
  type Credential,
  type DatabaseRole,
  type OperatorCredential,
} from './caller.js';
