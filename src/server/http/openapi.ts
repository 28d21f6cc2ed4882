import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'

/** `GET /api/openapi.json`, from the same contracts that validate. */
export async function describeApi(http: FastifyInstance): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Ntalo',
        version: '1',
        description: 'Prix des marchés de la République démocratique du Congo.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (given) => {
      const { right } = given.route.config ?? {}
      const described = jsonSchemaTransform(given)
      const isPrivate = right !== undefined && right !== 'public'
      const isApi = given.url.startsWith('/api/')
      return {
        ...described,
        schema: {
          ...described.schema,
          ...(isPrivate && { security: [{ bearer: [] }] }),
          ...(!isApi && { hide: true }),
        },
      }
    },
    transformObject: jsonSchemaTransformObject,
  })
  http.get('/api/openapi.json', { config: { right: 'public' }, schema: { hide: true } }, async () =>
    http.swagger(),
  )
}
