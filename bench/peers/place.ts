/** What a peer needs to start. */
export interface PeerPlace {
  /** Where its packages are installed. */
  readonly folder: string;
  /** The measured database, as the login of the peers. */
  readonly databaseUrl: string;
  readonly jwtSecret: string;
}
