import { z } from 'zod'
import { ambiguityOf, readAmount } from '#shared/amounts.ts'
import { withoutInvisible } from '#shared/invisible.ts'

/** Largest PostgreSQL integer; no row has a larger id. */
const maxId = 2_147_483_647

/** Format of the token of a link: excludes the characters of an address that the database cannot store. */
export const tokenInAddress = /^[\w-]{1,64}$/

// NUL and lone surrogates cannot be stored, other control characters would break exports and mails, and bidirectional
// control characters make a text look like another.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused here
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/

// With the flag `u`, a pair of surrogates is one character, so that only lone ones match.
const loneSurrogate = /\p{Surrogate}/u

const kept = (value: string) => !loneSurrogate.test(value) && !value.includes('\0')
const printable = (value: string) => !loneSurrogate.test(value) && !unprintable.test(value)
// U+FFFD replaces bytes that were not UTF-8: the original letters are lost.
const storable = (value: string) => printable(value) && !value.includes('\ufffd')
const unprintableMessage = 'Ce texte contient des caractères qui ne peuvent pas être enregistrés'

// Collapses any blanks (repeated spaces, no-break spaces, line breaks) to one space, so that « Bel Air » is always the
// same text.
const inOneLine = (value: string) => withoutInvisible(value).replaceAll(/\s+/g, ' ')

// Matches a text with a visible character: not only spaces and combining marks.
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

const required = (max: number, asKept: (value: string) => string) =>
  z
    .string({ error: ({ input }) => (input == null ? 'Ce champ est obligatoire' : 'Un texte est attendu') })
    .refine(storable, { error: unprintableMessage, abort: true })
    .overwrite(asKept)
    .normalize()
    .trim()
    .min(1, { error: 'Ce champ est obligatoire', abort: true })
    .max(max, `${max} caractères au plus`)
    .refine((value) => visible.test(value), 'Ce champ est obligatoire')

/** A required text of one line, normalised (single spaces, NFC), of 1 to `max` characters, at least one visible. */
export const text = (max: number) => required(max, inOneLine)

/** A required text of several lines, with its spaces and line breaks unchanged. */
export const prose = (max: number) => required(max, withoutInvisible)

/** A text of at most `max` characters, unchanged: only what cannot be stored is refused. */
export const verbatim = (max: number) =>
  z.string('Un texte est attendu').refine(kept, unprintableMessage).max(max, `${max} caractères au plus`)

/** End of the addresses that closed accounts get; nobody else may have one. */
export const closedDomain = '@compte.invalid'

/** An e-mail address, trimmed, with its case unchanged; addresses are compared case-insensitively. */
export const emailAddress = text(254).pipe(
  z
    .email('Adresse e-mail invalide')
    .refine((value) => !value.toLowerCase().endsWith(closedDomain), 'Adresse e-mail invalide')
    .meta({ format: 'email' }),
)

/** A new password, not normalised: spaces and unusual characters are significant. */
export const newPassword = z
  .string({ error: ({ input }) => (input == null ? 'Ce champ est obligatoire' : 'Un texte est attendu') })
  .refine(kept, { error: unprintableMessage, abort: true })
  .min(1, { error: 'Ce champ est obligatoire', abort: true })
  .min(8, '8 caractères au moins')
  .max(1000, '1000 caractères au plus')

/** The current password, required to confirm a change of how the user signs in. */
export const currentPassword = z.string('Un texte est attendu').max(1000, '1000 caractères au plus').nullish()

/** A code from an authenticator application, or a recovery code. */
export const secondFactorCode = z.string('Un texte est attendu').max(50, '50 caractères au plus').nullish()

const optional = (max: number, asKept: (value: string) => string) =>
  z
    .string('Un texte est attendu')
    .refine(storable, unprintableMessage)
    .overwrite(asKept)
    .normalize()
    .trim()
    .max(max, `${max} caractères au plus`)
    .transform((value) => value || null)
    .nullish()

/** An optional text of one line: absent, null and blank all mean null. */
export const optionalText = (max: number) => optional(max, inOneLine)

/** An optional text of several lines. */
export const optionalProse = (max: number) => optional(max, withoutInvisible)

/**
 * Converts a text of digits to a number, with a comma or a point as the decimal mark, and returns any other value
 * unchanged: forms and multipart send numbers as text, while true, [5] and '0x10' are not numbers.
 */
export const fromDigits = (value: unknown) => {
  if (typeof value !== 'string') return value
  const digits = withoutInvisible(value).trim()
  return /^-?\d+([.,]\d+)?$/.test(digits) ? Number(digits.replace(',', '.')) : value
}

