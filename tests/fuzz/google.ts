// Google in the fuzzed world, and requests that return from Google.

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { createGoogle } from '#features/auth/google/google.gateway.ts'
import { insertLink } from '#features/auth/links.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { createLog } from '#server/log.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'
import { newSecret, stepAt, totpOf } from '#server/session/totp.ts'
import { openidClient, openidServer } from '../support/openid-server.ts'
import { insertAccount } from '../support/server.ts'
import type { FuzzRequest } from './requests.ts'

const people = 12
// Without the port that inject adds, which no browser sends.
const host = 'localhost'

export async function fuzzedGoogle(db: Db) {
  const provider = await openidServer()
  let asked = 0

  /** Returns the query that Google redirects a browser with, and the cookie of that browser. */
  async function visit(http: FastifyInstance): Promise<{ query: string; cookie: string }> {
    const begun = await http.inject({ url: '/api/auth/google/initiate', headers: { host } })
    const person = asked % people
    provider.person = {
      sub: `google-${person}`,
      email: `google-${person}@exemple.cd`,
      email_verified: person > 0,
    }
    const there = await fetch(begun.json<{ redirect_url: string }>().redirect_url, { redirect: 'manual' })
    return {
      query: new URL(there.headers.get('location') ?? '').search,
      cookie: begun.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    }
  }

  /** Signs a user in with Google up to the request for the second factor; returns the code and the cookie. */
  async function halfWay(): Promise<{ code: string; cookie: string }> {
    const userId = await insertAccount(db, { roles: ['user'] })
    const secret = newSecret()
    await sql`insert into second_factor (user_id, secret, confirmed_at) values (${userId}, ${secret}, now())`.execute(
      db,
    )
    const step = newToken()
    await insertLink(db, {
      hash: hashToken(step),
      userId,
      email: 'personne@exemple.cd',
      purpose: 'google',
      lifetimeS: 600,
    })
    const stash = Buffer.from(JSON.stringify({ step, goTo: '/prices' })).toString('base64url')
    return { code: totpOf(secret, stepAt(Date.now())), cookie: `ntalo_google=${stash}` }
  }

  return {
    google: createGoogle({ issuer: provider.url, ...openidClient, log: createLog('silent') }),
    close: provider.close,
    /** Makes every second request that returns from Google valid. */
    async comingBack(http: FastifyInstance, request: FuzzRequest): Promise<FuzzRequest> {
      const { path, method } = request.operation
      if (!path.includes('/auth/google/') || request.method !== method || asked++ % 2 > 0) return request
      if (path.endsWith('/callback')) {
        const { query, cookie } = await visit(http)
        return { ...request, url: path + query, headers: { ...request.headers, host, cookie } }
      }
      if (!path.endsWith('/second-step')) return request
      const { code, cookie } = await halfWay()
      const headers = { ...request.headers, 'content-type': 'application/json', cookie }
      return { ...request, url: path, headers, body: JSON.stringify({ code }) }
    },
  }
}
