import parsePhoneNumber from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import { fail } from '#libs/errors';
import { requiredText } from '../../fields.js';

/**
 * The phone number in the field `phoneNumber` of a body. It must be in E.164 exactly: a number that could
 * be written in several ways would be counted and found under each of them. Whether the number is in use is for the
 * provider to know; new ranges of numbers are given out all the time. Throws INVALID_INPUT.
 */
export function phoneNumberIn(body: unknown): string {
  const text = requiredText(body, 'phoneNumber');
  const parsed = parsePhoneNumber(text, metadata);
  if (parsed?.number === text && parsed.isPossible()) return text;
  const reason = 'must be a phone number in E.164, such as +15551234567';
  throw fail('INVALID_INPUT', { field: 'phoneNumber', reason });
}

const standInDomain = '@phone.local';

/** The address that stands in for the one that a user of a phone does not have. */
export function standInAddress(phoneNumber: string): string {
  return `${phoneNumber.slice(1)}${standInDomain}`;
}

/** Whether an address is one of {@link standInAddress}. */
export function isPhoneAddress(email: string): boolean {
  return email.endsWith(standInDomain);
}
