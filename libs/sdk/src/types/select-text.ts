/**
 * Prepares the text of a `select` for splitting. Blanks are removed; a quoted name loses its quotes, and each of its
 * characters that would be syntax is replaced by a character of Unicode's private use area.
 */

type Without<Text extends string, Part extends string> = Text extends `${infer A}${Part}${infer B}`
  ? Without<`${A}${B}`, Part>
  : Text;

/** Long runs first: each replacement is a step, and the compiler counts steps. */
type WithoutBlanks<Text extends string> = Without<
  Without<Without<Without<Without<Text, '\r'>, '\n'>, '\t'>, '    '>,
  ' '
>;

type Replace<
  Text extends string,
  From extends string,
  To extends string,
> = Text extends `${infer A}${From}${infer B}` ? `${A}${To}${Replace<B, From, To>}` : Text;

type ReplaceEach<
  Text extends string,
  Pairs extends readonly (readonly [string, string])[],
> = Pairs extends readonly [
  readonly [infer From extends string, infer To extends string],
  ...infer Rest extends readonly (readonly [string, string])[],
]
  ? ReplaceEach<Replace<Text, From, To>, Rest>
  : Text;

type Masks = [
  [',', '\uE001'],
  ['(', '\uE002'],
  [')', '\uE003'],
  [':', '\uE004'],
  ['.', '\uE005'],
  ['!', '\uE006'],
  ['>', '\uE007'],
  ['*', '\uE008'],
];

type Swapped<Pairs> = Pairs extends [[infer From, infer To], ...infer Rest]
  ? [[To, From], ...Swapped<Rest>]
  : [];

/** The text with quoted names masked and all other blanks removed. */
export type Tidy<Text extends string> = Text extends `${string}"${string}`
  ? TidyQuoted<Text>
  : WithoutBlanks<Text>;

type TidyQuoted<
  Text extends string,
  Done extends string = '',
> = Text extends `${infer Before}"${infer Name}"${infer After}`
  ? TidyQuoted<After, `${Done}${WithoutBlanks<Before>}\uE000${ReplaceEach<Name, Masks>}`>
  : `${Done}${WithoutBlanks<Text>}`;

/** A name as it is in the database. */
export type NameOf<Text extends string> = Text extends `\uE000${infer Masked}`
  ? ReplaceEach<Masked, Swapped<Masks>>
  : Text;
