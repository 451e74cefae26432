import type { Environment } from '#libs/settings';

import type { Env } from './env.js';

/** Where the world reaches the project `ref`. */
export function projectUrl(env: Env, ref: string): URL {
  const url = new URL(env.publicUrl);
  url.hostname = `${ref}.${env.rootDomain}`;
  return url;
}

/** The values of the deployment that settings groups fall back to. */
export function settingsFallbacks(env: Env): Environment {
  const { smtp } = env;
  if (!smtp) return {};
  return {
    SMTP_HOST: smtp.host,
    SMTP_PORT: String(smtp.port),
    SMTP_SECURE: String(smtp.secure),
    SMTP_FROM: smtp.from,
    SMTP_USER: smtp.user,
    SMTP_PASSWORD: smtp.password,
  };
}
