import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Answer } from '../fuzz/answers.ts'

/** The answer to a request without a connection; of a stream of events, which has no end, how it begins. */
export async function inject(http: FastifyInstance, options: InjectOptions): Promise<Answer> {
  const answer = await http.inject({ ...options, payloadAsStream: true })
  const { statusCode, headers, raw } = answer
  if (String(headers['content-type']).startsWith('text/event-stream')) {
    raw.res.destroy()
    return { statusCode, headers, rawPayload: Buffer.alloc(0) }
  }
  return { statusCode, headers, rawPayload: Buffer.concat(await answer.stream().toArray()) }
}
