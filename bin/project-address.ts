import { join } from 'node:path';

import { projectFolder } from '#libs/control-plane';
import type { ResolveMailHost } from '#libs/delivery';
import { resolveAddress } from '#libs/outbound';
import type { ProjectRecord } from '#libs/project-runtime';
import type { Environment } from '#libs/settings';

import type { Env } from './env.js';

/** The public address of the project `ref`. */
export function projectUrl(env: Env, ref: string): URL {
  const url = new URL(env.publicUrl);
  url.hostname = `${ref}.${env.rootDomain}`;
  return url;
}

/** The public address of the studio of the project `ref`. */
export function studioUrl(env: Env, ref: string): string {
  return new URL('/studio', projectUrl(env, ref)).href;
}

/** The files of the project `ref` on this machine; they go with its folder when it is deleted. */
export function storageFolder({ dataDir }: Env, ref: string): string {
  return join(projectFolder(dataDir, ref), 'files');
}

/** What decides whether a project may send mails over the deployment's own server. */
type MailingProject = Pick<ProjectRecord, 'ref' | 'sharedMailServer' | 'isAdministered'>;

/** The fallback values of the deployment for settings of a project. */
export function settingsFallbacks(env: Env, project: MailingProject): Environment {
  return { ...(mayUseSmtp(env, project) && smtpFallbacks(env)), ...storageFallbacks(env) };
}

function mayUseSmtp({ smtpProjects }: Env, project: MailingProject): boolean {
  if (project.sharedMailServer !== undefined) return project.sharedMailServer;
  if (smtpProjects === 'administered') return project.isAdministered;
  return smtpProjects === 'all' || smtpProjects.includes(project.ref);
}

/** Refs to which the deployment gives more than to others: its mail server, or the hosts of no project. */
export function reservedRefs({
  smtpProjects,
  defaultProject,
}: Pick<Env, 'smtpProjects' | 'defaultProject'>): readonly string[] {
  const named = typeof smtpProjects === 'string' ? [] : smtpProjects;
  return defaultProject === undefined ? named : [...named, defaultProject];
}

/** Where the mail server that a project has configured may be reached. */
export function mailHostResolver(env: Env, project: MailingProject): ResolveMailHost {
  const { smtp, outboundAllowedHosts } = env;
  // The deployment's own may be on its own network, and may take mails without a password.
  const own = smtp && mayUseSmtp(env, project) ? [`${smtp.host}:${smtp.port}`] : [];
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
