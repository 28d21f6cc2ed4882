import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

type Person = { sub: string; email: string; email_verified: boolean; name?: string; picture?: string }

type Grant = { person: Person; nonce: string; challenge: string; redirectUri: string }

export const openidClient = { clientId: 'ntalo-essai', clientSecret: 'un secret que personne ne lit' }

/**
 * Starts an OpenID Connect provider in Google's place: discovery, authorization, tokens and keys. It signs in any
 * `person` at once, and accepts each code once. `tamper` changes the claims that it signs.
 */
export async function openidServer() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const grants = new Map<string, Grant>()
  const provider = {
    url: '',
    person: { sub: '1', email: 'quelquun@exemple.cd', email_verified: true } as Person,
    tamper: (claims: object): object => claims,
    /** Body of the response at `/picture`. */
    picture: Buffer.alloc(0),
    /** When false, the provider does not answer. */
    isUp: true,
    close: () => {
      http.close()
    },
  }

  const http = createServer((request, response) => {
    if (!provider.isUp) {
      request.socket.destroy()
      return
    }
    const url = new URL(request.url ?? '/', provider.url)
    const json = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') return json(metadataOf(provider.url))
    if (url.pathname === '/keys') {
      return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'un', use: 'sig', alg: 'RS256' }] })
    }
    if (url.pathname === '/picture') return response.end(provider.picture)
    if (url.pathname === '/authorize') {
      const code = randomBytes(16).toString('hex')
      const asked = (name: string) => url.searchParams.get(name) ?? ''
      grants.set(code, {
        person: provider.person,
        nonce: asked('nonce'),
        challenge: asked('code_challenge'),
        redirectUri: asked('redirect_uri'),
      })
      const back = new URL(asked('redirect_uri'))
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked('state'))
      return response.writeHead(303, { location: back.href }).end()
    }
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const form = new URLSearchParams(text)
      const code = form.get('code') ?? ''
      const grant = grants.get(code)
      grants.delete(code)
      const verifier = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (!grant || verifier !== grant.challenge || form.get('redirect_uri') !== grant.redirectUri) {
        return json({ error: 'invalid_grant' }, 400)
      }
      const now = Math.floor(Date.now() / 1000)
      const { person, nonce } = grant
      const claims = {
        iss: provider.url,
        aud: openidClient.clientId,
        iat: now,
        exp: now + 300,
        nonce,
        ...person,
      }
      return json({
        access_token: randomBytes(16).toString('hex'),
        token_type: 'Bearer',
        expires_in: 300,
        id_token: signed(provider.tamper(claims)),
      })
    })
  })

  function signed(claims: object): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const content = `${part({ alg: 'RS256', kid: 'un', typ: 'JWT' })}.${part(claims)}`
    return `${content}.${createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url')}`
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  provider.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return provider
}

function metadataOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  }
}
