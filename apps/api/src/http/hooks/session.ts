import type { ProjectStep } from './project-hook.js';

/** Records the use of a session, which prolongs it. On its own routes the engine does that. */
export const recordSessionUse: ProjectStep = (_request, _reply, { credential, lease, rule }) => {
  if (credential.kind === 'session' && rule.servedBy !== 'engine') {
    lease.value.auth.sessionUses.note(credential.token);
  }
};
