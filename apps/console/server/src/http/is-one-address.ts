import { isOneAddress } from '#libs/wire';
import { registerDecorator } from 'class-validator';

/** Accepts what the sender of mails accepts: another rule here would store mails that cannot be sent. */
export function IsOneAddress(): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'isOneAddress',
      target: target.constructor,
      propertyName: String(propertyName),
      options: { message: 'must be an email address' },
      validator: { validate: (value: unknown) => typeof value === 'string' && isOneAddress(value) },
    });
}
