import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LogPosition, Replica } from '#server/db/replica.ts'
import { positionHeader } from '#shared/position.ts'

const cookie = 'ntalo_position'
/** Lifetime (s) of the cookie; a replica with a longer lag is not used anyway. */
const rememberedS = 60
/** Used when the position is unknown: after the position of any replica, so reads go to the primary. */
const beyond: LogPosition = 'FFFFFFFF/FFFFFFFF'

/**
 * Sends read requests to the replica. A write returns its log position in a cookie and a header. A later request with
 * the cookie, or with the header (a page notified of a change, a program), sees all data written before the position.
 */
export function readOnReplica(http: FastifyInstance, replica: Replica, isHttps: boolean): void {
  http.addHook('onRequest', (request, _reply, done) => {
    if (isReading(request)) replica.runReading(positionsOf(request), done)
    else done()
  })
  http.addHook('onSend', async (request, reply) => {
    if (isReading(request)) return
    const position = await replica.position().catch(() => beyond)
    reply.header(positionHeader, position)
    reply.setCookie(cookie, position, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isHttps,
      maxAge: rememberedS,
    })
  })
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Reads the positions in the cookie and the header. Cookies are parsed only after this hook, so it is read here. */
function positionsOf({ headers }: FastifyRequest): LogPosition[] {
  const written = new RegExp(`(?:^|; *)${cookie}=([^;]*)`).exec(headers.cookie ?? '')?.[1]
  const sent = headers[positionHeader]
  return [written?.replace('%2F', '/'), sent].filter((each) => typeof each === 'string')
}
