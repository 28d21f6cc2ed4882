import { invalidField } from '#server/errors.ts'
import { commonWords } from '#server/session/common-words.ts'

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
 * Refuses a password that others would try first: few characters repeated, one of a list of leaked ones, the account's own
 * words or common ones with little else. What it may be at most is the contract's affair.
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

/** Letters that digits and signs stand for in « K1nsh@sa ». */
const disguises: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }
const undisguised = (text: string) => text.replaceAll(/[013457@$]/g, (sign) => disguises[sign] ?? sign)

/** Longer than a date: too many to be tried after each word. */
const mostDigitsAdded = 8

// A word that others try first, whatever digits and signs stand beside it.
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
  // The longest first: « aline » must not leave half of « alinembuyi ».
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
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
