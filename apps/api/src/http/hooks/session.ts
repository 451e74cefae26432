import type { ProjectStep } from './project-hook.js';

/** Notes that a session was used, which prolongs it. The engine prolongs sessions on its own routes. */
export const noteSessionUse: ProjectStep = (_request, _reply, { credential, lease, rule }) => {
  if (credential.kind === 'session' && rule.servedBy !== 'engine') {
    lease.value.auth.sessionUses.note(credential.token);
  }
};
