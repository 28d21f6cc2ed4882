import { resolve } from 'node:path'
import { z } from 'zod'
import { type MoneySettings, readMoneySettings } from '#server/money-settings.ts'

const blankIsAbsent = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(inner: T) => z.preprocess(blankIsAbsent, inner.optional())

// `Ntalo <ne-pas-repondre@ntalo.example>`, or only the address.
const sender = /^(?:[^<>\p{Cc}]*<[^\s<>,;@]+@[^\s<>,;@]+>|[^\s<>,;@]+@[^\s<>,;@]+)$/u

const environment = z.object({
  PORT: z.preprocess(blankIsAbsent, z.coerce.number().int().min(0).max(65535).default(3000)),
  HOST: z.preprocess(blankIsAbsent, z.string().default('127.0.0.1')),
  // A path is refused, because links, cookies and the service worker use the root.
  PUBLIC_URL: optional(
    z
      .url({ protocol: /^https?$/, error: 'une adresse http(s) est attendue' })
      .refine(isOrigin, 'une adresse sans chemin est attendue, comme https://ntalo.example'),
  ),
  TRUST_PROXY: z.preprocess(blankIsAbsent, z.coerce.number().int().min(0).max(10).default(0)),
  DATA_DIR: z.preprocess(blankIsAbsent, z.string().default('var')),
  DATABASE_URL: optional(z.string().regex(/^postgres(ql)?:\/\//, 'une adresse postgresql:// est attendue')),
  DATABASE_READ_URL: optional(
    z.string().regex(/^postgres(ql)?:\/\//, 'une adresse postgresql:// est attendue'),
  ),
  S3_URL: optional(z.url({ protocol: /^https?$/, error: 'une adresse http(s) est attendue' })),
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
  GOOGLE_ISSUER: optional(z.url({ protocol: /^https?$/, error: 'une adresse http(s) est attendue' })),
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
  PAWAPAY_URL: optional(z.url({ protocol: /^https?$/, error: 'une adresse http(s) est attendue' })),
  PAWAPAY_TOKEN: optional(z.string()),
  PAYMENT_FIRST: z.preprocess(
    blankIsAbsent,
    z.enum(['pawapay', 'flexpay'], 'pawapay ou flexpay est attendu').default('pawapay'),
  ),
  FLEXPAY_URL: optional(z.url({ protocol: /^https?$/, error: 'une adresse http(s) est attendue' })),
  FLEXPAY_MERCHANT: optional(z.string()),
  FLEXPAY_TOKEN: optional(z.string()),
  FLEXPAY_CARD_URL: optional(z.url({ protocol: /^https?$/, error: 'une adresse http(s) est attendue' })),
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

export type Config = MoneySettings & {
  port: number
  host: string
  /** Public address, without a final slash; null when not configured: then the address of the bound port is used. */
  publicUrl: string | null
  /** Number of proxies in front of the server whose X-Forwarded-For is trusted. */
  trustedProxies: number
  dataDir: string
  databaseUrl: string | null
  /** Address of a read replica; null when there is none. */
  databaseReadUrl: string | null
  /** S3 server that stores files instead of `dataDir`; null when not configured. */
  s3: { url: string; bucket: string; key: string; secret: string; region: string } | null
  /** Maximum database connections of this process's pool; a few more are opened for listening and long work. */
  databaseConnections: number
  /** `on`: this process runs background jobs and serves requests; `off`: requests only; `only`: jobs only. */
  jobs: 'on' | 'off' | 'only'
  /** Port of `/metrics`, on the same host; null when metrics are not served. */
  metricsPort: number | null
  adminEmail: string | null
  /** Address that receives the messages of the contact form. */
  contactTo: string
  /** Operator of the site and contact details shown on its pages; each is null when not configured. */
  site: {
    email: string | null
    phone: string | null
    address: string | null
    place: { latitude: number; longitude: number } | null
    publisher: string | null
    registration: string | null
    director: string | null
    host: string | null
  }
  /** Seller's details on invoices, and the VAT rate (percent) that amounts include. */
  billing: {
    seller: {
      name: string
      address: string | null
      registration: string | null
      taxNumber: string | null
      bank: string | null
    }
    vatRate: string
    vatText: string
    paymentTerms: string
  }
  /** Without `smtpUrl`, mails are written to files. */
  mail: { smtpUrl: string | null; from: string }
  /** Sign-in with Google; null when it is not configured. */
  google: { issuer: string; clientId: string; clientSecret: string } | null
  /** Channels of messages other than mail; each is null when not configured. */
  channels: {
    telegram: { bot: string; token: string } | null
    orange: {
      clientId: string
      clientSecret: string
      senderName: string | null
      receiptSecret: string | null
    } | null
    keccel: { token: string; from: string } | null
    whatsapp: {
      token: string
      numberId: string
      number: string
      appSecret: string
      verifyToken: string
      template: string
    } | null
  }
  /** True when an operator confirmed the clock, so that the check against the database is skipped. */
  isClockAccepted: boolean
  logLevel: string
  /** Number of demonstration prices loaded into an empty database; 0 in production. */
  demonstrationPrices: number
  isProduction: boolean
}

/** Contact details of a demonstration without configured ones; the phone number belongs to nobody. */
const demonstrationContact = {
  email: 'contact@ntalo.cd',
  phone: '+243 80 000 00 00',
  address: '12, avenue du Commerce, Gombe, Kinshasa',
}

/**
 * Reads the settings from the environment; no other module reads it.
 *
 * @throws Error in French that names each wrong or missing variable, never its value
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = environment.safeParse(env)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')} : ${issue.message}`)
    throw new Error(`Configuration refusée. ${faults.join(' ; ')}.`)
  }
  const values = parsed.data
  const isProduction = values.NODE_ENV === 'production'
  if (isProduction) {
    const missing = (['DATABASE_URL', 'PUBLIC_URL', 'MAIL_FROM', 'ADMIN_EMAIL'] as const).filter(
      (name) => !values[name],
    )
    if (missing.length > 0) {
      throw new Error(`Configuration incomplète : NODE_ENV=production demande aussi ${missing.join(', ')}.`)
    }
  }
  if (values.DATABASE_READ_URL && !values.DATABASE_URL) {
    throw new Error('Configuration incomplète : DATABASE_READ_URL demande aussi DATABASE_URL.')
  }
  if (values.JOBS === 'only' && !values.DATABASE_URL) {
    throw new Error('Configuration incomplète : JOBS=only demande aussi DATABASE_URL.')
  }
  if (values.SMTP_URL && !values.MAIL_FROM) {
    throw new Error('Configuration incomplète : SMTP_URL demande aussi MAIL_FROM.')
  }
  if (!values.GOOGLE_CLIENT_ID !== !values.GOOGLE_CLIENT_SECRET) {
    throw new Error('Configuration incomplète : GOOGLE_CLIENT_ID et GOOGLE_CLIENT_SECRET vont ensemble.')
  }
  if (values.GOOGLE_ISSUER && !values.GOOGLE_CLIENT_ID) {
    throw new Error(
      'Configuration incomplète : GOOGLE_ISSUER demande aussi GOOGLE_CLIENT_ID et GOOGLE_CLIENT_SECRET.',
    )
  }
  if (isProduction && values.GOOGLE_ISSUER?.startsWith('http:')) {
    throw new Error('Configuration refusée. GOOGLE_ISSUER : une adresse https est attendue en production.')
  }
  const shown = isProduction ? null : demonstrationContact
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ? values.PUBLIC_URL.replace(/\/+$/, '') : null,
    trustedProxies: values.TRUST_PROXY,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    databaseReadUrl: values.DATABASE_READ_URL ?? null,
    s3: s3Of(values),
    databaseConnections: values.DATABASE_POOL,
    jobs: values.JOBS,
    metricsPort: values.METRICS_PORT ?? null,
    ...readMoneySettings(values),
    askedFirst: values.PAYMENT_FIRST,
    google:
      values.GOOGLE_CLIENT_ID && values.GOOGLE_CLIENT_SECRET
        ? {
            issuer: values.GOOGLE_ISSUER ?? 'https://accounts.google.com',
            clientId: values.GOOGLE_CLIENT_ID,
            clientSecret: values.GOOGLE_CLIENT_SECRET,
          }
        : null,
    adminEmail: values.ADMIN_EMAIL ?? null,
    contactTo: values.CONTACT_TO ?? values.ADMIN_EMAIL ?? addressIn(values.MAIL_FROM ?? ownSender),
    site: {
      email: values.CONTACT_TO ?? shown?.email ?? null,
      phone: values.CONTACT_PHONE ?? shown?.phone ?? null,
      address: values.CONTACT_ADDRESS ?? shown?.address ?? null,
      place: placeIn(values.CONTACT_PLACE),
      publisher: values.LEGAL_PUBLISHER ?? null,
      registration: values.LEGAL_REGISTRATION ?? null,
      director: values.LEGAL_DIRECTOR ?? null,
      host: values.LEGAL_HOST ?? null,
    },
    billing: {
      seller: {
        name: values.BILLING_NAME ?? values.LEGAL_PUBLISHER ?? 'Ntalo',
        address: values.BILLING_ADDRESS ?? values.CONTACT_ADDRESS ?? shown?.address ?? null,
        registration: values.LEGAL_REGISTRATION ?? null,
        taxNumber: values.BILLING_TAX_NUMBER ?? null,
        bank: values.BILLING_BANK ?? null,
      },
      vatRate: values.VAT_RATE.replace(',', '.'),
      vatText: values.VAT_TEXT ?? (Number(values.VAT_RATE.replace(',', '.')) > 0 ? '' : 'TVA non applicable'),
      paymentTerms: values.BILLING_TERMS ?? 'Payée d’avance, par période.',
    },
    mail: { smtpUrl: values.SMTP_URL ?? null, from: values.MAIL_FROM ?? ownSender },
    channels: channelsOf(values),
    isClockAccepted: values.ACCEPT_CLOCK === '1',
    logLevel: values.LOG_LEVEL,
    demonstrationPrices: isProduction ? 0 : values.DEMONSTRATION_PRICES,
    isProduction,
  }
}

function s3Of(values: z.infer<typeof environment>): Config['s3'] {
  const { S3_URL, S3_BUCKET, S3_KEY, S3_SECRET, S3_REGION } = values
  const s3 = together({ S3_URL, S3_BUCKET, S3_KEY, S3_SECRET })
  return (
    s3 && {
      url: s3.S3_URL.replace(/\/+$/, ''),
      bucket: s3.S3_BUCKET,
      key: s3.S3_KEY,
      secret: s3.S3_SECRET,
      region: S3_REGION,
    }
  )
}

function channelsOf(values: z.infer<typeof environment>): Config['channels'] {
  const orange = together({
    ORANGE_SMS_CLIENT_ID: values.ORANGE_SMS_CLIENT_ID,
    ORANGE_SMS_CLIENT_SECRET: values.ORANGE_SMS_CLIENT_SECRET,
  })
  const telegram = together({ TELEGRAM_BOT: values.TELEGRAM_BOT, TELEGRAM_TOKEN: values.TELEGRAM_TOKEN })
  const keccel = together({
    KECCEL_SMS_TOKEN: values.KECCEL_SMS_TOKEN,
    KECCEL_SMS_SENDER: values.KECCEL_SMS_SENDER,
  })
  const whatsapp = together({
    WHATSAPP_TOKEN: values.WHATSAPP_TOKEN,
    WHATSAPP_NUMBER_ID: values.WHATSAPP_NUMBER_ID,
    WHATSAPP_NUMBER: values.WHATSAPP_NUMBER,
    WHATSAPP_APP_SECRET: values.WHATSAPP_APP_SECRET,
    WHATSAPP_VERIFY_TOKEN: values.WHATSAPP_VERIFY_TOKEN,
    WHATSAPP_TEMPLATE: values.WHATSAPP_TEMPLATE,
  })
  return {
    telegram: telegram && { bot: telegram.TELEGRAM_BOT, token: telegram.TELEGRAM_TOKEN },
    orange: orange && {
      clientId: orange.ORANGE_SMS_CLIENT_ID,
      clientSecret: orange.ORANGE_SMS_CLIENT_SECRET,
      senderName: values.ORANGE_SMS_SENDER ?? null,
      receiptSecret: values.ORANGE_SMS_RECEIPT_SECRET ?? null,
    },
    keccel: keccel && { token: keccel.KECCEL_SMS_TOKEN, from: keccel.KECCEL_SMS_SENDER },
    whatsapp: whatsapp && {
      token: whatsapp.WHATSAPP_TOKEN,
      numberId: whatsapp.WHATSAPP_NUMBER_ID,
      number: whatsapp.WHATSAPP_NUMBER,
      appSecret: whatsapp.WHATSAPP_APP_SECRET,
      verifyToken: whatsapp.WHATSAPP_VERIFY_TOKEN,
      template: whatsapp.WHATSAPP_TEMPLATE,
    },
  }
}

/** Returns settings that must be set together; null when none is set, an error when some are missing. */
function together<Names extends string>(
  given: Record<Names, string | undefined>,
): Record<Names, string> | null {
  const names = Object.keys(given) as Names[]
  if (names.every((name) => !given[name])) return null
  const missing = names.filter((name) => !given[name])
  if (missing.length > 0) {
    throw new Error(
      `Configuration incomplète : ${names.join(', ')} vont ensemble, il manque ${missing.join(', ')}.`,
    )
  }
  return given as Record<Names, string>
}

/** Whether an address has no path, query or hash (final slashes are allowed). */
function isOrigin(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && /^\/*$/.test(url.pathname) && url.search === '' && url.hash === ''
}

/** Returns the URL of a server that listens on a host and port; a host with colons is an IPv6 address. */
export function addressHere(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const ownSender = 'Ntalo <ntalo@localhost>'

/** Returns the address of a sender: `a@b` for `Ntalo <a@b>`. */
function addressIn(sender: string): string {
  return /<(.+)>/.exec(sender)?.[1] ?? sender
}

function placeIn(written: string | undefined): Config['site']['place'] {
  const [latitude, longitude] = (written ?? '').split(',').map(Number)
  return written === undefined || latitude === undefined || longitude === undefined
    ? null
    : { latitude, longitude }
}
