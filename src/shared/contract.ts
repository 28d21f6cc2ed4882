import { z } from 'zod'
import type { Permission, ReadingScope } from '#shared/permissions.ts'
import { refusalCodes } from '#shared/refusals.ts'

/**
 * Who may call an endpoint: anybody, anybody signed in, or holders of the permission
 * (one of them, when several are listed).
 */
export type Right = 'public' | 'session' | Permission | readonly Permission[]

/** Who may call what writes: no key writes by a permission to read. */
export type WritingRight =
  | 'public'
  | 'session'
  | Exclude<Permission, ReadingScope>
  | readonly Exclude<Permission, ReadingScope>[]

/** The largest file that a form may carry: 5 MB. */
export const largestFileBytes = 5 * 1024 * 1024

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * What an endpoint does to data. One that asks for a permission to read, and is no GET, says what it `writes`: what is its
 * caller's own, for which a key needs a scope besides, or nothing.
 */
type Deed =
  | { readonly method: 'GET'; readonly right: Right; readonly writes?: undefined }
  | { readonly method: Exclude<Method, 'GET'>; readonly right: WritingRight; readonly writes?: undefined }
  | { readonly method: Exclude<Method, 'GET'>; readonly right: Right; readonly writes: 'own' | 'nothing' }

/** One endpoint as both sides know it: the server validates and answers by it, the browser calls by it. */
export type Endpoint = Deed & {
  /** With `{id}` for parameters, as OpenAPI writes them. */
  readonly path: string
  readonly summary: string
  /** What its summary and the shapes do not say. */
  readonly description: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The handler reads the form itself, as it arrives. */
  readonly multipart?: true
  /** The body's field that takes the one file of a multipart form, whatever the form calls it; JSON is taken as well. */
  readonly file?: string
  /** 200, 201 where something is created, or 202 where it will be. */
  readonly status?: 200 | 201 | 202
  readonly response: z.ZodType
  /** What it answers instead to a program that asks what changed. */
  readonly changes?: z.ZodType
  /** The media types of an answer that is a file or a stream; its `response` is then `bytes`. */
  readonly media?: readonly [string, ...string[]]
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined

export type ParamsOf<E extends Endpoint> = Output<E['params']>
export type QueryOf<E extends Endpoint> = Output<E['query']>
/** The query of a list without its page: what search, filters and order leave of it. */
export type SelectionOf<E extends Endpoint> = Omit<QueryOf<E>, 'page' | 'limit'>
export type BodyOf<E extends Endpoint> = Output<E['body']>
export type AnswerOf<E extends Endpoint> = z.output<E['response']>

/** What a program gets that asks what changed. */
export type ChangesOf<E extends Endpoint> = E extends { changes: z.ZodType } ? z.output<E['changes']> : never

/** An endpoint with its own literal types: what the server registers, and the browser calls, is checked against them. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint
}

/** The answer of an endpoint with `media`: sent as it is made, described by no schema. */
export const bytes = z.custom<AsyncIterable<string | Uint8Array>>()

/** What every refusal and failure looks like. */
export const problem = z
  .object({
    message: z.string(),
    /** What refused, for programs: it stays the same when the words change. */
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
    /** The total is an estimate; absent where it is exact. */
    isEstimate: z.literal(true).optional(),
  })
  .meta({ id: 'Pagination' })
export type Pagination = z.infer<typeof pagination>

/** @param total rows in the whole selection */
export function paginate(query: { page: number; limit: number }, total: number): Pagination {
  return { page: query.page, limit: query.limit, total, pages: Math.ceil(total / query.limit) }
}
