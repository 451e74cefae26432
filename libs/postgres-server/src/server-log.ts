/** Where the supervisor says what it does; a pino logger fits. */
export interface ServerLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
