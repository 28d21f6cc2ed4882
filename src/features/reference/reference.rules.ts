import { type Snippet, snippetsOf, streamSnippet } from '#features/reference/snippets.rules.ts'
import type { ApiDocument, ApiOperation, ApiParameter, ApiSchema } from '#shared/api-document.ts'
import { shapeName } from '#shared/api-document.ts'
import { type RefusalCode, refusalCodes } from '#shared/refusals.ts'

/** A field or a parameter; nested ones as `data[].product.name`. */
export type ShownField = {
  name: string
  type: string
  description: string
  example: string
  isRequired: boolean
}

export type ShownOperation = {
  id: string
  method: string
  path: string
  summary: string
  description: string
  /** Scopes of which a key needs one; null where keys are refused, empty where none is needed. */
  scopes: readonly string[] | null
  /** A further scope that a key needs. */
  ownScope: string | null
  parameters: ShownField[]
  body: ShownField[]
  answer: ShownField[]
  /** A JSON response; null for a file. */
  example: string | null
  refusals: RefusalCode[]
  snippets: Snippet[]
}

export type ReferenceSubject = {
  name: string
  title: string
  isOpenToKeys: boolean
  operations: ShownOperation[]
}

/** Returns the content of the reference pages from the description of the API. @param origin base address of the API */
export function subjectsOf(api: ApiDocument, origin: string): ReferenceSubject[] {
  const schemas = api.components?.schemas ?? {}
  const operations = Object.entries(api.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags?.[0] ?? '',
      shown: shownOperation({ path, method: method.toUpperCase(), operation, schemas, origin }),
    })),
  )
  const subjects = (api.tags ?? []).map(({ name, description = name }) => {
    const its = operations.filter(({ tag }) => tag === name).map(({ shown }) => shown)
    return {
      name,
      title: description.replace(/\.$/, ''),
      isOpenToKeys:
        its.some(({ scopes }) => scopes !== null && scopes.length > 0) ||
        its.every(({ scopes }) => scopes !== null),
      operations: its,
    }
  })
  const rank = ({ name }: ReferenceSubject) => (wanted.includes(name) ? wanted.indexOf(name) : wanted.length)
  return subjects.toSorted((a, b) => Number(b.isOpenToKeys) - Number(a.isOpenToKeys) || rank(a) - rank(b))
}

/** The most used subjects, listed first. */
const wanted = ['prices', 'statistics', 'products', 'markets', 'exchange-rates']

type Given = {
  path: string
  method: string
  operation: ApiOperation
  schemas: Record<string, ApiSchema>
  origin: string
}

function shownOperation({ path, method, operation, schemas, origin }: Given): ShownOperation {
  const { operationId = '', summary = '', description = '', parameters = [] } = operation
  const [bodyType = '', body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const [, answered] =
    Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2')) ?? []
  const json = answered?.content?.['application/json']
  const scopes = operation['x-scopes'] ?? null
  const isForm = bodyType === 'multipart/form-data'
  const isFile = Object.keys(json?.schema ?? {}).length === 0
  const isStream = answered?.content?.['text/event-stream'] !== undefined
  const call = {
    method,
    url: origin + addressOf(path, parameters),
    ...(body && !isForm && { body: body.example }),
    ...(isForm && { file: 'file' }),
    hasKey: scopes !== null && scopes.length > 0,
    isFile,
  }
  return {
    id: operationId,
    method,
    path,
    summary,
    description,
    scopes,
    ownScope: operation['x-own-scope'] ?? null,
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      type: typeOf(parameter.schema ?? {}, schemas),
      description: parameter.description ?? '',
      example: inWords(parameter.example),
      isRequired: parameter.required === true,
    })),
    body: body?.schema ? fieldsOf(body.schema, schemas) : [],
    answer: json?.schema ? fieldsOf(json.schema, schemas) : [],
    example: isFile || json?.example === undefined ? null : JSON.stringify(json.example, null, 2),
    refusals: refusalsOf({ method, path, scopes, takesAny: parameters.length > 0 || body !== undefined }),
    snippets: scopes ? (isStream ? [streamSnippet(call.url)] : snippetsOf(call)) : [],
  }
}

