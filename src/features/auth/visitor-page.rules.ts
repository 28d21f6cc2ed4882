/** Data of a visitor's page with a form. */
export type VisitorPage = {
  /** Values typed before; never a password. */
  values: Readonly<Record<string, string>>
  notice: { tone: 'error' | 'success'; title?: string | undefined; message: string } | null
  /** Error messages of refused fields, by name. */
  faults: Readonly<Record<string, string>>
  /** Whether Google is configured. */
  hasGoogle: boolean
}

/** Messages used when the server gave none. */
export const failures = {
  login: 'Une erreur est survenue lors de la connexion',
  register: 'Une erreur est survenue lors de l’inscription',
  forgotPassword: 'Une erreur est survenue lors de l’envoi de l’email. Veuillez réessayer.',
  other: 'Une erreur est survenue',
}

/**
 * Returns the notice above the form for a refusal. If a single field is refused: null when it is on screen, since the
 * reason is under it; otherwise only the reason.
 * @param fields names of the fields on screen
 */
export function noticeOf(
  message: string,
  faults: Readonly<Record<string, string>>,
  fields: readonly string[],
): string | null {
  const [only, ...others] = Object.entries(faults)
  if (!only || others.length > 0) return message
  return fields.includes(only[0]) ? null : only[1]
}

export const incompleteLink = 'Ce lien est incomplet. Ouvrez-le depuis l’e-mail, ou demandez-en un autre.'
export const emptyFields = 'Veuillez remplir tous les champs'
export const secondStepTitle = 'Vérification en deux étapes'
export const differentPasswords = 'Les mots de passe ne correspondent pas'
export const shortPassword = '8 caractères au moins'
export const passwordHint = '8 caractères au moins. Une phrase courte se retient mieux qu’un mot compliqué.'
/** The same message whether the account exists or not. */
export const forgotten = 'Si un compte existe avec cet email, vous recevrez un lien de réinitialisation.'
/** How long (s) the response to a forgotten password is shown before the sign-in page. */
export const forgottenAfterS = 2
