import { resolve } from 'node:path'
import { type Environment, environment } from '#server/config-schema.ts'
import { type MoneySettings, readMoneySettings } from '#server/money-settings.ts'

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

/** Sender of mails where none is configured. */
const ownSender = 'Ntalo <ntalo@localhost>'

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
  const contact = isProduction ? null : demonstrationContact
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
      email: values.CONTACT_TO ?? contact?.email ?? null,
      phone: values.CONTACT_PHONE ?? contact?.phone ?? null,
      address: values.CONTACT_ADDRESS ?? contact?.address ?? null,
      place: parseCoordinates(values.CONTACT_PLACE),
      publisher: values.LEGAL_PUBLISHER ?? null,
      registration: values.LEGAL_REGISTRATION ?? null,
      director: values.LEGAL_DIRECTOR ?? null,
      host: values.LEGAL_HOST ?? null,
    },
    billing: {
      seller: {
        name: values.BILLING_NAME ?? values.LEGAL_PUBLISHER ?? 'Ntalo',
        address: values.BILLING_ADDRESS ?? values.CONTACT_ADDRESS ?? contact?.address ?? null,
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

function s3Of(values: Environment): Config['s3'] {
  const { S3_URL, S3_BUCKET, S3_KEY, S3_SECRET, S3_REGION } = values
  const s3 = allOrNone({ S3_URL, S3_BUCKET, S3_KEY, S3_SECRET })
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

function channelsOf(values: Environment): Config['channels'] {
  const orange = allOrNone({
    ORANGE_SMS_CLIENT_ID: values.ORANGE_SMS_CLIENT_ID,
    ORANGE_SMS_CLIENT_SECRET: values.ORANGE_SMS_CLIENT_SECRET,
  })
  const telegram = allOrNone({ TELEGRAM_BOT: values.TELEGRAM_BOT, TELEGRAM_TOKEN: values.TELEGRAM_TOKEN })
  const keccel = allOrNone({
    KECCEL_SMS_TOKEN: values.KECCEL_SMS_TOKEN,
    KECCEL_SMS_SENDER: values.KECCEL_SMS_SENDER,
  })
  const whatsapp = allOrNone({
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
function allOrNone<Names extends string>(
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

/** Returns the URL of a server that listens on a host and port; a host with colons is an IPv6 address. */
export function localUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Returns the address of a sender: `a@b` for `Ntalo <a@b>`. */
function addressIn(sender: string): string {
  return /<(.+)>/.exec(sender)?.[1] ?? sender
}

function parseCoordinates(written: string | undefined): Config['site']['place'] {
  const [latitude, longitude] = (written ?? '').split(',').map(Number)
  return written === undefined || latitude === undefined || longitude === undefined
    ? null
    : { latitude, longitude }
}
