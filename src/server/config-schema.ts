import { z } from 'zod'

const blankIsAbsent = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(inner: T) => z.preprocess(blankIsAbsent, inner.optional())

// `Ntalo <ne-pas-repondre@ntalo.example>`, or only the address.
const sender = /^(?:[^<>\p{Cc}]*<[^\s<>,;@]+@[^\s<>,;@]+>|[^\s<>,;@]+@[^\s<>,;@]+)$/u

const httpUrl = z.url({ protocol: /^https?$/, error: 'une adresse http(s) est attendue' })
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'une adresse postgresql:// est attendue')

/** Environment variables of Ntalo; an empty one counts as absent. */
export const environment = z.object({
  PORT: z.preprocess(blankIsAbsent, z.coerce.number().int().min(0).max(65535).default(3000)),
  HOST: z.preprocess(blankIsAbsent, z.string().default('127.0.0.1')),
  // A path is refused, because links, cookies and the service worker use the root.
  PUBLIC_URL: optional(
    httpUrl.refine(isOrigin, 'une adresse sans chemin est attendue, comme https://ntalo.example'),
  ),
  TRUST_PROXY: z.preprocess(blankIsAbsent, z.coerce.number().int().min(0).max(10).default(0)),
  DATA_DIR: z.preprocess(blankIsAbsent, z.string().default('var')),
  DATABASE_URL: optional(postgresUrl),
  DATABASE_READ_URL: optional(postgresUrl),
  S3_URL: optional(httpUrl),
  S3_BUCKET: optional(z.string()),
  S3_KEY: optional(z.string()),
  S3_SECRET: optional(z.string()),
  S3_REGION: z.preprocess(blankIsAbsent, z.string().default('us-east-1')),
  DATABASE_POOL: z.preprocess(blankIsAbsent, z.coerce.number().int().min(6).max(200).default(16)),
  JOBS: z.preprocess(
    blankIsAbsent,
    z.enum(['on', 'off', 'only'], 'on, off ou only est attendu').default('on'),
  ),
  METRICS_PORT: z.preprocess(blankIsAbsent, z.coerce.number().int().min(1).max(65535).optional()),
  SMTP_URL: optional(z.string().regex(/^smtps?:\/\//, 'une adresse smtp:// ou smtps:// est attendue')),
  MAIL_FROM: optional(z.string().regex(sender, 'une adresse e-mail est attendue, ou « Nom <adresse> »')),
  CONTACT_TO: optional(z.email('une adresse e-mail est attendue')),
  ADMIN_EMAIL: optional(z.email('une adresse e-mail est attendue')),
  GOOGLE_CLIENT_ID: optional(z.string().regex(/^\S+$/, 'un identifiant sans espace est attendu')),
  GOOGLE_CLIENT_SECRET: optional(z.string().regex(/^\S+$/, 'un secret sans espace est attendu')),
  GOOGLE_ISSUER: optional(httpUrl),
  CONTACT_PHONE: optional(z.string().max(50)),
  CONTACT_ADDRESS: optional(z.string().max(300)),
  CONTACT_PLACE: optional(
    z
      .string()
      .regex(/^-?\d{1,2}(\.\d+)?, ?-?\d{1,3}(\.\d+)?$/, 'une latitude et une longitude sont attendues'),
  ),
  LEGAL_PUBLISHER: optional(z.string().max(300)),
  LEGAL_REGISTRATION: optional(z.string().max(300)),
  LEGAL_DIRECTOR: optional(z.string().max(300)),
  LEGAL_HOST: optional(z.string().max(300)),
  BILLING_NAME: optional(z.string().max(300)),
  BILLING_ADDRESS: optional(z.string().max(500)),
  BILLING_TAX_NUMBER: optional(z.string().max(100)),
  BILLING_BANK: optional(z.string().max(500)),
  BILLING_TERMS: optional(z.string().max(500)),
  VAT_RATE: z.preprocess(
    blankIsAbsent,
    z
      .string()
      .regex(/^\d{1,2}([.,]\d{1,2})?$/, 'un pourcentage est attendu, comme 16')
      .default('0'),
  ),
  VAT_TEXT: optional(z.string().max(300)),
  PAWAPAY_URL: optional(httpUrl),
  PAWAPAY_TOKEN: optional(z.string()),
  PAYMENT_FIRST: z.preprocess(
    blankIsAbsent,
    z.enum(['pawapay', 'flexpay'], 'pawapay ou flexpay est attendu').default('pawapay'),
  ),
  FLEXPAY_URL: optional(httpUrl),
  FLEXPAY_MERCHANT: optional(z.string()),
  FLEXPAY_TOKEN: optional(z.string()),
  FLEXPAY_CARD_URL: optional(httpUrl),
  TELEGRAM_BOT: optional(z.string().regex(/^\w{5,32}$/, 'le nom du bot, sans @, est attendu')),
  TELEGRAM_TOKEN: optional(z.string().regex(/^\d+:[\w-]+$/, 'le jeton que BotFather a donné est attendu')),
  ORANGE_SMS_CLIENT_ID: optional(z.string()),
  ORANGE_SMS_CLIENT_SECRET: optional(z.string()),
  ORANGE_SMS_SENDER: optional(z.string().max(11, '11 caractères au plus')),
  ORANGE_SMS_RECEIPT_SECRET: optional(z.string().regex(/^[\w-]{20,}$/, '20 lettres et chiffres au moins')),
  KECCEL_SMS_TOKEN: optional(z.string()),
  KECCEL_SMS_SENDER: optional(z.string().max(11, '11 caractères au plus')),
  WHATSAPP_TOKEN: optional(z.string()),
  WHATSAPP_NUMBER_ID: optional(z.string().regex(/^\d+$/, 'des chiffres sont attendus')),
  WHATSAPP_NUMBER: optional(z.string().regex(/^\d{9,15}$/, 'les chiffres du numéro, avec ceux du pays')),
  WHATSAPP_APP_SECRET: optional(z.string()),
  WHATSAPP_VERIFY_TOKEN: optional(z.string().min(20, '20 caractères au moins')),
  WHATSAPP_TEMPLATE: optional(z.string().regex(/^[a-z\d_]+$/, 'le nom du modèle approuvé est attendu')),
  ACCEPT_CLOCK: optional(z.enum(['0', '1'], '0 ou 1 est attendu')),
  LOG_LEVEL: z.preprocess(
    blankIsAbsent,
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  ),
  DEMONSTRATION_PRICES: z.preprocess(
    blankIsAbsent,
    z.coerce.number().int().min(0).max(10_000_000).default(300_000),
  ),
  // Any other value is refused: a typo, or a blank that hides the value of .env, would start a demonstration instead of
  // production.
  NODE_ENV: z
    .enum(['production', 'development', 'test'], 'production, development ou test est attendu')
    .optional(),
})

export type Environment = z.infer<typeof environment>

/** Whether an address has no path, query or hash (final slashes are allowed). */
function isOrigin(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && /^\/*$/.test(url.pathname) && url.search === '' && url.hash === ''
}
