export function describeAnswers(): Readonly<Record<string, string>>;
