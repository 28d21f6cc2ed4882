/** The part of a JSON schema that descriptions and examples are generated from. */
export type ApiSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
  examples?: unknown[]
  properties?: Record<string, ApiSchema>
  required?: string[]
  items?: ApiSchema
  anyOf?: ApiSchema[]
  oneOf?: ApiSchema[]
  additionalProperties?: ApiSchema | boolean
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
}
export type ApiMedia = { schema?: ApiSchema; example?: unknown }
type ApiContent = Record<string, ApiMedia>
export type ApiParameter = {
  name: string
  in?: string
  required?: boolean
  description?: string
  example?: unknown
  schema?: ApiSchema
}
export type ApiOperation = {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: ApiParameter[]
  requestBody?: { content?: ApiContent }
  responses?: Record<string, { content?: ApiContent }>
  /** Scopes of which an API key needs one; absent when no key may call the operation, empty when no scope is needed. */
  'x-scopes'?: readonly string[]
  /** Additional scope that a key needs to write its owner's own data. */
  'x-own-scope'?: string
}

/** The part of the OpenAPI document that this program reads. */
export type ApiDocument = {
  paths?: Record<string, Record<string, ApiOperation>>
  tags?: { name: string; description?: string }[]
  components?: { schemas?: Record<string, ApiSchema> }
}

/** Returns `Thing` for `#/components/schemas/Thing`. */
export const shapeName = (ref: string) => ref.replace('#/components/schemas/', '')
