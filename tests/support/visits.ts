import { hashPassword } from '#server/session/passwords.ts'
import type { testServer } from './server.ts'
import { insertAccount } from './server.ts'

export const password = 'un mot de passe assez long'

/** Requests that browsers send to sign in and stay signed in. */
export async function visitsTo(server: Awaited<ReturnType<typeof testServer>>) {
  const passwordHash = await hashPassword(password)
  let people = 0

  return {
    async person(more: { status?: string; roles?: string[]; ageDays?: number } = {}) {
      people += 1
      const [email, name] = [`personne-${people}@exemple.cd`, `Personne ${people}`]
      const account = { roles: ['user'], passwordHash, email, name, ...more }
      return { id: await insertAccount(server.db, account), email }
    },

    signIn: (email: string, typed = password, headers: Record<string, string> = {}) =>
      server.visitor.send('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ email, password: typed }),
      }),

    renew: (cookie: string, agent = 'node') =>
      server.visitor.send('/api/auth/refresh', { method: 'POST', headers: { cookie, 'user-agent': agent } }),

    /** Returns the journal of a user's sessions, in order. */
    async journalOf(userId: number): Promise<string[]> {
      const { rows } = await server.pool.query(
        `select action from audit_entry where entity = 'session' and entity_id = $1 and request_id is not null order by id`,
        [userId],
      )
      return rows.map(({ action }) => action)
    },
  }
}

/** Returns the refresh cookie that a response sets. */
export const cookieOf = (answer: { headers: Headers }) => cookieNamed('ntalo_refresh', answer)

/** Returns the cookie that identifies the browser. */
export const deviceOf = (answer: { headers: Headers }) => cookieNamed('ntalo_device', answer)

function cookieNamed(name: string, answer: { headers: Headers }): string {
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith(`${name}=`))
  return cookie?.split(';')[0] ?? ''
}

export const read = (answer: { body: unknown }) =>
  answer.body as Record<string, never> & { message: string; token: string }
