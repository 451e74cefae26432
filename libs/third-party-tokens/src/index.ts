export {
  createThirdParty,
  type ForeignClaims,
  type IssuerSettings,
  type ThirdParty,
  type ThirdPartyOptions,
} from './third-party.js';
