export { NewInvitationReply } from './invitations.dto.js';
export { sendInvitation } from './send-invitation.js';