/** An optional number in a body; absent, null and an empty field all mean absent. */
export function optionalNumber(inner: z.ZodNumber) {
  const read = (value: unknown) => (isAbsent(value) ? undefined : fromDigits(value))
  return z.preprocess(read, inner.optional()).optional()
}

/** OpenAPI description of a number in a path, which is text. */
const wholeNumber = { type: 'integer', pattern: undefined }

/** The id of another row, in a body. */
export function reference(message = 'Ce champ est obligatoire') {
  return z.preprocess(
    fromDigits,
    z.number(message).int({ error: message, abort: true }).min(1, message).max(maxId, message),
  )
}

/** Ids of other rows, without duplicates. */
export const idList = z
  .array(reference('Identifiant invalide'), 'Une liste est attendue')
  .max(200, '200 au plus')
  .transform((ids) => [...new Set(ids)])

/** An id in a path. Digits beyond the largest id are valid and lead to a 404. */
export const idParams = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/, 'Identifiant invalide')
    .meta({ ...wholeNumber, minimum: 0 })
    .transform(Number),
})

/** Reads an empty field of a form as null, or as absent. */
export const blankIs = (meaning: null | undefined) => (value: unknown) => (value === '' ? meaning : value)

/** An optional query parameter; an empty one (`?name=`), as HTML forms send, counts as absent. */
export function optionalQuery<T extends z.ZodType>(inner: T) {
  return z.preprocess(blankIs(undefined), inner.optional())
}

/** An optional choice in a query with a default value, which OpenAPI documents. */
export function optionalChoice<T extends z.ZodEnum>(choice: T, otherwise: z.output<T>) {
  return optionalQuery(choice.meta({ default: otherwise })).transform((value) => value ?? otherwise)
}

/** An optional `true` or `false` in a query. */
export const flagFilter = optionalQuery(
  z.enum(['true', 'false'], 'true ou false est attendu').transform((value) => value === 'true'),
)

export const searchText = optionalQuery(
  z
    .string('Un seul texte est attendu')
    .refine(printable, unprintableMessage)
    .max(200, '200 caractères au plus')
    .overwrite(inOneLine)
    .trim()
    .transform((value) => value || undefined),
)

export const idFilter = optionalQuery(
  z
    .string('Identifiant invalide')
    .regex(/^\d{1,15}$/, 'Identifiant invalide')
    .meta({ ...wholeNumber, minimum: 0 })
    .transform(Number),
)

/** Converts a number written by a person to digits; returns any other or ambiguous value unchanged. */
const asTyped = (value: unknown) => {
  const plain = typeof value === 'string' ? readAmount(value)?.plain : null
  return plain == null ? value : Number(plain)
}

const notANumber = (input: unknown, otherwise: string) =>
  (typeof input === 'string' && ambiguityOf(input)) || otherwise

export const amountFilter = optionalQuery(
  z
    .string('Nombre attendu')
    .transform((value) => readAmount(value)?.plain ?? value)
    .pipe(
      z.string().regex(/^\d{1,12}(\.\d{1,2})?$/, {
        error: ({ input }) => notANumber(input, 'Nombre attendu, avec deux décimales au plus'),
      }),
    )
    .transform(Number),
)

function isCalendarDay(value: string): boolean {
  const parsed = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value)
}

const firstDay = '1900-01-01'
const lastDay = '2199-12-31'

/** A calendar day, `yyyy-mm-dd`. */
const day = z
  .string('Date attendue (aaaa-mm-jj)')
  .regex(/^\d{4}-\d\d-\d\d$/, { error: 'Date attendue (aaaa-mm-jj)', abort: true })
  .refine(isCalendarDay, 'Cette date n’existe pas')
  .meta({ format: 'date', pattern: undefined })

/** A calendar day in a body, between 1900 and 2199. */
export const dayInput = day.refine(
  (value) => value >= firstDay && value <= lastDay,
  'Date attendue entre 1900 et 2199',
)

/**
 * An optional bound of a period, limited to the years 1900 to 2199, outside which nothing is stored: « 9999-12-31 »
 * means no bound.
 */
export const dayFilter = optionalQuery(
  day.transform((value) => (value < firstDay ? firstDay : value > lastDay ? lastDay : value)),
)

export type DayRange = { startDate?: string | undefined; endDate?: string | undefined }

/** Whether a period does not end before it starts. */
export function inOrder({ startDate, endDate }: DayRange): boolean {
  return !startDate || !endDate || startDate <= endDate
}
export const reversedPeriod = { path: ['endDate'], error: 'La date de fin précède la date de début' }

/** An instant from the server, ISO 8601 in UTC. */
export const instant = z.string().meta({ format: 'date-time' })

