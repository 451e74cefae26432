import { describe, expect, test } from 'vitest';

import { templateProblem } from './index.js';

describe('a template', () => {
  test.each([
    {
      name: 'an unknown name',
      template: { text: 'a {{ ulr }} {{ url }}' },
      field: 'text',
      reason: 'there is no {{ ulr }}: did you mean {{ url }}?',
    },
    {
      name: 'a name in other letters',
      template: { text: '{{ URL }} {{ url }}' },
      field: 'text',
      reason: 'there is no {{ URL }}: did you mean {{ url }}?',
    },
    {
      name: 'an unknown name like no other',
      template: { subject: '{{ organizationName }}' },
      field: 'subject',
      reason:
        'there is no {{ organizationName }}: there are url, appName, siteUrl, email, expiresInMinutes, expiresIn',
    },
    {
      name: 'the link is missing',
      template: { text: 'hello' },
      field: 'text',
      reason: 'must show {{ url }} in every mail',
    },
    {
      name: 'the link is shown only sometimes',
      template: { html: '{{# expiresIn }}{{ url }}{{/ expiresIn }}' },
      field: 'html',
      reason: 'must show {{ url }} in every mail',
    },
    {
      name: 'the link is asked for but not shown',
      template: { html: '{{# url }}x{{/ url }}' },
      field: 'html',
      reason: 'must show {{ url }} in every mail',
    },
    {
      name: 'open braces',
      template: { text: '{{ url }}\n{{ email' },
      field: 'text',
      reason: 'the {{ in line 2 is not closed by }}',
    },
    {
      name: 'braces within braces',
      template: { text: '{{ url {{ email }}' },
      field: 'text',
      reason: 'the {{ in line 1 is not closed by }}',
    },
    {
      name: 'an empty placeholder',
      template: { text: '{{ url }} {{  }}' },
      field: 'text',
      reason: 'there is an empty placeholder in line 1',
    },
    {
      name: 'an open section',
      template: { text: '{{# url }}{{ url }}' },
      field: 'text',
      reason: '{{# url }} is not closed by {{/ url }}',
    },
    {
      name: 'a section that was never opened',
      template: { text: '{{ url }}{{/ url }}' },
      field: 'text',
      reason: '{{/ url }} closes nothing in line 1',
    },
    {
      name: 'sections that cross',
      template: { text: '{{# url }}{{# email }}{{/ url }}{{/ email }}' },
      field: 'text',
      reason: '{{/ url }} closes nothing in line 1',
    },
    {
      name: 'very many placeholders',
      template: { html: `${'\n'.repeat(49_500)}${'{{url}}'.repeat(7_071)}` },
      field: 'html',
      reason: 'there are more than 1000 placeholders in line 49501',
    },
    {
      name: 'very deep sections',
      template: { text: `${'{{#url}}'.repeat(21)}{{url}}${'{{/url}}'.repeat(21)}` },
      field: 'text',
      reason: 'sections are nested more than 20 deep in line 1',
    },
    { name: 'nothing', template: { subject: ' ' }, field: 'subject', reason: 'must not be empty' },
    {
      name: 'a subject of two lines',
      template: { subject: 'a\nBcc: b@example.org' },
      field: 'subject',
      reason: 'must be one line',
    },
    {
      name: 'a long subject',
      template: { subject: 'x'.repeat(201) },
      field: 'subject',
      reason: 'must have at most 200 characters',
    },
    {
      name: 'a long text',
      template: { text: `{{ url }}${'x'.repeat(20_000)}` },
      field: 'text',
      reason: 'must have at most 20000 characters',
    },
    {
      name: 'a long page',
      template: { html: `{{ url }}${'x'.repeat(100_000)}` },
      field: 'html',
      reason: 'must have at most 100000 characters',
    },
    {
      name: 'an attribute without quotes',
      template: { html: '<a href={{ url }}>' },
      field: 'html',
      reason: '{{ url }} must be between tags or in a quoted attribute, not in a style or a script',
    },
  ])('with $name is refused', ({ template, field, reason }) => {
    expect(templateProblem('resetPasswordLink', template)).toEqual({ field, reason });
  });

  test.each([
    { name: 'an empty one', kind: 'magicLink', template: {} },
    { name: 'one with the link alone', kind: 'magicLink', template: { text: '{{url}}' } },
    {
      name: 'one with nothing but what it needs',
      kind: 'inviteMember',
      template: { html: '<b>{{ invitationId }}</b>' },
    },
    {
      name: 'one with what it needs in a section that is always there',
      kind: 'magicLink',
      template: { text: '{{# appName }}{{ url }}{{/ appName }}' },
    },
    {
      name: 'one with style sheets',
      kind: 'test',
      template: { html: '<style>@media x{a{b:c}}</style>' },
    },
  ] as const)('$name is accepted', ({ kind, template }) => {
    expect(templateProblem(kind, template)).toBeUndefined();
  });

  test('of the largest size is accepted', () => {
    const html = `{{ url }}${'{{ email }}<a b="">'.repeat(900)}${'<a b="">'.repeat(9000)}`;
    expect(templateProblem('resetPasswordLink', { html })).toBeUndefined();
    expect(templateProblem('resetPasswordLink', { html: '{{'.repeat(50_000) })?.field).toBe('html');
  });
});
