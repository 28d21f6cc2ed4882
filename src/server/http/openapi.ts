import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { type Compressed, compressOnce, sendCompressed } from '#server/http/compressed.ts'
import { promise } from '#shared/ntalo.ts'

type Described = ReturnType<typeof jsonSchemaTransformObject>

/** `GET /api/openapi.json`, from the same contracts that validate, made once for each start. */
export async function describeApi(http: FastifyInstance): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Ntalo',
        version: '1',
        description: promise,
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (given) => {
      const { right } = given.route.config ?? {}
      const described = jsonSchemaTransform(given)
      const isPrivate = right !== undefined && right !== 'public'
      const isApi = given.url.startsWith('/api/')
      const takesForms = described.schema?.consumes !== undefined
      return {
        ...described,
        schema: {
          ...(takesForms && { body: formWithFile }),
          ...described.schema,
          ...(isApi && nameOf(String(given.route.method), given.url)),
          ...(isPrivate && { security: [{ bearer: [] }] }),
          ...(!isApi && { hide: true }),
        },
      }
    },
    transformObject: (document) => withoutUnused(jsonSchemaTransformObject(document)),
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

// What a handler reads as it arrives is validated by no schema.
const formWithFile = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary' } },
  required: ['file'],
}

/** `POST /api/things/:id/image` is `postThingsByIdImage`, about `things`. */
function nameOf(method: string, url: string): { operationId: string; tags: string[] } {
  const [, , subject = '', ...others] = url.split('/')
  const words = [subject, ...others].map((part) => part.replace(/^:/, 'by-')).join('-')
  const operationId = `${method.toLowerCase()}-${words}`.replaceAll(/-+(\w)/g, (_, letter) =>
    letter.toUpperCase(),
  )
  return { operationId, tags: [subject] }
}

// Every named shape is given twice, as it is sent and as it is answered: what nothing refers to goes.
function withoutUnused(document: Described): Described {
  if (!('components' in document)) return document
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
  for (const name of Object.keys(schemas)) {
    if (!used.has(name)) delete schemas[name]
  }
  return document
}
