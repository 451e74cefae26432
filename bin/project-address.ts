import { join } from 'node:path';

import { projectFolder } from '#libs/control-plane';
import type { ResolveMailHost } from '#libs/delivery';
import { resolveAddress } from '#libs/outbound';
import type { Environment } from '#libs/settings';

import type { Env } from './env.js';

/** The public address of the project `ref`. */
export function projectUrl(env: Env, ref: string): URL {
  const url = new URL(env.publicUrl);
  url.hostname = `${ref}.${env.rootDomain}`;
  return url;
}

/** The files of the project `ref` on this machine; they go with its folder when it is deleted. */
export function storageFolder({ dataDir }: Env, ref: string): string {
  return join(projectFolder(dataDir, ref), 'files');
}

/** The fallback values of the deployment for settings of the project `ref`. */
export function settingsFallbacks(env: Env, ref: string): Environment {
  return { ...(mayUseSmtp(env, ref) && smtpFallbacks(env)), ...storageFallbacks(env) };
}

/** Whether the project `ref` may send mails over the deployment's own server. */
function mayUseSmtp({ smtpProjects }: Env, ref: string): boolean {
  return smtpProjects === 'all' || smtpProjects.includes(ref);
}

/** Where the mail server that the project `ref` has configured may be reached. */
export function mailHostResolver(env: Env, ref: string): ResolveMailHost {
  const { smtp, outboundAllowedHosts } = env;
  // The deployment's own may be on its own network, and may take mails without a password.
  const own = smtp && mayUseSmtp(env, ref) ? [`${smtp.host}:${smtp.port}`] : [];
  const allowedHosts = [...outboundAllowedHosts, ...own];
  return (host, port) => resolveAddress(host, port, { allowedHosts });
}

function smtpFallbacks({ smtp }: Env): Environment {
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

function storageFallbacks({ storage: { driver, s3 } }: Env): Environment {
  if (!s3) return { STORAGE_DRIVER: driver };
  return {
    STORAGE_DRIVER: driver,
    S3_ENDPOINT: s3.endpoint?.origin,
    S3_REGION: s3.region,
    S3_BUCKET: s3.bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_FORCE_PATH_STYLE: String(s3.forcePathStyle),
  };
}
