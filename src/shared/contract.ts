import { z } from 'zod'
import type { Permission, ReadingScope } from '#shared/permissions.ts'
import { refusalCodes } from '#shared/refusals.ts'

/**
 * Who may call an endpoint: anybody, any signed-in user, or holders of the permission (one of them, when several are
 * listed).
 */
export type Right = 'public' | 'session' | Permission | readonly Permission[]

/**
 * Rights allowed for an endpoint that writes; excludes read permissions, so that a key with read scopes cannot write.
 */
export type WritingRight =
  | 'public'
  | 'session'
  | Exclude<Permission, ReadingScope>
  | readonly Exclude<Permission, ReadingScope>[]

/** The largest file that a form accepts: 5 MB. */
export const largestFileBytes = 5 * 1024 * 1024

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Method and right of an endpoint. A non-GET endpoint under a read permission declares what it `writes`: `own` (the
 * caller's own data, for which a key needs an additional scope) or `nothing`.
 */
type MethodAndRight =
  | { readonly method: 'GET'; readonly right: Right; readonly writes?: undefined }
  | { readonly method: Exclude<Method, 'GET'>; readonly right: WritingRight; readonly writes?: undefined }
  | { readonly method: Exclude<Method, 'GET'>; readonly right: Right; readonly writes: 'own' | 'nothing' }

/**
 * An endpoint as shared by the server, which validates requests and responses with it, and the browser, which calls it.
 */
export type Endpoint = MethodAndRight & {
  /** Path with `{id}` for parameters, in the syntax of OpenAPI. */
  readonly path: string
  readonly summary: string
  /** Details that the summary and the schemas do not give. */
  readonly description: string
  /** Under a right to paid data, it stays open when the access has ended: what was published can be withdrawn. */
  readonly staysOpen?: true
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The handler parses the multipart form itself, as a stream. */
  readonly multipart?: true
  /**
   * Field of the body that receives the single file of a multipart form, whatever its name in the form; JSON is
   * accepted as well.
   */
  readonly file?: string
  /** 200, 201 when a row is created, or 202 when it will be created later. */
  readonly status?: 200 | 201 | 202
  readonly response: z.ZodType
  /** Response to a client that asks for changes, instead of `response`. */
  readonly changes?: z.ZodType
  /** Media types of a response that is a file or a stream; `response` is then `bytes`. */
  readonly media?: readonly [string, ...string[]]
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined

export type ParamsOf<E extends Endpoint> = Output<E['params']>
export type QueryOf<E extends Endpoint> = Output<E['query']>
/** The query of a list without pagination: search, filters and order. */
export type SelectionOf<E extends Endpoint> = Omit<QueryOf<E>, 'page' | 'limit'>
export type BodyOf<E extends Endpoint> = Output<E['body']>
export type AnswerOf<E extends Endpoint> = z.output<E['response']>

/** The response to a client that asks for changes. */
export type ChangesOf<E extends Endpoint> = E extends { changes: z.ZodType } ? z.output<E['changes']> : never

/** Declares an endpoint with literal types, against which the server's handlers and the browser's calls are checked. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint
}

/** Response of an endpoint with `media`: streamed, without a schema. */
export const bytes = z.custom<AsyncIterable<string | Uint8Array>>()

/** The body of every error response. */
export const problem = z
  .object({
    message: z.string(),
    /** Stable code for programs; it does not change when the message changes. */
    code: z.enum(refusalCodes),
    error: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })),
    requestId: z.string(),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof problem>

export const acknowledgement = z.object({ message: z.string() }).meta({ id: 'Acknowledgement' })

export const pagination = z
  .object({
    page: z.int(),
    limit: z.int(),
    total: z.int(),
    pages: z.int(),
    /** True when the total is an estimate; absent when it is exact. */
    isEstimate: z.literal(true).optional(),
  })
  .meta({ id: 'Pagination' })
export type Pagination = z.infer<typeof pagination>

/**
 * Returns the pagination of a page of results.
 *
 * @param total rows in the whole selection
 */
export function paginate(query: { page: number; limit: number }, total: number): Pagination {
  return { page: query.page, limit: query.limit, total, pages: Math.ceil(total / query.limit) }
}
