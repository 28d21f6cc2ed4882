import * as oidc from 'openid-client'
import type { Google } from '#features/auth/google/google.rules.ts'
import type { Log } from '#server/log.ts'
import { parseUrl } from '#shared/parse-url.ts'

const usualTimeoutMs = 10_000

/**
 * Creates the Google client: authorization code with PKCE, state and nonce; the signature of the identity token is
 * verified.
 */
export function createGoogle(options: {
  issuer: string
  clientId: string
  clientSecret: string
  log: Log
  timeoutMs?: number
}): Google {
  const { issuer, clientId, clientSecret, log, timeoutMs = usualTimeoutMs } = options
  let cached: Promise<oidc.Configuration> | null = null

  // Fetched once; a failure is not cached, so that the next sign-in tries again.
  function configuration(): Promise<oidc.Configuration> {
    cached ??= oidc
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: timeoutMs / 1000,
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        cached = null
        throw error
      })
    return cached
  }

  return {
    async begin(redirectUri) {
      const config = await configuration()
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
      })
      return { url: url.href, attempt }
    },

    async finish(callbackUrl, attempt) {
      const config = await configuration()
      try {
        const tokens = await oidc.authorizationCodeGrant(config, callbackUrl, {
          pkceCodeVerifier: attempt.verifier,
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (typeof claims?.email !== 'string') return null
        const { sub, email, email_verified, name, picture } = claims
        return {
          sub,
          email,
          // Some providers send it as text.
          isVerified: email_verified === true || email_verified === 'true',
          name: typeof name === 'string' && name.trim() ? name.trim().slice(0, 200) : email,
          picture: typeof picture === 'string' ? pictureAt(picture, new URL(issuer)) : null,
        }
      } catch (error) {
        if (!isRefusal(error)) throw error
        log.warn({ reason: error.code ?? error.name }, 'a sign-in with Google is refused')
        return null
      }
    },
  }
}

// Hosts of the pictures of Google accounts.
const pictureHosts = /\.googleusercontent\.com$/

/** Returns the address of a picture hosted by the provider, over the same protocol; null for any other. */
function pictureAt(address: string, issuer: URL): string | null {
  const url = parseUrl(address)
  if (!url) return null
  const { protocol, host, username, href } = url
  const isItsOwn = host === issuer.host || (issuer.host === 'accounts.google.com' && pictureHosts.test(host))
  return isItsOwn && protocol === issuer.protocol && username === '' && href.length <= 2000 ? href : null
}

/** Returns whether Google refused or its response is invalid; false means that no response came. */
function isRefusal(error: unknown): error is Error & { code?: string } {
  if (!(error instanceof Error)) return false
  const isNoAnswer =
    error.name === 'TimeoutError' ||
    error.name === 'TypeError' ||
    ('code' in error && error.code === 'OAUTH_TIMEOUT')
  return !isNoAnswer
}
