// Parsers of the types that PostgreSQL returns: amounts and counts as numbers, days as texts, instants in ISO 8601.

import pg from 'pg'

const { builtins } = pg.types
// The list of pg-types has no array types; the ids of PostgreSQL for those (text[] is 1009) never change.
const builtinParser: (oid: number, format?: 'text' | 'binary') => (text: string) => unknown =
  pg.types.getTypeParser
const parseTextArray = builtinParser(1009)

function arrayOf<T>(parse: (text: string) => T) {
  return (text: string): unknown => deep(parseTextArray(text), parse)
}

function deep<T>(value: unknown, parse: (text: string) => T): unknown {
  if (Array.isArray(value)) return value.map((item) => deep(item, parse))
  return typeof value === 'string' ? parse(value) : value
}

/** Sessions run in any time zone, so the offset is read, not assumed; `infinity` stays itself. */
function parseInstant(text: string): string {
  const iso = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  const time = Date.parse(iso)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

const asIs = (text: string): string => text

// Amounts are computed exactly in SQL and only shown in JavaScript; ids and counts stay far below 2^53.
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, asIs],
  [builtins.TIMESTAMP, asIs],
  [builtins.TIMESTAMPTZ, parseInstant],
  [1016, arrayOf(Number)],
  [1231, arrayOf(Number)],
  [1182, arrayOf(asIs)],
  [1115, arrayOf(asIs)],
  [1185, arrayOf(parseInstant)],
])

/** Returns the parser of a type of PostgreSQL, for the option `types` of pg. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return (format !== 'binary' && parsers.get(oid)) || builtinParser(oid, format)
}
