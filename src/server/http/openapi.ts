import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { refusalTitles } from '#server/errors.ts'
import { type Compressed, compressOnce, sendCompressed } from '#server/http/compressed.ts'
import { describeFields } from '#server/http/described.ts'
import type { ApiOperation } from '#shared/api-document.ts'
import type { Endpoint, Right } from '#shared/contract.ts'
import { tagline } from '#shared/ntalo.ts'
import { ownScope, type Permission, scopes } from '#shared/permissions.ts'

type Described = ReturnType<typeof jsonSchemaTransformObject>
type DescribedApi = Extract<Described, { components?: unknown }>

/**
 * Serves `GET /api/openapi.json`, generated once per start from the contracts that validate requests.
 *
 * @param publicUrl public address of the server; the address of the document itself when null
 * @param words descriptions of field and parameter names, as `describeFields` reads them
 */
export async function describeApi(
  http: FastifyInstance,
  publicUrl: string | null,
  words: readonly string[],
): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Ntalo',
        version: '1',
        description: tagline,
        license: { name: 'Propriétaire', identifier: 'LicenseRef-Proprietary' },
        ...(publicUrl && { contact: { name: 'Ntalo', url: `${publicUrl}/contact` } }),
      },
      servers: [{ url: publicUrl ?? '/' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (given) => {
      const { right, writes } = given.route.config ?? {}
      const described = jsonSchemaTransform(given)
      const isPrivate = right !== undefined && right !== 'public'
      const isApi = /^\/api(\/|$)/.test(given.url)
      const takesForms = described.schema?.consumes !== undefined
      return {
        ...described,
        schema: {
          ...(takesForms && { body: formWithFile }),
          ...described.schema,
          ...(isApi && nameOf(String(given.route.method), given.url)),
          security: isPrivate ? [{ bearer: [] }] : [],
          ...(!isApi && { hide: true }),
          ...scopesOf(right, writes),
        },
      }
    },
    transformObject: (document) => completeDocument(jsonSchemaTransformObject(document), words),
  })
  let made: Promise<Compressed> | undefined
  http.get(
    '/api/openapi.json',
    { config: { right: 'public' }, schema: { hide: true } },
    async (request, reply) => {
      made ??= compressOnce(JSON.stringify(http.swagger()))
      return sendCompressed(await made, request, reply.type('application/json; charset=utf-8'))
    },
  )
}

/** Returns `x-scopes` and `x-own-scope`, the scopes that a key needs; nothing for an operation that no key may call. */
function scopesOf(
  right: Right = 'public',
  writes?: Endpoint['writes'],
): Pick<ApiOperation, 'x-scopes' | 'x-own-scope'> {
  if (right === 'public') return { 'x-scopes': [] }
  const wanted: readonly Permission[] = right === 'session' ? [] : [right].flat()
  const isOpenToKeys = wanted.length > 0 && wanted.every((each) => scopes.has(each))
  if (!isOpenToKeys) return {}
  return { 'x-scopes': wanted, ...(writes === 'own' && { 'x-own-scope': ownScope }) }
}

// A multipart body that the handler parses as a stream has no schema in the contract.
const formWithFile = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary' } },
  required: ['file'],
}

/** `POST /api/things/:id/image` is `postThingsByIdImage`, about `things`. */
function nameOf(method: string, url: string): { operationId: string; tags: string[] } {
  const [, , subject = 'root', ...others] = url.split('/')
  const words = [subject, ...others].map((part) => part.replace(/^:/, 'by-')).join('-')
  const operationId = `${method.toLowerCase()}-${words}`.replaceAll(/-+(\w)/g, (_, letter) =>
    letter.toUpperCase(),
  )
  return { operationId, tags: [subject] }
}

function completeDocument(document: Described, words: readonly string[]): Described {
  if (!('components' in document)) return document
  removeDuplicateSpellings(document)
  nameRefusals(document)
  const tags = new Set(operationsOf(document).flatMap((operation) => operation.tags ?? []))
  document.tags = [...tags].map((name) => ({ name }))
  describeFields(document, words)
  return withoutUnused(document)
}

/** Statuses documented on every operation, in addition to the classes `4XX` and `5XX`. */
const commonRefusals = [400, 401, 402, 403, 404, 409, 422, 429, 503]
const signedInOnly = [401, 402, 403]

/** Gives each operation its refusals by status, with their headers. */
function nameRefusals(document: DescribedApi): void {
  const header = (description: string, schema: object) => ({ description, schema })
  const always = {
    'x-request-id': header('L’identifiant de la demande, à citer au support.', { type: 'string' }),
  }
  const later = {
    'retry-after': header('Après combien de secondes réessayer.', { type: 'integer', minimum: 0 }),
  }
  const quota = {
    'ratelimit-policy': header('Combien de demandes, en combien de secondes.', { type: 'string' }),
    ratelimit: header('Ce qui reste, et dans combien de secondes le compte repart.', { type: 'string' }),
  }
  const headersOf = (status: number) => ({
    ...always,
    ...((status === 429 || status === 503) && later),
    ...(status === 429 && quota),
  })
  const nameOfRefusal = (status: number) => `Refusal${status}`
  const { components = {} } = document
  components.responses = Object.fromEntries(
    commonRefusals.map((status) => [
      nameOfRefusal(status),
      {
        description: refusalTitles.get(status) ?? '',
        headers: headersOf(status),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
  document.components = components
  for (const { security, responses = {} } of operationsOf(document)) {
    for (const status of commonRefusals) {
      if (security?.length === 0 && signedInOnly.includes(status)) continue
      responses[status] ??= { $ref: `#/components/responses/${nameOfRefusal(status)}` }
    }
  }
}

// The API accepts `created_at` and `createdAt`; client generators map both to one name and then fail on the duplicate.
function removeDuplicateSpellings(part: unknown): void {
  if (Array.isArray(part)) part.forEach(removeDuplicateSpellings)
  if (typeof part !== 'object' || part === null) return
  if ('properties' in part && typeof part.properties === 'object' && part.properties !== null) {
    const first = firstSpellings()
    for (const name of Object.keys(part.properties)) {
      if (!first(name)) Reflect.deleteProperty(part.properties, name)
    }
  }
  if ('parameters' in part && Array.isArray(part.parameters)) {
    const first = firstSpellings()
    part.parameters = part.parameters.filter(({ name }: { name: string }) => first(name))
  }
  Object.values(part).forEach(removeDuplicateSpellings)
}

/** Whether a name is the first of its spellings. */
function firstSpellings(): (name: string) => boolean {
  const seen = new Set<string>()
  return (name) => {
    const plain = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const isFirst = !seen.has(plain)
    seen.add(plain)
    return isFirst
  }
}

// Each shape exists as input and as output; this removes those without a reference.
function withoutUnused(document: DescribedApi): DescribedApi {
  const { schemas = {} } = document.components ?? {}
  const used = new Set<string>()
  const follow = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(schemas[name])
    }
  }
  follow(document.paths)
  follow(document.components?.responses)
  for (const name of Object.keys(schemas)) {
    if (!used.has(name)) delete schemas[name]
  }
  return document
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

function operationsOf(document: DescribedApi) {
  const paths = Object.values(document.paths ?? {})
  return paths.flatMap((path) => methods.flatMap((method) => path?.[method] ?? []))
}
