import { expect, test } from 'vitest'
import { z } from 'zod'
import { testServer } from '../../../tests/support/server.ts'

type Schema = {
  $ref?: string
  description?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: Schema | boolean
}
type Content = Record<string, { schema?: Schema; example?: unknown }>
type Operation = {
  summary?: string
  description?: string
  parameters?: { name: string; required?: boolean; description?: string; example?: unknown; schema: Schema }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
  tags: { name: string; description?: string }[]
}

const server = await testServer()
const { body, text } = await server.visitor.get('/api/openapi.json')
const { paths, components, tags } = body as Document
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
)
const contentsOf = ({ requestBody, responses }: Operation) =>
  [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}))

/** Returns every field at any depth, with its path. */
function fieldsOf(schema: Schema, at: string): { at: string; field: Schema }[] {
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties } = schema
  const others = [items, ...anyOf, ...oneOf, additionalProperties].filter((part) => typeof part === 'object')
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      { at: `${at}.${name}`, field },
      ...fieldsOf(field, `${at}.${name}`),
    ]),
    ...others.flatMap((part) => fieldsOf(part, at)),
  ]
}

const fields = [
  ...operations.flatMap((operation) =>
    contentsOf(operation).flatMap(({ schema }) => fieldsOf(schema ?? {}, operation.name)),
  ),
  ...Object.entries(components.schemas).flatMap(([name, schema]) => fieldsOf(schema, name)),
]
const parameters = operations.flatMap(({ name, parameters: its = [] }) =>
  its.map((parameter) => ({ at: `${name}?${parameter.name}`, ...parameter })),
)

test('every operation, parameter, field and subject has a description and an example', () => {
  expect([operations.length, parameters.length, fields.length].map((count) => count > 150)).toEqual([
    true,
    true,
    true,
  ])
  const lacking = [
    ...operations.filter(({ description, summary }) => !description || !summary).map(({ name }) => name),
    ...parameters
      .filter(({ description, example }) => !description || example === undefined)
      .map(({ at }) => at),
    ...fields.filter(({ field }) => !field.description || !field.examples?.length).map(({ at }) => at),
    ...tags.filter(({ description }) => !description).map(({ name }) => `#${name}`),
  ]
  expect([...new Set(lacking)]).toEqual([])
})

test('every example is valid for its own schema', () => {
  const faults: string[] = []
  const checked = new Set<string>()
  const check = (at: string, schema: Schema, example: unknown) => {
    const key = JSON.stringify([schema, example])
    if (checked.has(key)) return
    checked.add(key)
    const read = z.fromJSONSchema(whole(schema) as never).safeParse(example)
    if (!read.success) faults.push(`${at}: ${JSON.stringify(example)} ${read.error.issues[0]?.message}`)
  }
  for (const { at, schema, example } of parameters) check(at, schema, example)
  for (const { at, field } of fields) check(at, field, field.examples?.[0])
  for (const operation of operations)
    for (const { schema, example } of contentsOf(operation))
      if (schema && example !== undefined) check(operation.name, schema, example)
  expect([...new Set(faults)]).toEqual([])
})

/** Returns a schema that contains the schemas it refers to, as plain JSON Schema requires. */
function whole({ $ref, ...others }: Schema): object {
  const schema = $ref ? { ...components.schemas[$ref.replace(/.*\//, '')], ...others } : others
  const $defs: Record<string, Schema> = {}
  const follow = (part: Schema) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const shape = components.schemas[name]
      if (name in $defs || !shape) continue
      $defs[name] = shape
      follow(shape)
    }
  }
  follow(schema)
  const local = JSON.stringify({ ...schema, $defs }).replaceAll('#/components/schemas/', '#/$defs/')
  return JSON.parse(local) as object
}

test('the descriptions have the typography of French', () => {
  const said = [...text.matchAll(/"(?:description|summary)":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, each = '']) => each,
  )
  expect(said.filter((each) => / [:;!?»%]|« /.test(each))).toEqual([])
})

test('every operation that takes a first and a last day refuses a last one before the first', async () => {
  const admin = await server.as('super admin')
  const reversed = { startDate: '2026-02-01', endDate: '2026-01-01' }
  const dated = Object.entries(paths).flatMap(([path, { get }]) => {
    const own = get?.parameters ?? []
    if (!Object.keys(reversed).every((name) => own.some((parameter) => parameter.name === name))) return []
    const required = own.flatMap(({ name, required, example }) => (required ? [[name, String(example)]] : []))
    const query = new URLSearchParams({ ...Object.fromEntries(required), ...reversed })
    return [`${path.replaceAll(/\{\w+\}/g, '1')}?${query}`]
  })
  expect(dated.length).toBeGreaterThan(20)
  const taken: string[] = []
  for (const address of dated) {
    const { status, body } = await admin.get(address)
    if (status !== 400 || Object(body).errors?.[0]?.field !== 'endDate') taken.push(`${status} ${address}`)
  }
  expect(taken).toEqual([])
})
