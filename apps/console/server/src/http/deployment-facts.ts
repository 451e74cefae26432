import type { DriverKind } from '#libs/wire';

/** An environment variable as operators see it. Code in the texts is in backticks. */
export interface EnvironmentVariable {
  readonly name: string;
  /** The value if the variable is absent, in words. */
  readonly default: string;
  readonly meaning: string;
  /** Whether its value is a credential or contains one. */
  readonly isSecret: boolean;
  readonly isSet: boolean;
  /** Null if the variable is absent, and for every secret. */
  readonly value: string | null;
}

/** What a process knows of itself when it starts the console. */
export interface DeploymentFacts {
  /** The version in package.json. */
  readonly version: string;
  /** The parts that this process runs: `api`, `console`, `worker`. */
  readonly roles: readonly string[];
  readonly variables: readonly EnvironmentVariable[];
  /** The folder with the files of this machine. */
  readonly dataDir: string;
  /** Bytes that files leave free on its disk; undefined: the default share. */
  readonly diskReserveBytes: number | undefined;
  /** Whether the process runs its own PostgreSQL. */
  readonly database: 'embedded' | 'external';
  /** What carries jobs and signals between processes. */
  readonly jobStore: 'postgres' | 'redis';
  /** Where projects without a store of their own keep files. */
  readonly storage: DriverKind;
  /** Connections of this process to databases of projects. */
  readonly connectionBudget: number;
}
