// The routes of single sign-on: signing in, and the providers that users manage.
import { landing, maxDocumentBytes, read, type RouteTable, write } from '../../part.js';
import { acsPath } from './saml-gate.js';
import { signInPath } from './sign-in.js';

export const ssoRoutes = {
  [signInPath]: {
    ...write,
    summary: 'Sign in with single sign-on',
    fields:
      'email providerId+ domain organizationSlug callbackURL+ errorCallbackURL newUserCallbackURL loginHint providerType scopes:array requestSignUp:boolean',
    answer: 'Redirect',
    limit: 'signIn',
    flow: 'begins',
  },
  '/sso/callback/:providerId': {
    ...landing,
    summary: 'Return from an OpenID Connect provider',
    fields: 'code state error',
    answer: 'Redirected',
    signUpMethod: 'sso',
    flow: 'returns',
  },
  [acsPath]: {
    ...write,
    summary: 'Return from a SAML provider',
    fields: 'SAMLResponse! RelayState',
    takesOtherFields: true,
    answer: 'Redirected',
    limit: 'signIn',
    body: 'form',
    maxBodyBytes: maxDocumentBytes,
    isKeyless: true,
    signUpMethod: 'sso',
    flow: 'ends',
  },
  '/sso/saml2/sp/metadata': {
    ...landing,
    summary: 'Read the SAML metadata for a provider',
    fields: 'providerId! format',
    answer: 'Xml',
  },
  '/sso/register': {
    ...write,
    summary: 'Register a provider of an organization',
    fields: 'providerId! issuer! domain! organizationId oidcConfig+:object samlConfig:object',
    takesOtherFields: true,
    answer: 'SsoProvider',
    needsSession: true,
    isOwnerOnly: true,
    maxBodyBytes: maxDocumentBytes,
  },
  '/sso/providers': {
    ...read,
    summary: 'List the providers of your organizations',
    answer: 'SsoProviders',
    needsSession: true,
  },
  '/sso/get-provider': {
    ...read,
    summary: 'Read a provider',
    fields: 'providerId!',
    answer: 'SsoProvider',
    needsSession: true,
  },
  '/sso/update-provider': {
    ...write,
    summary: 'Change a provider',
    fields: 'providerId! issuer domain+ oidcConfig:object samlConfig:object',
    takesOtherFields: true,
    answer: 'SsoProvider',
    needsSession: true,
    isOwnerOnly: true,
    maxBodyBytes: maxDocumentBytes,
  },
  '/sso/delete-provider': {
    ...write,
    summary: 'Delete a provider',
    fields: 'providerId!',
    takesOtherFields: true,
    answer: 'Success',
    needsSession: true,
    isOwnerOnly: true,
  },
  '/sso/verify-domain': {
    ...write,
    summary: 'Prove a domain by its DNS record',
    fields: 'providerId!',
    takesOtherFields: true,
    answer: 'SsoProvider',
    needsSession: true,
    isOwnerOnly: true,
  },
} satisfies RouteTable;
