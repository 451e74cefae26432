import { applyDecorators, type Type as Class } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';

/** The DTOs of nested fields, by the class that declares the fields. */
const nestedByDto = new WeakMap<object, Map<string, () => Class>>();

/** A field that holds another DTO. */
export function Nested(dto: () => Class): PropertyDecorator {
  return applyDecorators(ValidateNested(), Type(dto), remember(dto));
}

/** A field that holds a list of another DTO. */
export function NestedList(dto: () => Class): PropertyDecorator {
  return applyDecorators(ValidateNested({ each: true }), Type(dto), remember(dto));
}

/** The names of the fields of a DTO that hold other DTOs, each with its DTO. */
export function nestedOf(dto: object): readonly (readonly [string, Class])[] {
  return Array.from(nestedByDto.get(dto) ?? [], ([field, type]) => [field, type()] as const);
}

function remember(dto: () => Class): PropertyDecorator {
  return (prototype, field) => {
    const declaring = prototype.constructor;
    const nested = nestedByDto.get(declaring) ?? new Map<string, () => Class>();
    nestedByDto.set(declaring, nested.set(String(field), dto));
  };
}
