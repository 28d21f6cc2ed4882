// Generates table types from the catalogue, so that the compiler checks statements against the migrations.

import type { ClientBase, Pool } from 'pg'
import { groupBy } from '#shared/group-by.ts'

type Column = {
  table: string
  name: string
  type: string
  isArray: boolean
  isNullable: boolean
  hasDefault: boolean
  isAlwaysGenerated: boolean
  labels: string[] | null
}

/** Returns the text of `tables.ts`: one interface per table or view, with the types that the pool's parsers return. */
export async function dumpTypes(client: ClientBase | Pool): Promise<string> {
  const { rows } = await client.query<Column>(columns)
  const tables = groupBy(rows, ({ table }) => table)
  const interfaces = [...tables].map(([table, tableColumns]) => {
    const lines = tableColumns.map((column) => `  ${column.name}: ${typeOf(column)}\n`)
    return `interface ${interfaceName(table)} {\n${lines.join('')}}\n`
  })
  const index = [...tables.keys()].map((table) => `  ${table}: ${interfaceName(table)}\n`)
  const body = `${interfaces.join('\n')}\nexport interface Tables {\n${index.join('')}}\n`

  const used = Object.entries(helpers).filter(([name]) => new RegExp(`\\b${name}\\b`).test(body))
  const imports = ['ColumnType', 'GeneratedAlways'].filter(
    (name) => body.includes(`${name}<`) || used.some(([, text]) => text.includes(`${name}<`)),
  )
  return [
    '// Written by scripts/dump-schema.mjs from the migrations. Not to be edited.\n',
    ...(imports.length > 0 ? [`import type { ${imports.join(', ')} } from 'kysely'\n`] : []),
    ...used.map(([, text]) => text),
    body,
  ].join('\n')
}

// Types of a column for select, insert and update.
const helpers = {
  Generated: `/** May be left out of an insert. */
type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<S, I | undefined, U>
    : ColumnType<T, T | undefined, T>
`,
  Exact: `/** Exact in the database; a text keeps every digit on the way in. */
type Exact = ColumnType<number, number | string, number | string>
`,
  Instant: `/** An ISO text in UTC, as in 2026-01-31T12:00:00.000Z. */
type Instant = ColumnType<string, string | Date, string | Date>
`,
  Json: `/** Given as a text, because pg would write a JavaScript array as an array of PostgreSQL. */
type Json = ColumnType<unknown, string, string>
`,
}

const types: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'Exact',
  timestamptz: 'Instant',
  bytea: 'Buffer',
  json: 'Json',
  jsonb: 'Json',
}

function typeOf({ type, labels, isArray, isNullable, hasDefault, isAlwaysGenerated }: Column): string {
  const mapped = labels ? labels.map((label) => `'${label}'`).join(' | ') : (types[type] ?? 'string')
  const single = isArray ? `${elementType(mapped)}[]` : mapped
  const read = isNullable ? `${single} | null` : single
  if (isAlwaysGenerated) return `GeneratedAlways<${plain(read)}>`
  return hasDefault ? `Generated<${read}>` : read
}

/** Returns the element type of an array, which has no separate insert type. */
function elementType(type: string): string {
  return type.includes('|') ? `(${type})` : plain(type)
}

function plain(type: string): string {
  return type.replace('Exact', 'number').replace('Instant', 'string').replace('Json', 'unknown')
}

function interfaceName(table: string): string {
  return `${table.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Table`
}

const columns = `
  select c.relname as table, a.attname as name, coalesce(b.typname, e.typname, t.typname) as type,
      e.oid is not null as "isArray",
      not a.attnotnull and not t.typnotnull as "isNullable",
      d.oid is not null or a.attidentity = 'd' as "hasDefault",
      a.attidentity = 'a' or a.attgenerated <> '' as "isAlwaysGenerated",
      (select array_agg(enumlabel::text order by enumsortorder) from pg_enum
        where enumtypid = coalesce(e.oid, t.oid)) as labels
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
    left join pg_type b on b.oid = coalesce(e.typbasetype, t.typbasetype) and b.oid <> 0
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
     and not exists (select from pg_depend x where x.classid = 'pg_class'::regclass and x.objid = c.oid and x.deptype = 'e')
   order by c.relname, a.attnum`