const instantExpected = 'Date attendue (aaaa-mm-jj, ou date et heure ISO 8601)'
const instantWithOffset = z.iso.datetime({ offset: true })

/** Converts seconds (10 digits) or milliseconds (13 digits) since 1970 to ISO 8601 in UTC. */
const fromEpoch = (value: unknown) => {
  const digits = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
  if (!/^(?:\d{10}|\d{13})$/.test(digits)) return value
  return new Date(Number(digits) * (digits.length === 10 ? 1000 : 1)).toISOString()
}

/** An instant in a body: ISO 8601 with an offset, a calendar day or an epoch; between 1900 and 2199. */
export const instantInput = z.preprocess(
  fromEpoch,
  z
    .string(instantExpected)
    .refine((value) => day.safeParse(value).success || instantWithOffset.safeParse(value).success, {
      error: instantExpected,
      abort: true,
    })
    .refine(
      (value) => value >= firstDay && value.slice(0, 10) <= lastDay,
      'Date attendue entre 1900 et 2199',
    ),
)

/** The version of the row that the client read, sent back on PUT to detect a concurrent change. */
export const version = z.iso.datetime({ offset: true, error: 'Version invalide' }).nullish()

export const currency = z.enum(['CDF', 'USD'], 'La devise est CDF ou USD')
export type Currency = z.infer<typeof currency>

const isAbsent = (value: unknown) => value === undefined || value === null || value === ''

const decimal = (decimals: 2 | 3 | 6, message: string) =>
  z
    .number({
      error: ({ input }) =>
        isAbsent(input) ? 'Ce champ est obligatoire' : notANumber(input, 'Nombre attendu'),
    })
    .refine((value) => Number(value.toFixed(decimals)) === value, message)

const anyAmount = decimal(2, 'Deux décimales au plus').max(999_999_999_999, 'Montant trop grand')

/** An amount above zero with at most two decimals, so that `numeric(14,2)` stores it exactly. */
export const amount = z.preprocess(asTyped, anyAmount.positive('Le montant doit être supérieur à zéro'))

/** An amount of zero or more with at most two decimals, so that `numeric(14,2)` stores it exactly. */
export const amountFromZero = z.preprocess(asTyped, anyAmount.min(0, 'Le montant ne peut pas être négatif'))

/** A quantity (not money) of zero or more with at most two decimals, so that `numeric(14,2)` stores it exactly. */
export const quantity = z.preprocess(
  asTyped,
  decimal(2, 'Deux décimales au plus')
    .min(0, 'Un nombre négatif n’est pas accepté')
    .max(999_999_999_999, 'Nombre trop grand'),
)

/** A factor above zero with at most six decimals, so that `numeric(14,6)` stores it exactly. */
export const factor = z.preprocess(
  asTyped,
  decimal(6, 'Six décimales au plus')
    .positive('Un nombre plus grand que zéro est attendu')
    .max(99_999_999, 'Nombre trop grand'),
)

/**
 * A change in percent, at least -100, with at most three decimals, so that `numeric(10,3)` stores it exactly. A
 * separator is always the decimal mark: `3,125` is never read as thousands.
 */
export const percentage = z.preprocess(
  fromDigits,
  decimal(3, 'Trois décimales au plus')
    .gt(-100, 'Un pourcentage au-dessus de -100 est attendu')
    .max(999_999, 'Nombre trop grand'),
)

/** Largest page size, for a session and for an API key. */
export const mostPerPage = { session: 200, key: 1_000 }
const limits = `La limite est un entier de 1 à ${mostPerPage.session}, à 1\u202f000 avec une clé`

/** Page, limit and sort of a list. `sort` is a field, with `-` before it for descending order. */
export function listQuery<const S extends readonly string[]>(sortable: S, defaultLimit = 10) {
  const integer = (message: string, described: { minimum: number; maximum?: number; default: number }) =>
    z
      .string(message)
      .regex(/^\d{1,12}$/, message)
      .meta({ ...wholeNumber, ...described })
      .transform(Number)
  const orders = sortable.flatMap((field) => [field, `-${field}`]) as [string, ...string[]]
  return z.object({
    page: optionalQuery(
      integer('La page est un entier à partir de 1', { minimum: 1, default: 1 }).pipe(
        z.number().min(1, 'La page est un entier à partir de 1'),
      ),
    ).default(1),
    limit: optionalQuery(
      integer(limits, { minimum: 1, maximum: mostPerPage.key, default: defaultLimit }).pipe(
        z.number().min(1, limits).max(mostPerPage.key, limits),
      ),
    ).default(defaultLimit),
    sort: optionalQuery(z.enum(orders, `Tri inconnu. Tris possibles\u00a0: ${orders.join(', ')}`)),
  })
}
