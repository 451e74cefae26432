/** The longest id that the auth engine gives to an organization, a membership or an invitation. */
export const maxOrganizationIdLength = 128;

/** Whether a text from a path can be the id of a row: PostgreSQL stores no NUL, and no id is longer than its limit. */
export function canBeId(text: string, maxLength: number): boolean {
  return text.length <= maxLength && !text.includes('\0');
}
