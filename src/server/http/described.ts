import { readWords, type Words } from '#server/http/words.ts'
import {
  type ApiDocument,
  type ApiMedia,
  type ApiOperation,
  type ApiSchema,
  shapeName,
} from '#shared/api-document.ts'

/** Location of a field: its schema or operation, its subject, and its parent field. */
type Place = { root: string; tag: string; parent?: string }

/**
 * Adds a description and an example, by its name, to every parameter and field without its own, and to every body and
 * response an example built from its fields.
 *
 * @param texts lines of `name | example | sentence`
 */
export function describeFields(document: object, texts: readonly string[]): void {
  const words = readWords(texts)
  const { paths = {}, tags = [], components = {} } = document as ApiDocument
  const schemas = components.schemas ?? {}
  const examples = exampleMaker(schemas)
  const seen = new Set<string>()

  function describe(schema: ApiSchema, place: Place): void {
    const name = schema.$ref && shapeName(schema.$ref)
    if (name && !seen.has(name)) {
      seen.add(name)
      const shape = schemas[name]
      if (shape) describe(shape, { root: name.replace(/Input$/, ''), tag: place.tag })
    }
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      const word = wordFor(words, field, place)
      if (word) inner.description ??= word.description
      if (word && fits(word.example, inner)) inner.examples ??= [word.example]
      describe(inner, { ...place, parent: field })
    }
    for (const inner of partsOf(schema)) describe(inner, place)
  }

  function exemplify(schema: ApiSchema): void {
    for (const inner of Object.values(schema.properties ?? {})) {
      inner.examples ??= [examples(inner)]
      exemplify(inner)
    }
    partsOf(schema).forEach(exemplify)
  }

  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  for (const { operationId: root = '', tags: [tag = ''] = [], ...operation } of operations) {
    for (const parameter of operation.parameters ?? []) {
      const word =
        words.get(`${root}?${parameter.name}`) ?? words.get(`?${parameter.name}`) ?? words.get(parameter.name)
      const description = parameter.description ?? word?.description
      if (description) parameter.description = description
      const { schema = {} } = parameter
      const given = schema.examples?.[0] ?? (word && fits(word.example, schema) ? word.example : undefined)
      parameter.example ??= given ?? examples(schema)
    }
    for (const { schema } of mediaOf(operation)) if (schema) describe(schema, { root, tag })
  }
  // Shapes that no operation references directly, such as refusals.
  for (const name of Object.keys(schemas))
    describe({ $ref: `#/components/schemas/${name}` }, { root: '', tag: '' })
  for (const operation of operations) {
    for (const { schema } of mediaOf(operation)) if (schema) exemplify(schema)
  }
  Object.values(schemas).forEach(exemplify)
  for (const operation of operations) {
    for (const [type, media] of mediaEntries(operation)) {
      if (type === 'application/json' && media.schema) media.example ??= examples(media.schema)
    }
  }
  for (const tag of tags) {
    const description = words.get(`#${tag.name}`)?.description
    if (description) tag.description = description
  }
}

function wordFor(words: Words, field: string, { root, tag, parent }: Place) {
  const owners = [...(parent ? [parent] : []), root, ...(parent && parent !== 'data' ? [] : [tag])]
  for (const owner of owners) {
    const word = words.get(`${owner}.${field}`)
    if (word) return word
  }
  return words.get(field)
}

const partsOf = ({ items, anyOf = [], oneOf = [], additionalProperties }: ApiSchema): ApiSchema[] => [
  ...(items ? [items] : []),
  ...anyOf,
  ...oneOf,
  ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
]

function mediaEntries({ requestBody, responses = {} }: ApiOperation): [string, ApiMedia][] {
  const answered = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const contents = [requestBody?.content, ...answered.map(([, { content }]) => content)]
  return contents.flatMap((content) => Object.entries(content ?? {}))
}

const mediaOf = (operation: ApiOperation) => mediaEntries(operation).map(([, media]) => media)

/** Whether a value has the type of a schema; nested values are not checked. */
function fits(value: unknown, schema: ApiSchema): boolean {
  if (value === undefined || schema.$ref) return false
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.some((choice) => fits(value, choice))
  if (schema.enum) return schema.enum.includes(value)
  if ('const' in schema) return schema.const === value
  const types = [schema.type ?? []].flat()
  if (schema.items?.type && Array.isArray(value) && value.some((each) => !fits(each, schema.items ?? {})))
    return false
  return (
    types.length === 0 ||
    types.includes(typeOf(value)) ||
    (Number.isInteger(value) && types.includes('integer'))
  )
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const formatExamples: Readonly<Record<string, unknown>> = {
  'date-time': '2026-11-24T08:30:00.000Z',
  date: '2026-11-24',
  email: 'awa@exemple.cd',
  binary: '',
}

/** Makes an example of a schema out of those of its parts. */
function exampleMaker(schemas: Record<string, ApiSchema>): (schema: ApiSchema) => unknown {
  const making = new Set<string>()
  return function make(schema: ApiSchema): unknown {
    if (schema.examples && schema.examples.length > 0) return schema.examples[0]
    if (schema.$ref) {
      const name = shapeName(schema.$ref)
      if (making.has(name)) return null
      making.add(name)
      const made = make(schemas[name] ?? {})
      making.delete(name)
      return made
    }
    if ('const' in schema) return schema.const
    if (schema.enum) return schema.enum[0]
    const choices = schema.anyOf ?? schema.oneOf
    const choice = choices?.find(({ type }) => type !== 'null')
    if (choice) return make(choice)
    const type = [schema.type ?? []].flat().find((each) => each !== 'null')
    if (type === 'array') return schema.items ? [make(schema.items)] : []
    if (type === 'object') {
      const fields = Object.entries(schema.properties ?? {})
      return Object.fromEntries(fields.map(([name, inner]) => [name, make(inner)]))
    }
    if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
    if (type === 'boolean') return true
    return type === 'string' ? (formatExamples[schema.format ?? ''] ?? 'texte') : null
  }
}
