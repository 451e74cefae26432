import { authPath, CALLBACK_PATHS, type JsonRecord } from '#libs/wire';

import { defineGroup } from '../define-group.js';
import { choice, flag, list, object, secret, text } from '../field.js';

const scopes = list({
  label: 'Further scopes',
  help: 'Requested in addition to the scopes that signing in needs.',
  default: [],
  maxItems: 50,
  maxLength: 200,
});

/** The fields of every provider. */
const common = {
  enabled: flag({ label: 'Enabled', default: false }),
  clientId: text({ label: 'Client id', maxLength: 500 }),
  clientSecret: secret({ label: 'Client secret', maxLength: 5000 }),
  scopes,
  createUsers: flag({ label: 'Create accounts for new users', default: true }),
} as const;

const plain = (label: string) => object({ label, fields: common });
const address = (label: string, help: string) =>
  text({ label, help, format: 'url', maxLength: 500 });

export const social = defineGroup('auth.social', {
  title: 'Social providers',
  help: 'A provider is available if it is enabled and has a client id and a client secret.',
  rebuilds: ['auth'],
  isReported: true,
  callbackPath: `${authPath}${CALLBACK_PATHS.social}`,
  fields: {
    apple: object({
      label: 'Apple',
      fields: {
        ...common,
        audiences: list({
          label: 'App bundle identifiers',
          help: 'Native apps whose id tokens are accepted besides those of the client id.',
          default: [],
          maxItems: 20,
          maxLength: 255,
        }),
      },
    }),
    atlassian: plain('Atlassian'),
    cloudflare: plain('Cloudflare'),
    cognito: object({
      label: 'Amazon Cognito',
      fields: {
        ...common,
        domain: text({ label: 'Domain of the user pool', format: 'host', maxLength: 253 }),
        region: text({ label: 'Region', format: 'id', maxLength: 64 }),
        userPoolId: text({ label: 'User pool id', format: 'id', maxLength: 64 }),
      },
    }),
    discord: plain('Discord'),
    dropbox: plain('Dropbox'),
    facebook: object({
      label: 'Facebook',
      fields: { ...common, configId: text({ label: 'Configuration id', maxLength: 100 }) },
    }),
    figma: plain('Figma'),
    github: plain('GitHub'),
    gitlab: object({
      label: 'GitLab',
      fields: { ...common, issuer: address('Address', 'Of your own GitLab; empty: gitlab.com.') },
    }),
    google: object({
      label: 'Google',
      fields: {
        ...common,
        hostedDomain: text({
          label: 'Workspace domain',
          help: 'Accepts only accounts of this domain.',
          format: 'domain',
          maxLength: 253,
        }),
      },
    }),
    huggingface: plain('Hugging Face'),
    kakao: plain('Kakao'),
    kick: plain('Kick'),
    line: plain('LINE'),
    linear: plain('Linear'),
    linkedin: plain('LinkedIn'),
    microsoft: object({
      label: 'Microsoft',
      fields: {
        ...common,
        tenantId: text({
          label: 'Tenant',
          help: 'The id of a tenant, or common, organizations or consumers.',
          default: 'common',
          format: 'id',
          maxLength: 64,
        }),
      },
    }),
    naver: plain('Naver'),
    notion: plain('Notion'),
    paybin: plain('Paybin'),
    paypal: object({
      label: 'PayPal',
      fields: {
        ...common,
        environment: choice({ label: 'Environment', of: ['live', 'sandbox'], default: 'live' }),
      },
    }),
    polar: plain('Polar'),
    railway: plain('Railway'),
    reddit: plain('Reddit'),
    roblox: plain('Roblox'),
    salesforce: object({
      label: 'Salesforce',
      fields: {
        ...common,
        environment: choice({
          label: 'Environment',
          of: ['production', 'sandbox'],
          default: 'production',
        }),
      },
    }),
    slack: plain('Slack'),
    spotify: plain('Spotify'),
    tiktok: plain('TikTok'),
    twitch: plain('Twitch'),
    twitter: plain('X (Twitter)'),
    vercel: plain('Vercel'),
    vk: plain('VK'),
    wechat: plain('WeChat'),
    zoom: plain('Zoom'),
  },
  parts: (values) =>
    Object.entries(values).map(([name, provider]) => ({
      name,
      enabled: provider.enabled,
      missing: missingOf(provider).map((field) => `${name}.${field}`),
    })),
});

const alwaysNeeded = ['clientId', 'clientSecret'] as const;
/** Required by Cognito, and not used by the others. */
const neededWherePresent = ['domain', 'region', 'userPoolId'] as const;

function missingOf(provider: JsonRecord): readonly string[] {
  return [
    ...alwaysNeeded.filter((field) => provider[field] === undefined),
    ...neededWherePresent.filter((field) => field in provider && provider[field] === undefined),
  ];
}
