import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LogPosition, Replica } from '#server/db/replica.ts'
import { positionHeader } from '#shared/position.ts'

const cookie = 'ntalo_position'
/** A replica that is later than this is left out anyway. */
const rememberedS = 60
/** Where the position is not known: more than any replica holds. */
const beyond: LogPosition = 'FFFFFFFF/FFFFFFFF'

/**
 * Sends the reads of requests to the replica. Who has written carries the position of that in a cookie, and a page that was
 * told of a change, or a program, the position in a header: both are shown what was written before it, by every process.
 */
export function readOnReplica(http: FastifyInstance, replica: Replica, isHttps: boolean): void {
  http.addHook('onRequest', (request, _reply, done) => {
    if (isReading(request)) replica.reading(positionsOf(request), done)
    else done()
  })
  http.addHook('onSend', async (request, reply) => {
    if (isReading(request)) return
    const position = await replica.position().catch(() => beyond)
    reply.header(positionHeader, position)
    reply.setCookie(cookie, position, {
      ...{ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps, maxAge: rememberedS },
    })
  })
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** What its cookie and its header say. The cookie is read here: others are only read after this hook. */
function positionsOf({ headers }: FastifyRequest): LogPosition[] {
  const written = new RegExp(`(?:^|; *)${cookie}=([^;]*)`).exec(headers.cookie ?? '')?.[1]
  const sent = headers[positionHeader]
  return [written?.replace('%2F', '/'), sent].filter((each) => typeof each === 'string')
}
