// No schema here: visitors' pages take their words from this file, and load none.

/** What a browser keeps of a sign-in while it is at Google. */
export type GoogleAttempt = { state: string; nonce: string; verifier: string; goTo: string }

/** What Google says of somebody. */
export type GooglePerson = {
  /** Google's own identifier of the account, for good. */
  sub: string
  email: string
  isVerified: boolean
  name: string
  /** Where his picture is, at Google; null when he has none, or it is elsewhere. */
  picture: string | null
}

/** What is asked of Google; a substitute speaks OpenID Connect. */
export type Google = {
  /** @throws when Google does not answer */
  begin(redirectUri: string): Promise<{ url: string; attempt: Omit<GoogleAttempt, 'goTo'> }>
  /**
   * @param callbackUrl where Google has sent the browser, with what it added
   * @returns null when Google, or a check of its answer, refuses
   * @throws when Google does not answer
   */
  finish(callbackUrl: URL, attempt: GoogleAttempt): Promise<GooglePerson | null>
}

export const googleWords = {
  cannotStart: 'Impossible de démarrer la connexion avec Google. Veuillez réessayer.',
  failed: 'Impossible de se connecter avec Google. Veuillez réessayer.',
  nothingGiven: 'Aucun jeton, utilisateur ou code d’autorisation trouvé',
  notConfigured: 'La connexion avec Google n’est pas configurée sur ce serveur.',
}
