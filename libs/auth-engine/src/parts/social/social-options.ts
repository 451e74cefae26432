import type { BetterAuthOptions } from 'better-auth';
import type { SettingsOf } from '#libs/settings';

/** The values of `auth.social`. */
export type SocialSettings = SettingsOf<'auth.social'>;
type SocialOptions = NonNullable<BetterAuthOptions['socialProviders']>;

/** What the settings of every provider have. */
interface CommonSettings {
  readonly enabled: boolean;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly scopes: readonly string[];
  readonly createUsers: boolean;
}

/** Settings of a provider that is on and has what it needs. */
export type Offered<P extends CommonSettings> = P & {
  readonly clientId: string;
  readonly clientSecret: string;
};

/** Whether a provider is on and has both its client id and its secret. */
export function isOffered<P extends CommonSettings>(provider: P): provider is Offered<P> {
  const { enabled, clientId, clientSecret } = provider;
  return enabled && clientId !== undefined && clientSecret !== undefined;
}

/** The engine's options for the offered providers, without those of own-hosts.ts. */
export function socialOptions(settings: SocialSettings): SocialOptions {
  const { apple, facebook, gitlab, google, microsoft, paypal, salesforce, tiktok } = settings;
  return {
    ...plainOptions(settings),
    ...(isOffered(apple) && {
      apple: {
        ...common(apple),
        ...(apple.audiences[0] !== undefined && {
          appBundleIdentifier: apple.audiences[0],
          audience: [apple.clientId, ...apple.audiences],
        }),
      },
    }),
    ...(isOffered(facebook) && {
      facebook: { ...common(facebook), ...optional('configId', facebook.configId) },
    }),
    ...(isOffered(gitlab) && gitlab.issuer === undefined && { gitlab: common(gitlab) }),
    ...(isOffered(google) && {
      google: { ...common(google), ...optional('hd', google.hostedDomain) },
    }),
    ...(isOffered(microsoft) && {
      microsoft: { ...common(microsoft), tenantId: microsoft.tenantId },
    }),
    ...(isOffered(paypal) && { paypal: { ...common(paypal), environment: paypal.environment } }),
    ...(isOffered(salesforce) && {
      salesforce: { ...common(salesforce), environment: salesforce.environment },
    }),
    ...(isOffered(tiktok) && { tiktok: tiktokOptions(common(tiktok)) }),
  };
}

const PLAIN = [
  ...(['atlassian', 'cloudflare', 'discord', 'dropbox', 'figma', 'github', 'huggingface'] as const),
  ...([
    'kakao',
    'kick',
    'line',
    'linear',
    'linkedin',
    'naver',
    'notion',
    'paybin',
    'polar',
  ] as const),
  ...(['railway', 'reddit', 'roblox', 'slack', 'spotify', 'twitch', 'twitter', 'vercel'] as const),
  ...(['vk', 'wechat', 'zoom'] as const),
] satisfies readonly (keyof SocialSettings)[];

function plainOptions(settings: SocialSettings): Record<string, CommonOptions> {
  return Object.fromEntries(
    PLAIN.flatMap((name) => {
      const provider = settings[name];
      return isOffered(provider) ? [[name, common(provider)] as const] : [];
    }),
  );
}

interface CommonOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string[];
  readonly disableSignUp: boolean;
}

function common<P extends CommonSettings>(provider: Offered<P>): CommonOptions {
  const { clientId, clientSecret, scopes, createUsers } = provider;
  return { clientId, clientSecret, scope: [...scopes], disableSignUp: !createUsers };
}

/** TikTok calls the client id its key. */
function tiktokOptions({ clientId, ...rest }: CommonOptions) {
  return { ...rest, clientKey: clientId };
}

function optional<const K extends string>(
  name: K,
  value: string | undefined,
): { readonly [N in K]?: string } {
  // The type of an object with a computed name is wider than what it is.
  return value === undefined ? {} : ({ [name]: value } as { readonly [N in K]: string });
}

/** Whether any provider of the engine's own is offered. */
export function hasSocialProviders(settings: SocialSettings): boolean {
  return Object.keys(socialOptions(settings)).length > 0;
}

/** Whether a provider is offered whose address is in the settings. */
export function hasOwnHosts({ cognito, gitlab }: SocialSettings): boolean {
  return isCognitoOffered(cognito) || isOwnGitlabOffered(gitlab);
}

type Cognito = SocialSettings['cognito'];
type Gitlab = SocialSettings['gitlab'];

/** Whether Cognito is on and its user pool is known. */
export function isCognitoOffered(cognito: Cognito): cognito is Offered<Cognito> & {
  readonly domain: string;
  readonly region: string;
  readonly userPoolId: string;
} {
  const { domain, region, userPoolId } = cognito;
  return isOffered(cognito) && [domain, region, userPoolId].every((value) => value !== undefined);
}

/** Whether GitLab is on and is not the one at gitlab.com. */
export function isOwnGitlabOffered(
  gitlab: Gitlab,
): gitlab is Offered<Gitlab> & { readonly issuer: string } {
  return isOffered(gitlab) && gitlab.issuer !== undefined;
}
