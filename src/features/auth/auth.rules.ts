/**
 * Comes and goes with the cookie that opens a session, which no script can read: without it there is none to ask for.
 * It proves nothing.
 */
export const signedInCookie = 'ntalo_signed_in'

/** Whether it is worth asking the server for a session. */
export function maySignIn(cookies: string): boolean {
  return cookies.split(/;\s*/).includes(`${signedInCookie}=1`)
}