/** Returns an address that works as it is: required parameters, and a short page. */
function addressOf(path: string, parameters: readonly ApiParameter[]): string {
  const filled = path.replaceAll(/\{\w+\}/g, '1')
  const wanted = parameters.filter(
    ({ in: place, required, name }) => place === 'query' && (required || ['limit', 'series'].includes(name)),
  )
  const query = wanted.map(({ name, example }) => {
    const value = /Id$/.test(name) ? 1 : name === 'limit' ? 5 : name === 'series' ? '1-1' : example
    return `${name}=${encodeURIComponent(String(value))}`
  })
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled
}

/** Returns every field at any depth, in the order of the response. */
function fieldsOf(
  schema: ApiSchema,
  schemas: Record<string, ApiSchema>,
  at = '',
  inside: string[] = [],
): ShownField[] {
  const name = schema.$ref && shapeName(schema.$ref)
  if (name && inside.includes(name)) return []
  const deeper = name ? [...inside, name] : inside
  const whole = name ? (schemas[name] ?? {}) : schema
  const choices = whole.anyOf ?? whole.oneOf
  if (choices) {
    const all = choices.flatMap((choice) => fieldsOf(choice, schemas, at, deeper))
    return all.filter((field, index) => all.findIndex((each) => each.name === field.name) === index)
  }
  if (whole.items) return fieldsOf(whole.items, schemas, `${at}[]`, deeper)
  return Object.entries(whole.properties ?? {}).flatMap(([field, inner]) => {
    const path = at ? `${at}.${field}` : field
    return [
      {
        name: path,
        type: typeOf(inner, schemas),
        description: inner.description ?? '',
        example: isComposite(inner, schemas) ? '' : inWords(inner.examples?.[0]),
        isRequired: whole.required?.includes(field) === true,
      },
      ...fieldsOf(inner, schemas, path, deeper),
    ]
  })
}

const isComposite = (schema: ApiSchema, schemas: Record<string, ApiSchema>) =>
  fieldsOf(schema, schemas).length > 0

const inWords = (example: unknown) => (typeof example === 'string' ? example : JSON.stringify(example))

const plainTypes: Readonly<Record<string, string>> = {
  integer: 'entier',
  number: 'nombre',
  string: 'texte',
  boolean: 'vrai ou faux',
  object: 'objet',
  null: 'null',
}
const formats: Readonly<Record<string, string>> = { date: 'jour', 'date-time': 'instant', binary: 'fichier' }

/** Returns the type of a value in French, with its allowed values. */
function typeOf(schema: ApiSchema, schemas: Record<string, ApiSchema>): string {
  const whole = schema.$ref ? (schemas[shapeName(schema.$ref)] ?? {}) : schema
  const choices = whole.anyOf ?? whole.oneOf
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, schemas)))].join(' ou ')
  if ('const' in whole) return String(whole.const)
  if (whole.enum) return whole.enum.map(String).join(', ')
  if (whole.items) return `liste (${typeOf(whole.items, schemas)})`
  const types = [whole.type ?? 'null'].flat()
  return types.map((type) => formats[whole.format ?? ''] ?? plainTypes[type] ?? type).join(' ou ')
}

type Refusable = { method: string; path: string; scopes: readonly string[] | null; takesAny: boolean }

/** Returns the error codes that an operation can cause; those of the service itself are possible everywhere. */
function refusalsOf({ method, path, scopes, takesAny }: Refusable): RefusalCode[] {
  const isWrite = method !== 'GET'
  const met: Partial<Record<RefusalCode, boolean>> = {
    invalid: takesAny,
    unauthenticated: scopes?.length !== 0,
    payment_required: scopes?.length !== 0,
    forbidden: scopes?.length !== 0,
    scope_missing: scopes !== null && scopes.length > 0,
    not_found: path.includes('{'),
    duplicate: isWrite && method !== 'DELETE',
    stale: method === 'PUT',
    in_use: method === 'DELETE',
    quota_exceeded: scopes !== null && scopes.length > 0,
    unavailable: true,
  }
  return refusalCodes.filter((code) => met[code])
}
