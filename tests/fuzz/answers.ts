// Checks that apply to every response, whatever the request.

import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { z } from 'zod'
import { refusalCodes } from '#shared/refusals.ts'
import type { FuzzRequest } from './requests.ts'

/** Operation, status and media type → schema; null when the response is not JSON. */
type Declared = Map<string, Record<string, Record<string, z.ZodType | null>>>

export type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'rawPayload'>

/** Headers that a refusal which asks to wait must have, by status. */
const waits: Record<number, string[]> = {
  429: ['retry-after', 'ratelimit', 'ratelimit-policy'],
  503: ['retry-after'],
}

/**
 * Returns the faults of a response as sentences; empty when it is as the OpenAPI document and the error catalogue
 * promise.
 */
export type Judge = (request: FuzzRequest, answer: Answer) => string[]

export function judgeBy(http: FastifyInstance): Judge {
  const declared = readDocument(http)
  return (request, answer) => {
    const { statusCode: status } = answer
    const faults: string[] = []
    const text = bodyOf(answer)
    if (status >= 500) faults.push(`status ${status}`)
    if (!answer.headers['x-request-id']) faults.push('no x-request-id')
    if (answer.headers['x-content-type-options'] !== 'nosniff') faults.push('no strict headers')
    const missing = (waits[status] ?? []).find((name) => !answer.headers[name])
    if (missing) faults.push(`no ${missing}`)
    // Responses to HEAD, and to preflight requests of browsers, have no body to check.
    if (request.method === 'HEAD' || status === 204) return faults
    if (isPage(request, answer)) return faults
    if (status >= 400) return [...faults, ...faultsOfRefusal(text, answer)]
    if (request.by === 'visitor' && !request.operation.isPublic) faults.push(`${status} for a visitor`)
    if (status < 300 && isRefusedByContract(request)) faults.push('accepted what the contract refuses')
    const { path } = request.operation
    // Some addresses are also served without /api, and described once.
    const described = /^\/api(\/|$)/.test(path) ? path : `/api${path}`
    const answers = declared.get(`${request.method} ${described}`)?.[status]
    if (!answers) return [...faults, `undeclared status ${status}`]
    const [type = ''] = String(answer.headers['content-type']).split(';')
    const schema = answers[type]
    if (schema === undefined) return [...faults, `undeclared type ${type}`]
    // A request that selects some fields gets only these.
    const isWhole = queryOf(request.url).fields === undefined
    return [...faults, ...(schema && isWhole ? faultsOfShape(schema, text) : [])]
  }
}

function readDocument(http: FastifyInstance): Declared {
  // zod resolves references only in `$defs`.
  const moved = JSON.stringify(http.swagger()).replaceAll('#/components/schemas/', '#/$defs/')
  const { paths, components } = openApi.parse(JSON.parse(moved))
  const shapeOf = (type: string, schema: object) =>
    type === 'application/json' ? z.fromJSONSchema({ ...schema, $defs: components.schemas }) : null
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => [
        `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        mapValues(responses, ({ content }) =>
          mapValues(content, ({ schema }, type) => shapeOf(type, schema)),
        ),
      ]),
    ),
  )
}

/** Whether the response to a form posted outside the API is a page, or a redirect to one. */
function isPage({ url, headers }: FuzzRequest, answer: Answer): boolean {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  const isHtml = String(answer.headers['content-type']).startsWith('text/html')
  return isForm && !url.startsWith('/api/') && (isHtml || answer.statusCode === 303)
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

const byName = <T extends z.ZodType>(inner: T) => z.record(z.string(), inner)
const jsonSchema = z.looseObject({})
// Refusals are references, and have their own check.
const openApi = z.object({
  paths: byName(
    byName(
      z.object({
        responses: byName(z.object({ content: byName(z.object({ schema: jsonSchema })).default({}) })),
      }),
    ),
  ),
  components: z.object({ schemas: byName(jsonSchema) }),
})

const problem = z.strictObject({
  message: z.string().min(1),
  code: z.enum(refusalCodes),
  error: z.string().min(1),
  errors: z.array(z.strictObject({ field: z.string().min(1), message: z.string().min(1) })),
  requestId: z.string(),
})

function faultsOfRefusal(text: string, answer: Answer): string[] {
  const body = problem.safeParse(parse(text))
  if (!body.success) return ['a refusal that is not a problem']
  const { message, error, errors, requestId } = body.data
  const sentences = [message, error, ...errors.map((each) => each.message)]
  const faults = sentences.flatMap((sentence) => [
    ...(english.test(sentence.replace(fieldNames, '').replaceAll(code, ''))
      ? [`not French: ${sentence}`]
      : []),
    ...(careless.test(sentence) ? [`careless typography: ${sentence}`] : []),
  ])
  if (requestId !== answer.headers['x-request-id']) faults.push('another requestId than the header')
  if (leak.test(text)) faults.push('a leak')
  if (answer.headers['cache-control'] !== 'no-store') faults.push('a refusal that may be cached')
  return faults
}

// Statuses of the contract have the same name in every language.
const code = /\b[A-Z]{3,}\b/g
// The list of fields: their names are those of the API.
const fieldNames = /Champs possibles\u00a0: [\w, ]+$/
const english =
  /\b(the|must|invalid|required|expected|received|error|failed|should|cannot|unknown|string|number|object|array|undefined|NaN|boolean|unsupported|body|request|not found|too (big|small|large))\b/i
// A straight apostrophe, or an ordinary space where French requires a no-break space.
const careless = /\p{L}'\p{L}|« | [»;:!?%]/u
const leak =
  /\n\s+at |node_modules|node:internal|\.ts\b|\/(work|home|tmp|usr|var)\/|select .* from|insert into|violates|duplicate key|syntax error|pg_|relation "|column "|ECONN|stack/i

function isRefusedByContract({ operation, method, url, headers, body }: FuzzRequest): boolean {
  if (method !== operation.method) return false
  const isJson = headers['content-type'] === 'application/json' && typeof body === 'string'
  const isBodyRefused = isJson && operation.body?.safeParse(parse(body)).success === false
  return isBodyRefused || operation.query?.safeParse(queryOf(url)).success === false
}

function queryOf(url: string): Record<string, unknown> {
  const { searchParams } = new URL(url, 'http://localhost')
  const names = [...new Set(searchParams.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = searchParams.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

function faultsOfShape(schema: z.ZodType, text: string): string[] {
  const value = parse(text)
  if (value === undefined) return ['an answer that is not JSON']
  const checked = schema.safeParse(value)
  if (checked.success) return []
  const [issue] = checked.error.issues
  return [`not as declared: ${issue?.path.join('.')} ${issue?.code}`]
}

export function bodyOf(answer: Answer): string {
  const coding = answer.headers['content-encoding']
  if (coding === 'br') return brotliDecompressSync(answer.rawPayload).toString()
  return coding === 'gzip' ? gunzipSync(answer.rawPayload).toString() : answer.rawPayload.toString()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
