/**
 * The claims that the server makes: those of policies (SQL `auth.keep_claims`, the lookup of a request) and of signed
 * tokens. Nothing of a project may set them.
 */
export const SERVER_CLAIMS = [
  'sub',
  'role',
  'user_role',
  'email',
  'is_anonymous',
  'aal',
  'has_second_factor',
  'session_id',
  'org_id',
  'org_role',
  'team_id',
  'api_key_id',
  'api_key_permissions',
  'operator',
] as const;
export type ServerClaim = (typeof SERVER_CLAIMS)[number];
