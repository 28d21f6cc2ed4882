import { invalidField } from '#server/errors.ts'
import { commonWords } from '#server/session/common-words.ts'
import { withoutAccents } from '#shared/accents.ts'

const shortestOwnWord = 3
const fewestOtherLetters = 4

let leaked: Promise<ReadonlySet<string>> | undefined

/** Returns the most common leaked passwords in lower case; loaded at the first call. */
function leakedPasswords(): Promise<ReadonlySet<string>> {
  leaked ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((each) => String(each).toLowerCase())),
  )
  return leaked
}

/**
 * Refuses an easily guessed password: repeated characters, a leaked password, or little more than words of the account
 * or common words. The contract limits its maximum length.
 *
 * @param ownWords name and e-mail address of the account
 * @throws AppError 400 under `field`
 */
export async function refuseWeakPassword(
  password: string,
  ownWords: readonly string[],
  field = 'password',
): Promise<void> {
  const typed = visible(password.normalize('NFKC').toLowerCase())
  if ([...typed].length < fewestVisible) throw invalidField(field, '8 caractères visibles au moins')
  if (new Set(typed.replaceAll(/\s/g, '')).size < fewestDifferent || repetition.test(typed)) {
    throw invalidField(field, 'Ce mot de passe répète les mêmes caractères. Choisissez-en un autre.')
  }
  const leakedOnes = await leakedPasswords()
  if (leakedOnes.has(typed) || leakedOnes.has(typed.replaceAll(/\s/g, ''))) {
    throw invalidField(
      field,
      'Ce mot de passe figure dans les listes de mots de passe volés. Choisissez-en un autre.',
    )
  }
  if (ownWords.some((each) => folded(each.trim()) === folded(typed)) || isMadeOf(typed, ownWords)) {
    throw invalidField(
      field,
      'Ce mot de passe est fait de votre nom ou de votre adresse. Choisissez-en un autre.',
    )
  }
  if (isCommon(typed) || leakedOnes.has(withoutDigitsAround(typed))) {
    throw invalidField(
      field,
      'Ce mot de passe est fait d’un mot courant\u00a0: il serait vite deviné. Choisissez-en un autre.',
    )
  }
}

const fewestVisible = 8
const fewestDifferent = 5
// « abcdabcd », « kinkinkin ».
const repetition = /^(.{1,7}?)\1+$/u
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu
const visible = (text: string) => text.replaceAll(invisible, '').trim()

/** Letters that digits and signs replace, as in « K1nsh@sa ». */
const disguises: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }
const undisguised = (text: string) => text.replaceAll(/[013457@$]/g, (sign) => disguises[sign] ?? sign)

/** Maximum number of digits around a common word; more digits than a date make guessing too long. */
const mostDigitsAdded = 8

// Whether a password is a common word with digits and signs around it.
function isCommon(password: string): boolean {
  const plain = folded(password)
  return [plain, undisguised(plain), plain.replaceAll(/\s/g, '')].some((each) => {
    const rest = byLength(commonWords).reduce((left, word) => left.replaceAll(word, ' '), each)
    const digits = rest.replaceAll(/\P{N}/gu, '').length
    return rest !== each && lettersOf(rest).length < fewestOtherLetters && digits <= mostDigitsAdded
  })
}

function withoutDigitsAround(password: string): string {
  const word = password.replaceAll(/^[^\p{L}]{0,8}|[^\p{L}]{0,8}$/gu, '')
  return word.length >= 4 ? word : ''
}

const byLength = (words: readonly string[]) => words.toSorted((a, b) => b.length - a.length)
const lettersOf = (text: string) => text.replaceAll(/[^\p{L}]/gu, '')

function isMadeOf(password: string, ownWords: readonly string[]): boolean {
  // Longest words first, so that « aline » does not leave half of « alinembuyi ».
  const words = byLength(
    [...ownWords, 'ntalo']
      .flatMap((each) => folded(each).split(/[^\p{L}\p{N}]+/u))
      .filter((word) => word.length >= shortestOwnWord),
  )
  const before = folded(password)
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), before)
  return rest !== before && lettersOf(rest).length < fewestOtherLetters
}

function folded(text: string): string {
  return withoutAccents(text).toLowerCase()
}
