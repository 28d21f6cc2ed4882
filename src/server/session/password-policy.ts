import { invalidField } from '#server/errors.ts'

const shortestOwnWord = 3
const fewestOtherLetters = 4

let leaked: Promise<ReadonlySet<string>> | undefined

/** The commonest passwords of those that leaked, without regard to case; read when the first is asked for. */
function leakedPasswords(): Promise<ReadonlySet<string>> {
  leaked ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((each) => String(each).toLowerCase())),
  )
  return leaked
}

/**
 * Refuses a password that others would try first: one of a list of leaked ones, or the account's own words with little
 * else. Its length is the contract's affair.
 *
 * @param ownWords name and e-mail address of the account
 * @throws AppError 400 under `field`
 */
export async function refuseWeakPassword(
  password: string,
  ownWords: readonly string[],
  field = 'password',
): Promise<void> {
  const typed = password.normalize('NFKC').toLowerCase()
  if ((await leakedPasswords()).has(typed)) {
    throw invalidField(
      field,
      'Ce mot de passe figure dans les listes de mots de passe volés. Choisissez-en un autre.',
    )
  }
  if (isMadeOf(typed, ownWords)) {
    throw invalidField(
      field,
      'Ce mot de passe est fait de votre nom ou de votre adresse. Choisissez-en un autre.',
    )
  }
}

function isMadeOf(password: string, ownWords: readonly string[]): boolean {
  const words = [...ownWords, 'ntalo']
    .flatMap((each) => folded(each).split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= shortestOwnWord)
    // The longest first: « aline » must not leave half of « alinembuyi ».
    .sort((a, b) => b.length - a.length)
  const before = folded(password)
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), before)
  return rest !== before && rest.replaceAll(/[^\p{L}]/gu, '').length < fewestOtherLetters
}

function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
