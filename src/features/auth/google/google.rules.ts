// No schema here: visitors' pages import their words from this file, and must not load zod.

/** State of a sign-in, kept in the browser while it is at Google. */
export type GoogleAttempt = { state: string; nonce: string; verifier: string; goTo: string }

/** The identity that Google gives. */
export type GooglePerson = {
  /** Google's permanent identifier of the account. */
  sub: string
  email: string
  isVerified: boolean
  name: string
  /** Address of the picture at Google; null when there is none, or it is hosted elsewhere. */
  picture: string | null
}

/** The port to Google; a substitute speaks OpenID Connect. */
export type Google = {
  /** @throws when Google does not respond */
  begin(redirectUri: string): Promise<{ url: string; attempt: Omit<GoogleAttempt, 'goTo'> }>
  /**
   * @param callbackUrl the address that Google redirected to, with its parameters
   * @returns null when Google, or a check of its response, refuses
   * @throws when Google does not respond
   */
  finish(callbackUrl: URL, attempt: GoogleAttempt): Promise<GooglePerson | null>
}

export const googleWords = {
  cannotStart: 'Impossible de démarrer la connexion avec Google. Veuillez réessayer.',
  failed: 'Impossible de se connecter avec Google. Veuillez réessayer.',
  nothingGiven: 'Aucun jeton, utilisateur ou code d’autorisation trouvé',
  notConfigured: 'La connexion avec Google n’est pas configurée sur ce serveur.',
}
