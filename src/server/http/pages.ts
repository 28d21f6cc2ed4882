import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#server/errors.ts'
import type { Rendering } from '#server/http/rendering.ts'
import type { Endpoint } from '#shared/contract.ts'

/** Response to a browser: a view, or a redirect. */
export type PageAnswer =
  | {
      view: string
      props?: object
      status?: number
      /** Automatic redirect, with its delay (s). */
      next?: { path: string; afterS: number }
      /** Any site may show it in a frame. */
      isEmbeddable?: boolean
    }
  | { goTo: string }

export type PageVisit = { request: FastifyRequest; reply: FastifyReply; query: FormFields }

/** Values of a query string or a form, by name; the first value when a name is repeated. */
export type FormFields = Readonly<Record<string, string>>

/** A page with a form that works without JavaScript. */
export type FormPage = {
  path: string
  show(visit: PageVisit): Promise<PageAnswer>
  /** Handles a POST to the same path. */
  take?(fields: FormFields, visit: PageVisit): Promise<PageAnswer>
}

// A character of three bytes is sent as nine, and a message has up to 5 000 of them.
const largestFormBytes = 64 * 1024

/**
 * Lets the API and a form share a path and method; the content type identifies a form. Call it before adding routes.
 */
export function routeForms(http: FastifyInstance): void {
  http.addConstraintStrategy({
    name: 'isForm',
    storage: () => {
      const handlers = new Map<unknown, never>()
      return {
        get: (key) => handlers.get(key) ?? null,
        set: (key, handler) => void handlers.set(key, handler as never),
      }
    },
    deriveConstraint: ({ headers: { 'content-type': type } }) =>
      type?.startsWith(formType) || type?.startsWith(multipartType) || undefined,
    validate: () => undefined,
  })
}

/** Serves pages rendered for one visitor, and handles their form posts. */
export function serveFormPages(
  http: FastifyInstance,
  rendering: Rendering,
  pages: readonly FormPage[],
): void {
  http.register(async (scope) => {
    scope.addContentTypeParser<string>(formType, { parseAs: 'string' }, (_request, text, done) =>
      done(null, fieldsOf(text)),
    )
    // Mail programs that unsubscribe in one click may send the other type of form (RFC 8058, section 3.2).
    scope.removeContentTypeParser(multipartType)
    scope.addContentTypeParser<Buffer>(multipartType, { parseAs: 'buffer' }, (request, bytes, done) => {
      partsOf(bytes, request.headers['content-type'] ?? '').then((fields) => done(null, fields), done)
    })
    for (const { path, show, take } of pages) {
      scope.get(path, { config: { right: 'public' } }, async (request, reply) =>
        answer(rendering, await show(visitOf(request, reply)), request, reply),
      )
      if (!take) continue
      scope.post(
        path,
        { config: { right: 'public' }, constraints: { isForm: true }, bodyLimit: largestFormBytes },
        async (request, reply) =>
          answer(rendering, await take(request.body as FormFields, visitOf(request, reply)), request, reply),
      )
    }
  })
}

const formType = 'application/x-www-form-urlencoded'
const multipartType = 'multipart/form-data'

function visitOf(request: FastifyRequest, reply: FastifyReply): PageVisit {
  return { request, reply, query: fieldsOf(request.url.split('?')[1] ?? '') }
}

function fieldsOf(text: string): FormFields {
  return fieldsFrom([...new URLSearchParams(text)])
}

// Browsers count a line break as one character, and send it as two.
function fieldsFrom(entries: [name: string, value: string][]): FormFields {
  return Object.fromEntries(entries.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]).reverse())
}

async function partsOf(bytes: Buffer, type: string): Promise<FormFields> {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
    return fieldsFrom([...form].filter((each): each is [string, string] => typeof each[1] === 'string'))
  } catch {
    throw new AppError('invalid', 'Ce formulaire ne peut pas être lu.')
  }
}

function answer(rendering: Rendering, shown: PageAnswer, request: FastifyRequest, reply: FastifyReply) {
  reply.header('cache-control', 'no-store')
  if ('goTo' in shown) return reply.redirect(shown.goTo, 303)
  const { status = 200, next } = shown
  if (next) reply.header('refresh', `${next.afterS};url=${next.path}`)
  return rendering.send(shown, request, reply.status(status))
}

/** Result of a form: the API's response, or the reasons of its refusal. */
export type Outcome =
  | { isDone: true; message: string; answer: unknown }
  | { isDone: false; status: number; message: string; faults: Readonly<Record<string, string>> }

/**
 * Passes a posted form to the API endpoint that scripts call, so that the same rules, limits and messages apply.
 * Cookies set by the endpoint are sent to the browser.
 */
export async function submit(
  { request, reply }: Pick<PageVisit, 'request' | 'reply'>,
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  body: FormFields,
): Promise<Outcome> {
  // Headers that identify the caller, without those that describe the form's body.
  const isKept = (name: string) => !/^(content-|transfer-|accept-encoding$|connection$)/.test(name)
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => isKept(name)))
  const response = await request.server.inject({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.method === 'GET' ? { query: { ...body } } : { payload: body }),
    remoteAddress: request.socket.remoteAddress ?? request.ip,
    headers,
  })
  for (const name of ['set-cookie', 'retry-after', 'ratelimit', 'ratelimit-policy']) {
    const value = response.headers[name]
    if (value !== undefined) reply.header(name, value)
  }
  const answer: unknown = response.json()
  const { message, errors = [] } = answer as {
    message: string
    errors?: { field: string; message: string }[]
  }
  if (response.statusCode < 300) return { isDone: true, message, answer }
  const faults = Object.fromEntries(errors.map(({ field, message: fault }) => [field, fault]))
  return { isDone: false, status: response.statusCode, message, faults }
}
