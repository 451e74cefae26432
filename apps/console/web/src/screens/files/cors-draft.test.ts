import { expect, test } from 'vitest';

import { draftsOf, emptyDraft, lacksMethods, ruleOf } from './cors-draft.js';

const rule = {
  origins: ['https://app.example.org', 'https://*.example.org'],
  methods: ['GET', 'POST'],
  allowedHeaders: ['x-bucket-token'],
  exposedHeaders: [],
  maxAgeSeconds: 0,
};

test('a stored rule is the same after the form', () => {
  expect(draftsOf([rule]).map(ruleOf)).toEqual([rule]);
});

test('lists have commas between their entries, and none that is empty', () => {
  const { origins, allowedHeaders } = ruleOf({ ...emptyDraft, origins: ' a , ,b,' });
  expect(origins).toEqual(['a', 'b']);
  expect(allowedHeaders).toEqual([]);
});

test('a rule needs a method', () => {
  expect(lacksMethods(emptyDraft)).toBe(false);
  expect(lacksMethods({ ...emptyDraft, methods: [] })).toBe(true);
});
