/** As much of a schema as descriptions and examples are made of. */
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
  /** What a key needs one of; absent where none may ask, empty where none is needed. */
  'x-scopes'?: readonly string[]
  /** What a key needs besides, to write what is its owner's own. */
  'x-own-scope'?: string
}

/** The description of the API by OpenAPI, as far as it is read here. */
export type ApiDocument = {
  paths?: Record<string, Record<string, ApiOperation>>
  tags?: { name: string; description?: string }[]
  components?: { schemas?: Record<string, ApiSchema> }
}

/** `#/components/schemas/Thing` is `Thing`. */
export const shapeName = (ref: string) => ref.replace('#/components/schemas/', '')
