import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '#server/errors.ts'
import { type Actor, type ApiKey, type Authenticate, authorise } from '#server/http/actor.ts'
import { within } from '#server/http/deadline.ts'
import { readForm } from '#server/http/form.ts'
import { readList, refuseLargePage } from '#server/http/lists.ts'
import type { Admission } from '#server/http/overload.ts'
import { createStreams } from '#server/http/streams.ts'
import { visitorQueueKey } from '#server/http/visitors.ts'
import type { Quotas } from '#server/session/quotas.ts'
import { timeLimits } from '#server/time-limits.ts'
import { apiVersions } from '#shared/api-versions.ts'
import type { AnswerOf, BodyOf, ChangesOf, Endpoint, ParamsOf, QueryOf, Right } from '#shared/contract.ts'
import { type bytes, problem } from '#shared/contract.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    right?: Right
    writes?: Endpoint['writes']
  }
}

/** Argument of a handler: validated input and the actor. */
export type Call<E extends Endpoint> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** Actor of the request; null only on public endpoints. */
  actor: Actor | null
  request: FastifyRequest
  reply: FastifyReply
}

type Handler<E extends Endpoint, P> = (call: Call<E>, prepared: P) => Promise<AnswerOf<E> | ChangesOf<E>>

/** Registers the endpoints of features. */
export type Api = {
  /**
   * Serves an endpoint: authenticates, authorises, validates, and answers as its contract defines.
   *
   * @param prepare long work without the database, run before the request waits for the gate; its result goes to the
   *   handler
   */
  on<E extends Endpoint, P = undefined>(
    endpoint: E,
    handler: Handler<E, P>,
    prepare?: (call: Call<E>) => Promise<P>,
  ): void
}

export function createApi(
  http: FastifyInstance,
  { authenticate, admission, quotas }: { authenticate: Authenticate; admission: Admission; quotas: Quotas },
): Api {
  // A 304 response does not count against the quota.
  const refunds = new WeakMap<FastifyRequest, () => void>()
  http.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode === 304) refunds.get(request)?.()
  })
  // Each form is held in memory until its response, so their number is limited.
  const forms = createStreams(http, {
    most: 8,
    mostPerUser: 3,
    patienceMs: 20_000,
    refusal: {
      message: 'Trop de formulaires sont en cours d’envoi. Réessayez dans un instant.',
      retryAfterS: 5,
    },
  })
  return {
    on<E extends Endpoint, P>(endpoint: E, handler: Handler<E, P>, prepare?: (call: Call<E>) => Promise<P>) {
      const { file, media, status = 200 } = endpoint
      const callers = new WeakMap<FastifyRequest, Caller>()
      const answer = endpoint.changes ? z.union([endpoint.response, endpoint.changes]) : endpoint.response
      const list = readList(endpoint, answer)
      // A multipart handler lasts as long as its sender, so it must not occupy a slot of the gate.
      const gate = endpoint.multipart ? null : admission.gateOf(endpoint.path)
      http.route({
        method: endpoint.method,
        url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { right: endpoint.right, writes: endpoint.writes },
        // For HEAD, Fastify would generate the whole stream and discard it, so HEAD is refused with 405.
        ...(media && { exposeHeadRoute: false }),
        schema: {
          summary: endpoint.summary,
          description: endpoint.description,
          ...(endpoint.params && { params: endpoint.params }),
          ...(endpoint.query && { querystring: list?.query ?? endpoint.query }),
          ...(endpoint.body && !endpoint.multipart && { body: endpoint.body }),
          ...(endpoint.multipart && { consumes: ['multipart/form-data'] }),
          ...(file && { consumes: ['multipart/form-data'] }),
          response: {
            [status]: media
              ? describeResponse(
                  'Réponse',
                  media.includes('application/json') ? z.unknown() : z.string(),
                  media,
                )
              : describeResponse('Réponse', answer),
            '4xx': describeResponse('Refus', problem),
            '5xx': describeResponse('Panne', problem),
          },
        },
        // Runs before the body is read, so a refused upload is not received.
        onRequest: async (request, reply) => {
          const startedAt = performance.now()
          const actor =
            endpoint.right === 'public' ? null : await within(timeLimits.answer, authenticate(request))
          if (actor) admission.visitors.leave(reply.raw)
          authorise(actor, endpoint)
          if (actor?.key) {
            reply.header('ntalo-version', versionFor(actor.key, request))
            refunds.set(
              request,
              await within(timeLimits.answer, quotas.spend({ ...actor, key: actor.key }, reply)),
            )
          }
          callers.set(request, { actor, leftMs: timeLimits.answer - (performance.now() - startedAt) })
        },
        ...(file && {
          preValidation: async (request, reply) => {
            if (!request.isMultipart()) return
            forms.admit({ actor: callers.get(request)?.actor ?? null, reply })
            request.body = await readForm(request, file)
          },
        }),
        handler: async (request, reply) => {
          const { actor = null, leftMs = timeLimits.answer } = callers.get(request) ?? {}
          // The schemas above have validated these values, so they have the contract's types.
          const call = {
            params: request.params,
            query: request.query,
            body: request.body,
            actor,
            request,
            reply,
          } as Call<E>
          refuseLargePage(call)
          list?.prepare(call)
          reply.status(status)
          // Without anything to prepare, P is undefined.
          const prepared = (await prepare?.(call)) as P
          const work = () => {
            if (reply.raw.destroyed) throw abandoned()
            return handler(call, prepared)
          }
          const given = gate
            ? await within(
                leftMs,
                gate.run(work, actor?.userId ?? visitorQueueKey(endpoint.path, request.ip)),
              )
            : await work()
          return media ? Readable.from(given as AnswerOf<Stream>, { objectMode: false }) : given
        },
      })
    },
  }
}

/** Returns the API version of a response: the one in the request's header, or that of its key. */
function versionFor({ version }: ApiKey, { headers }: FastifyRequest): string {
  const asked = headers['ntalo-version'] ?? version
  if (apiVersions.some((each) => each === asked)) return String(asked)
  throw new AppError(
    'invalid',
    `Ntalo-Version\u00a0: une version connue est attendue (${apiVersions.join(', ')}).`,
  )
}

// The client disconnected while the request was queued, so this message is never read.
const abandoned = () => new AppError('invalid', 'La demande a été abandonnée.')

/** The actor, and the rest of the time limit (ms) of the response; the time to receive the body does not count. */
type Caller = { actor: Actor | null; leftMs: number }

/** An endpoint with `media`, whose handler returns bytes. */
type Stream = { response: typeof bytes } & Endpoint

function describeResponse(
  description: string,
  schema: z.ZodType,
  media: readonly string[] = ['application/json'],
) {
  return { description, content: Object.fromEntries(media.map((type) => [type, { schema }])) }
}

/** Returns the actor of an endpoint that is not 'public', where authorisation has already refused visitors. */
export function signedIn(actor: Actor | null): Actor {
  if (!actor) {
    throw new Error('an endpoint that needs a session was declared public')
  }
  return actor
}
