export type { ResolveMailHost } from './connect.js';
export {
  openMailer,
  type Mail,
  type Mailer,
  type MailerOptions,
  type SmtpAccess,
} from './mailer.js';
export { openSms, type SmsAccess, type SmsDeps, type SmsSender } from './sms/open-sms.js';
export type { SignWebhook, Sms, SmsAnswer, SmsCall } from './sms/sms-call.js';
