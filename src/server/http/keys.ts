import type { IncomingHttpHeaders } from 'node:http'
import { isApiKey } from '#server/session/api-keys.ts'

/** Returns the API key of a request, from Bearer or the Basic user name (for spreadsheets); the key may be invalid. */
export function keyOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const [, scheme = '', given = ''] = /^(Bearer|Basic) ([\w+/=-]{1,200})$/i.exec(authorization) ?? []
  const text =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(given, 'base64').toString('latin1').split(':', 1)[0]
      : given
  return text && isApiKey(text) ? text : undefined
}
