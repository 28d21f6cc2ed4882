// Values that a contract's schema accepts, and such values made invalid.

import fc from 'fast-check'
import { z } from 'zod'
import { hostile, Uninvited, uninvited } from './hostile.ts'

/** Returns values that a schema probably accepts; a refinement may still refuse some. */
export function validInput(schema: z.ZodType, name = ''): fc.Arbitrary<unknown> {
  return (isTelling(schema, name) ? undefined : usual(name)) ?? byShape(schema, name)
}

/** Whether values are made from the schema rather than the name: an enumeration, a list, a number of a day. */
function isTelling(schema: z.ZodType, name: string): boolean {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return isTelling(schema.unwrap() as z.ZodType, name)
  }
  const isList = schema instanceof z.ZodEnum || schema instanceof z.ZodArray
  return isList || (schema instanceof z.ZodNumber && name === 'day')
}

const absent = Symbol('absent')
const change = fc.oneof(
  { weight: 6, arbitrary: hostile },
  { weight: 1, arbitrary: uninvited },
  { weight: 1, arbitrary: fc.constant(absent) },
)

/** Removes or replaces one value of a valid object, or adds a property that is not in the contract. */
export function spoilt(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(valid, fc.nat(), change).map(([value, at, by]) => {
    if (typeof value !== 'object' || value === null) return by
    const entries = Object.entries(value)
    const index = at % Math.max(1, entries.length)
    const [key = 'name'] = entries[index] ?? []
    if (by instanceof Uninvited) entries.push([by.key, by.value])
    else if (by === absent) entries.splice(index, 1)
    else entries.splice(index, 1, [key, by])
    return withKeys(entries)
  })
}

// Sets `__proto__` as an ordinary key, as JSON.parse does.
function withKeys(entries: [string, unknown][]): object {
  const made = {}
  for (const [key, value] of entries) {
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return made
}

// Rows of the fuzzed database have small ids; all dates are past, so that no run depends on its day.
const ids = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
)
const daysAfter = (min: number, max: number) =>
  fc
    .integer({ min, max })
    .map((after) => new Date(Date.UTC(2024, 0, 1 + (after % 730))).toISOString().slice(0, 10))
const days = daysAfter(0, 900)
// Addresses of existing accounts, and new ones.
const emails = fc.oneof(
  fc.constantFrom('superadmin@exemple.cd', 'personne@exemple.cd'),
  fc.nat({ max: 10_000 }).map((number) => `personne-${number}@exemple.cd`),
)
const words = fc.tuple(
  fc.constantFrom('Riz', 'Manioc', 'Été', 'Œuf', 'Kasaï–Est', 'L’huile', 'ny\u0303ama', '  Sel  ', '🍌'),
  fc.nat({ max: 400 }),
)

function usual(name: string): fc.Arbitrary<unknown> | undefined {
  if (/(^id|Ids?|_id)$/.test(name)) return ids
  // The bounds of a period, or of a price, are seldom in reverse order.
  if (name === 'startDate') return daysAfter(0, 400)
  if (name === 'endDate') return daysAfter(350, 729)
  if (/(Date|On|Until)$|^(day|week|until)$/.test(name)) return days
  // A real cursor comes from a response; a random text would never be one.
  if (name === 'cursor') return fc.constantFrom('start', 'start', 'id-0', 'id-3', 'elsewhere')
  if (/^collected/.test(name))
    return fc.oneof(
      days,
      days.map((day) => `${day}T23:30:00+02:00`),
    )
  if (/^updated_?[aA]t$/.test(name)) return fc.constantFrom(null, null, null, '2024-01-01T10:00:00Z')
  if (name === 'email' || name === 'recipients') return emails
  if (name === 'password' || name === 'currentPassword') return fc.constantFrom(rightPassword, 'pas le bon')
  if (name === 'phone') return fc.constantFrom('0812345678', '+243 97 123 45 67', '0991234567')
  if (name === 'url') return fc.constantFrom('https://exemple.cd/avis', 'https://exemple.cd/prix?cle=1')
  // Numbers written as people write them: their schema is a text.
  if (name === 'minPrice') return fc.integer({ min: 0, max: 3_000 })
  if (name === 'maxPrice') return fc.integer({ min: 2_500, max: 9_000 })
  // The only shared page.
  if (name === 'path') return fc.constantFrom('/series/1/1', '/series/2/3')
  if (name === 'page') return fc.integer({ min: 1, max: 5 })
  if (name === 'fields') return fc.constant('id')
  if (name === 'limit') return fc.integer({ min: 1, max: 200 })
  return undefined
}

/** Password of the fuzzed accounts. */
export const rightPassword = 'un mot de passe assez long'

function byShape(schema: z.ZodType, name: string): fc.Arbitrary<unknown> {
  // Every schema of zod is one of these; the union distinguishes them by `type`.
  const { def } = (schema as z.ZodType & z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return objectOf(def.shape)
    case 'record':
      return fc.dictionary(inner(def.keyType, name).map(String), inner(def.valueType, name), { maxKeys: 3 })
    case 'array':
      return fc.array(inner(def.element, name), { minLength: leastItems(schema), maxLength: 3 })
    case 'union':
      return fc.oneof(...def.options.map((option) => inner(option, name)))
    case 'optional':
    case 'default':
      return inner(def.innerType, name)
    case 'nullable':
      return fc.option(inner(def.innerType, name), { freq: 4 })
    case 'pipe':
      return inner(isTransform(def.in) ? def.out : def.in, name)
    case 'string':
      return stringOf(schema)
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'unknown':
      return fc.jsonValue()
    case 'file':
      return fc.constantFrom(tinyPicture, tinyPicture, new Uint8Array([0xff, 0xd8, 0xff]))
    default:
      throw new Error(`${name}: the fuzzer cannot make a ${def.type} yet`)
  }
}

// The parts of a schema are schemas too; zod's core types are only less precise.
const inner = (part: z.core.$ZodType, name: string) => validInput(part as z.ZodType, name)
const isTransform = (part: z.core.$ZodType) => (part as z.core.$ZodTypes)._zod.def.type === 'transform'
const isOptional = (part: z.core.$ZodType) => part._zod.optin === 'optional'

function objectOf(shape: z.core.$ZodLooseShape): fc.Arbitrary<object> {
  const keys = Object.keys(shape)
  const required = keys.filter((key) => !isOptional(shape[key]))
  return fc.record(Object.fromEntries(keys.map((key) => [key, inner(shape[key], key)])), {
    requiredKeys: required,
  })
}

function leastItems(schema: z.ZodType): number {
  const { minItems = 0 } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Math.min(minItems, 3)
}

function stringOf(schema: z.ZodType): fc.Arbitrary<string> {
  const { pattern, format, maxLength = 200 } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  if (format === 'date-time') return days.map((day) => `${day}T10:00:00Z`)
  if (pattern) return fc.stringMatching(new RegExp(pattern))
  return words.map(([word, number]) => `${word} ${number}`.slice(0, maxLength))
}

function numberOf(schema: z.ZodType): fc.Arbitrary<number> {
  const { minimum = 0, maximum = 1_000_000, type } = z.toJSONSchema(schema, { unrepresentable: 'any' })
  const [min, max] = [Math.max(minimum, -1_000_000), Math.min(maximum, 1_000_000)]
  if (type === 'integer') return fc.integer({ min, max })
  return fc.integer({ min: Math.ceil(min * 100), max: Math.floor(max * 100) }).map((cents) => cents / 100)
}

/** A PNG of one pixel. */
export const tinyPicture = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)
