/** What a page for visitors with a form is given to show. */
export type VisitorPage = {
  /** What was typed already; never a password. */
  values: Readonly<Record<string, string>>
  notice: { tone: 'error' | 'success'; title?: string | undefined; message: string } | null
  /** Fields refused by name, and what to say of each. */
  faults: Readonly<Record<string, string>>
  /** Google is configured. */
  hasGoogle: boolean
}

/** What is said when the server gave no reason of its own. */
export const failures = {
  login: 'Une erreur est survenue lors de la connexion',
  register: 'Une erreur est survenue lors de l’inscription',
  forgotPassword: 'Une erreur est survenue lors de l’envoi de l’email. Veuillez réessayer.',
  other: 'Une erreur est survenue',
}

/**
 * What a page says of a refusal above its form: nothing when it is of one field on screen, under which the reason stands; of one that
 * is not on screen, the reason alone.
 *
 * @param fields the names of those on screen
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
export const differentPasswords = 'Les mots de passe ne correspondent pas'
export const shortPassword = '8 caractères au moins'
export const passwordHint = '8 caractères au moins. Une phrase courte se retient mieux qu’un mot compliqué.'
/** The same whether the account exists or not. */
export const forgotten = 'Si un compte existe avec cet email, vous recevrez un lien de réinitialisation.'
/** How long (s) the answer to a forgotten password is shown before the sign-in page comes back. */
export const forgottenAfterS = 2
