import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { GoogleAttempt } from '#features/auth/google/google.rules.ts'
import { parseJson } from '#shared/parse-json.ts'

const attemptLifetimeS = 10 * 60
const googleAttempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  goTo: z.string(),
})
const secondStep = z.object({ step: z.string(), goTo: z.string() })

/**
 * Stores the state of a sign-in in a cookie while the browser is at Google, or while the user looks for a second
 * factor, so that only that browser can continue.
 */
export function openStash(isHttps: boolean) {
  const name = isHttps ? '__Host-ntalo_google' : 'ntalo_google'
  const options: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps }
  const keep = (reply: FastifyReply, content: object) =>
    reply.setCookie(name, Buffer.from(JSON.stringify(content)).toString('base64url'), {
      ...options,
      maxAge: attemptLifetimeS,
    })
  const read = <T>(request: FastifyRequest, shape: z.ZodType<T>): T | undefined => {
    const text = Buffer.from(request.cookies[name] ?? '', 'base64url').toString()
    // Undefined for no cookie, or a malformed one.
    return shape.safeParse(parseJson(text)).data
  }
  return {
    keepAttempt: (reply: FastifyReply, attempt: GoogleAttempt) => keep(reply, attempt),
    attemptOf: (request: FastifyRequest) => read(request, googleAttempt),
    keepStep: (reply: FastifyReply, step: z.infer<typeof secondStep>) => keep(reply, step),
    stepOf: (request: FastifyRequest) => read(request, secondStep),
    clear: (reply: FastifyReply) => reply.clearCookie(name, options),
  }
}
