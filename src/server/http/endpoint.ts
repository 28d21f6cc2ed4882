import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Actor, type Authenticate, authorise } from '#server/http/actor.ts'
import { readForm } from '#server/http/form.ts'
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf, Right } from '#shared/contract.ts'
import { type bytes, problem } from '#shared/contract.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    right?: Right
  }
}

/** What a handler gets: validated input, and who asks. */
export type Call<E extends Endpoint> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** Null only on public endpoints. */
  actor: Actor | null
  request: FastifyRequest
  reply: FastifyReply
}

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E>>

/** What feature routes register on. */
export type Api = {
  /** Serves an endpoint: authenticates, authorises, validates, answers by its contract. */
  on<E extends Endpoint>(endpoint: E, handler: Handler<E>): void
}

export function createApi(http: FastifyInstance, authenticate: Authenticate): Api {
  return {
    on(endpoint, handler) {
      const { file, media, status = 200 } = endpoint
      const actors = new WeakMap<FastifyRequest, Actor | null>()
      http.route({
        method: endpoint.method,
        url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { right: endpoint.right },
        // Asked for the head of a stream, Fastify would make all of it and throw it away.
        ...(media && { exposeHeadRoute: false }),
        schema: {
          summary: endpoint.summary,
          ...(endpoint.params && { params: endpoint.params }),
          ...(endpoint.query && { querystring: endpoint.query }),
          ...(endpoint.body && !endpoint.multipart && { body: endpoint.body }),
          ...(endpoint.multipart && { consumes: ['multipart/form-data'] }),
          ...(file && { consumes: ['multipart/form-data', 'application/json'] }),
          response: {
            [status]: media ? describeBytes(media) : endpoint.response,
            '4xx': problem,
            '5xx': problem,
          },
        },
        // Before the body is read: a refused upload is not received.
        onRequest: async (request) => {
          const actor = endpoint.right === 'public' ? null : await authenticate(request)
          authorise(actor, endpoint)
          actors.set(request, actor)
        },
        ...(file && {
          preValidation: async (request) => {
            if (request.isMultipart()) request.body = await readForm(request, file)
          },
        }),
        handler: async (request, reply) => {
          const call = {
            params: request.params,
            query: request.query,
            body: request.body,
            actor: actors.get(request) ?? null,
            request,
            reply,
          }
          reply.status(status)
          // The schemas above have made the parts what the contract's types say.
          const answer = await handler(call as Call<typeof endpoint>)
          return media ? Readable.from(answer as AnswerOf<Stream>, { objectMode: false }) : answer
        },
      })
    },
  }
}

/** An endpoint with `media`: what its handler gives is bytes. */
type Stream = { response: typeof bytes } & Endpoint

function describeBytes(media: readonly string[]) {
  return { content: Object.fromEntries(media.map((type) => [type, { schema: z.string() }])) }
}

/** The actor of an endpoint whose right is not 'public': authorisation has already refused the others. */
export function signedIn(actor: Actor | null): Actor {
  if (!actor) {
    throw new Error('an endpoint that needs a session was declared public')
  }
  return actor
}
