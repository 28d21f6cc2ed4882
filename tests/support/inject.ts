import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Answer } from '../fuzz/answers.ts'

/** Returns the response to a request without a connection; for a stream of events, which never ends, its beginning. */
export async function inject(http: FastifyInstance, options: InjectOptions): Promise<Answer> {
  const answer = await http.inject({ ...options, payloadAsStream: true })
  const { statusCode, headers, raw } = answer
  if (String(headers['content-type']).startsWith('text/event-stream')) {
    raw.res.destroy()
    return { statusCode, headers, rawPayload: Buffer.alloc(0) }
  }
  return { statusCode, headers, rawPayload: Buffer.concat(await answer.stream().toArray()) }
}
