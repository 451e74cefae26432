import type { ConnectionOptions } from 'node:tls';
import type { IdType } from './lookup-texts.js';

/** One login role of a project database. */
export interface DatabaseLogin {
  readonly user: string;
  readonly password: string;
}

/** SHA-256 in hex of the keys of a project. */
export interface ProjectKeys {
  readonly publishable: readonly string[];
  readonly secret: readonly string[];
  /** By hash, the time in milliseconds at which a replaced key expires; the others do not expire. */
  readonly expiresAt?: Readonly<Record<string, number>>;
}

/** The release of this process does not fit the project's database, or an upgrade of it is running. */
export type ReleaseRefusal =
  'PROJECT_NEEDS_NEWER_RELEASE' | 'PROJECT_NOT_UPGRADED' | 'PROJECT_UPGRADING';

/**
 * The control plane's data about a project that the data plane needs to serve it. `version` grows with every change of
 * the record, so that two copies can be compared.
 */
export interface ProjectRecord {
  readonly ref: string;
  readonly name: string;
  readonly status: 'active' | 'paused';
  /** Why this process does not serve the project although it is active; absent: it does. */
  readonly refusal?: ReleaseRefusal;
  readonly version: number;
  /** Hash of the release to which its database was migrated, as read with this record; absent: unknown. */
  readonly migratedTo?: string;
  readonly idType: IdType;
  /** The most bytes that its files may have together; undefined: the default of the deployment. */
  readonly storageQuotaBytes?: number | undefined;
  /**
   * Whether its mails may go over the mail server of the deployment; undefined: `SMTP_PROJECTS` decides; if it is not set,
   * `isAdministered`.
   */
  readonly sharedMailServer?: boolean | undefined;
  /** Whether an administrator of the deployment created it. */
  readonly isAdministered: boolean;
  /** Host names besides `<ref>.<root domain>`, in lower case, without a port. */
  readonly domains: readonly string[];
  readonly database: {
    readonly host: string;
    readonly port: number;
    readonly name: string;
    /** TLS according to the connection string of the deployment. */
    readonly ssl: boolean | ConnectionOptions;
    readonly logins: {
      /** Owns the schema public; the SQL editor runs as it. */
      readonly owner: DatabaseLogin;
      /** Runs SQL of operators who may see rows but no secrets. */
      readonly editor: DatabaseLogin;
      /** Serves table requests. */
      readonly api: DatabaseLogin;
      /** Does the platform's own work: accounts, settings, files. */
      readonly engine: DatabaseLogin;
      /** Deletes users and does nothing else. */
      readonly deleter: DatabaseLogin;
      /** Tries changed policies: a member of the owner and of the roles of requests. */
      readonly lab: DatabaseLogin;
    };
  };
  readonly keys: ProjectKeys;
  /** 32 bytes that seal the project's secrets and from which its auth secret is derived. */
  readonly dataKey: Buffer;
}
