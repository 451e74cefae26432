import { expect, test } from 'vitest';
import { phoneNumberIn, standInAddress } from './phone-number.js';

test.each(['+15551234567', '+491701234567', '+442079460000', '+8613800138000'])(
  '%s is taken as it is',
  (phoneNumber) => {
    expect(phoneNumberIn({ phoneNumber })).toBe(phoneNumber);
    expect(standInAddress(phoneNumber)).toBe(`${phoneNumber.slice(1)}@phone.local`);
  },
);

test.each([
  { name: 'letters', phoneNumber: 'abc' },
  { name: 'no plus', phoneNumber: '15551234567' },
  { name: 'spaces between digits', phoneNumber: '+1 555 123 4567' },
  { name: 'a space before it', phoneNumber: ' +15551234567' },
  { name: 'the zero of calls inside the country', phoneNumber: '+4401701234567' },
  { name: 'an extension', phoneNumber: '+15551234567;ext=1' },
  { name: 'too few digits', phoneNumber: '+15551' },
  { name: 'too many digits', phoneNumber: '+155512345678901234' },
  { name: 'a country that does not exist', phoneNumber: '+9991234567' },
  { name: 'digits of another script', phoneNumber: '+1٥٥٥1234567' },
  { name: 'NUL', phoneNumber: '+15551234567\0' },
  { name: 'a number', phoneNumber: 15551234567 },
  { name: 'a list', phoneNumber: ['+15551234567'] },
  { name: 'nothing', phoneNumber: '' },
])('$name is refused by the name of the field', ({ phoneNumber }) => {
  expect(() => phoneNumberIn({ phoneNumber })).toThrow(/phoneNumber: /);
});
