// Social providers whose address an administrator types: it may lead anywhere, so that the server calls them
// as it calls custom providers.
import { CALLBACK_PATHS } from '#libs/wire';
import type { AuthConfig } from '../../auth-config.js';
import { fixedEndpoints } from '../custom-oauth/endpoints.js';
import { textIn } from '../custom-oauth/foreign-values.js';
import { buildForeignProvider, type ForeignProvider } from '../custom-oauth/provider.js';
import { isCognitoOffered, isOwnGitlabOffered, type SocialSettings } from './social-options.js';
import type { Fields } from '../../fields.js';

/** The offered ones of Cognito and a GitLab of one's own. */
export function ownHostProviders(config: AuthConfig): readonly ForeignProvider[] {
  const { cognito, gitlab } = config.settings['auth.social'];
  return [...cognitoProvider(cognito, config), ...gitlabProvider(gitlab, config)];
}

function cognitoProvider(
  cognito: SocialSettings['cognito'],
  config: AuthConfig,
): readonly ForeignProvider[] {
  if (!isCognitoOffered(cognito)) return [];
  const { domain, region, userPoolId } = cognito;
  const issuer = `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`;
  const provider = buildForeignProvider(
    {
      ...commonOf('cognito', 'Cognito', cognito),
      scopes: ['openid', 'profile', 'email', ...cognito.scopes],
      usesIdTokens: true,
      endpoints: fixedEndpoints({
        authorizationUrl: `https://${domain}/oauth2/authorize`,
        tokenUrl: `https://${domain}/oauth2/token`,
        userInfoUrl: `https://${domain}/oauth2/userInfo`,
        issuer,
        keysUrl: `${issuer}/.well-known/jwks.json`,
        algorithms: ['RS256'],
        tokenAuthentication: ['post', 'basic'],
        answersNameIssuer: false,
      }),
    },
    config,
  );
  return [provider];
}

function gitlabProvider(
  gitlab: SocialSettings['gitlab'],
  config: AuthConfig,
): readonly ForeignProvider[] {
  if (!isOwnGitlabOffered(gitlab)) return [];
  const address = gitlab.issuer.replace(/\/+$/, '');
  const provider = buildForeignProvider(
    {
      ...commonOf('gitlab', 'GitLab', gitlab),
      scopes: ['read_user', ...gitlab.scopes],
      usesIdTokens: false,
      claimsOf: gitlabClaims,
      endpoints: fixedEndpoints({
        authorizationUrl: `${address}/oauth/authorize`,
        tokenUrl: `${address}/oauth/token`,
        userInfoUrl: `${address}/api/v4/user`,
        tokenAuthentication: ['post', 'basic'],
        answersNameIssuer: false,
      }),
    },
    config,
  );
  return [provider];
}

interface OfferedSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly createUsers: boolean;
}

function commonOf(id: string, name: string, settings: OfferedSettings) {
  const { clientId, clientSecret, createUsers } = settings;
  const client = { id: clientId, secret: clientSecret };
  return {
    id,
    name,
    callbackPath: `${CALLBACK_PATHS.social}${id}`,
    client,
    pkce: true,
    createUsers,
  };
}

/** People whose account is blocked or locked at GitLab stay out here too. */
function gitlabClaims(user: Fields): Fields | undefined {
  if (textIn(user, 'state') !== 'active' || user['locked'] === true) return undefined;
  return {
    ...user,
    // A number there, and what accounts of gitlab.com are kept by as well.
    sub: user['id'],
    name: textIn(user, 'name') ?? textIn(user, 'username'),
    picture: textIn(user, 'avatar_url'),
  };
}
