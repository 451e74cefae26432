export { openMailer, type Mail, type Mailer, type SmtpAccess } from './mailer.js';
