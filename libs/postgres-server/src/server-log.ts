/** The log of the supervisor; a pino logger fits. */
export interface ServerLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
