import { expect, test } from 'vitest';
import { lookalikeIn } from './lookalikes.js';

test.each([
  { name: 'Latin', domain: 'api.example.org' },
  { name: 'Latin with marks', domain: 'bücher.example' },
  { name: 'a Cyrillic word with letters of its own', domain: 'пример.example' },
  { name: 'a Greek word with letters of its own', domain: 'παράδειγμα.example' },
  { name: 'Japanese with Latin', domain: 'rowsテスト例.example' },
  { name: 'Korean with Latin', domain: 'rows한국.example' },
  { name: 'each label in a script of its own', domain: 'пример.bücher.example' },
])('$name is accepted', ({ domain }) => {
  expect(lookalikeIn(domain)).toBeUndefined();
});

test.each([
  { name: 'a Cyrillic letter in a Latin word', domain: 'аpple.com', label: 'аpple' },
  { name: 'a Greek letter in a Latin word', domain: 'www.gοogle.com', label: 'gοogle' },
  { name: 'a Cyrillic word of Latin look', domain: 'аррӏе.com', label: 'аррӏе' },
  { name: 'Cyrillic with Greek', domain: 'пρ.example', label: 'пρ' },
])('$name is refused', ({ domain, label }) => {
  expect(lookalikeIn(domain)).toBe(label);
});
