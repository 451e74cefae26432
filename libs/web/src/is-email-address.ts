import { readEmailAddress } from '#libs/wire';
import { registerDecorator } from 'class-validator';

/** Accepts the addresses that can be stored ({@link readEmailAddress}). */
export function IsEmailAddress(): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'isEmailAddress',
      target: target.constructor,
      propertyName: String(propertyName),
      options: { message: '$property must be an email address' },
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && readEmailAddress(value) !== undefined,
      },
    });
}
