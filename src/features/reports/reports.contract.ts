import { z } from 'zod'
import { type SeriesFilter, seriesFilter } from '#features/figures/filters/filters.contract.ts'
import { reportAddresses } from '#features/reports/reports.addresses.ts'
import { blockKinds, mostBlocks, mostRecipients, mostReports } from '#features/reports/reports.rules.ts'
import { acknowledgement, bytes, defineEndpoint } from '#shared/contract.ts'
import type { DrawnReport } from '#shared/drawing.ts'
import {
  emailAddress,
  idParams,
  instant,
  optionalProse,
  optionalText,
  text,
  tokenInAddress,
  version,
} from '#shared/fields.ts'

// Body fields use the filters of addresses: a number becomes text, and null is absent.
const asInAddress = (value: unknown) => (typeof value === 'number' ? String(value) : (value ?? undefined))
// The type of `fromEntries` loses which name has which schema.
const selectionShape = Object.fromEntries(
  Object.entries(seriesFilter.shape).map(([name, schema]) => [name, z.preprocess(asInAddress, schema)]),
) as unknown as typeof seriesFilter.shape

const kind = z.enum(blockKinds, `Un bloc est l’un de\u00a0: ${blockKinds.join(', ')}`)
const period = z.enum(['30d', '90d', '1y'], 'La période est 30d, 90d ou 1y')

/** A part of a report: what it shows, and for which prices. */
const reportBlock = z
  .object({
    kind,
    title: optionalText(120).default(null),
    /** All prices when empty. */
    selection: z.object(selectionShape).meta({ id: 'ReportSelectionBody' }).default({}),
    period: period.nullish().default(null),
    /** Content of a text block. */
    text: optionalProse(4000).default(null),
  })
  .refine((block) => block.kind !== 'text' || block.text, {
    path: ['text'],
    error: 'Écrivez le texte de ce bloc',
  })
  .meta({ id: 'ReportBlockBody' })
export type ReportBlock = z.output<typeof reportBlock> & { selection: SeriesFilter }

const schedule = z
  .object({
    frequency: z.enum(['weekly', 'monthly'], 'La fréquence est weekly ou monthly'),
    /** Day of the week, 1 for Monday, or of the month, up to 28, which every month has. */
    day: z.int('Un jour est attendu').min(1, 'Un jour de 1 à 28').max(28, 'Un jour de 1 à 28').default(1),
    /** Hour in Kinshasa. */
    hour: z
      .int('Une heure est attendue')
      .min(0, 'Une heure de 0 à 23')
      .max(23, 'Une heure de 0 à 23')
      .default(7),
    /** Skip the issue when its selections have no new quote. */
    skipsUnchanged: z.boolean('Vrai ou faux est attendu').default(false),
  })
  .refine(({ frequency, day }) => frequency === 'monthly' || day <= 7, {
    path: ['day'],
    error: 'Un jour de la semaine, de 1 (lundi) à 7 (dimanche)',
  })
  .meta({ id: 'ReportScheduleBody' })
export type Schedule = z.output<typeof schedule>

const written = {
  title: text(120),
  blocks: z
    .array(reportBlock, 'Une liste de blocs est attendue')
    .min(1, 'Ajoutez un bloc au moins')
    .max(mostBlocks, `${mostBlocks} blocs au plus`),
}
const recipients = z
  .array(emailAddress, 'Une liste d’adresses est attendue')
  .max(mostRecipients, `${mostRecipients} destinataires au plus`)

const recipient = z
  .object({ email: z.string(), state: z.enum(['waiting', 'confirmed', 'left']) })
  .meta({ id: 'ReportRecipient' })

const issueState = z.enum(['planned', 'made', 'sent', 'skipped', 'failed'])

const report = z
  .object({
    id: z.int(),
    title: z.string(),
    blocks: z.array(
      z
        .object({
          kind,
          title: z.string().nullable(),
          selection: z.record(z.string(), z.union([z.string(), z.number()])),
          period: period.nullable(),
          text: z.string().nullable(),
        })
        .meta({ id: 'ReportBlock' }),
    ),
    schedule: z
      .object({
        frequency: z.enum(['weekly', 'monthly']),
        day: z.int(),
        hour: z.int(),
        skipsUnchanged: z.boolean(),
      })
      .meta({ id: 'ReportSchedule' })
      .nullable(),
    nextAt: instant.nullable(),
    recipients: z.array(recipient),
    /** Result of the last issue; null before the first. */
    lastIssue: z.object({ plannedAt: instant, state: issueState, reason: z.string().nullable() }).nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Report' })
export type Report = z.infer<typeof report>

const issue = z
  .object({
    id: z.int(),
    plannedAt: instant,
    madeAt: instant.nullable(),
    state: issueState,
    /** Why it was skipped or failed. */
    reason: z.string().nullable(),
    isScheduled: z.boolean(),
    /** Its public page; null until it is made. */
    url: z.string().nullable(),
    files: z.array(
      z.object({ format: z.enum(['pdf', 'xlsx']), url: z.string(), bytes: z.int(), sha256: z.string() }),
    ),
    /**
     * Number of mails accepted by the mail server, waiting, refused, given up because no mail server took them for five
     * days, or with an unknown result.
     */
    deliveries: z.object({
      sent: z.int(),
      waiting: z.int(),
      refused: z.int(),
      expired: z.int(),
      unknown: z.int(),
    }),
  })
  .meta({ id: 'ReportIssue' })
export type ReportIssue = z.infer<typeof issue>

/** A user's own reports and their issues. */
export const reports = {
  list: defineEndpoint({
    ...reportAddresses.list,
    right: 'prices.read',
    summary: 'Ses rapports',
    description: 'Le plus récent d’abord, avec ses destinataires et sa dernière édition.',
    response: z.object({ data: z.array(report) }),
  }),
  find: defineEndpoint({
    ...reportAddresses.find,
    right: 'prices.read',
    summary: 'Un de ses rapports',
    description: 'Ses blocs, son envoi et ses destinataires.',
    params: idParams,
    response: report,
  }),
  create: defineEndpoint({
    ...reportAddresses.create,
    right: 'prices.read',
    writes: 'own',
    summary: 'Créer un rapport',
    description: `De 1 à ${mostBlocks} blocs, ${mostReports} rapports au plus. Un destinataire reçoit d’abord un e-mail où il confirme\u202f; avant, rien ne lui est envoyé.`,
    body: z
      .object({ ...written, schedule: schedule.nullish().default(null), recipients: recipients.default([]) })
      .meta({ id: 'ReportBody' }),
    status: 201,
    response: report.extend({ message: z.string() }),
  }),
  update: defineEndpoint({
    ...reportAddresses.update,
    right: 'prices.read',
    writes: 'own',
    summary: 'Modifier un rapport',
    description: 'Ce qui est absent reste. `schedule` à null arrête l’envoi.',
    params: idParams,
    body: z
      .object({
        title: written.title.optional(),
        blocks: written.blocks.optional(),
        schedule: schedule.nullish(),
        recipients: recipients.optional(),
        updatedAt: version,
      })
      .meta({ id: 'ReportChange' }),
    response: report.extend({ message: z.string() }),
  }),
  remove: defineEndpoint({
    ...reportAddresses.remove,
    right: 'prices.read',
    writes: 'own',
    summary: 'Supprimer un rapport',
    description: 'Ses éditions et leurs adresses disparaissent avec lui.',
    params: idParams,
    response: acknowledgement,
  }),
  preview: defineEndpoint({
    ...reportAddresses.preview,
    right: 'prices.read',
    writes: 'nothing',
    summary: 'Un rapport avec les chiffres d’aujourd’hui',
    description: 'Ce que montrerait une édition faite maintenant\u202f; rien n’est enregistré.',
    body: z.object(written).meta({ id: 'ReportPreviewBody' }),
    response: z.object({ content: z.custom<DrawnReport>().meta({ type: 'object' }) }),
  }),
  issues: defineEndpoint({
    ...reportAddresses.issues,
    right: 'prices.read',
    summary: 'Les éditions d’un rapport',
    description: 'La dernière d’abord, 200 au plus, avec leur adresse et leurs fichiers.',
    params: idParams,
    response: z.object({ data: z.array(issue) }),
  }),
  makeIssue: defineEndpoint({
    ...reportAddresses.makeIssue,
    right: 'prices.read',
    writes: 'own',
    summary: 'Faire une édition maintenant',
    description:
      'Elle se prépare en arrière-plan et paraît dans la liste. `to` dit qui la reçoit\u00a0: les destinataires confirmés, soi seul, ou personne.',
    params: idParams,
    // Without a body, every field has its default.
    body: z.preprocess(
      (body) => body ?? {},
      z
        .object({
          to: z
            .enum(['recipients', 'owner', 'nobody'], 'Le choix est recipients, owner ou nobody')
            .default('recipients'),
        })
        .meta({ id: 'ReportIssueBody' }),
    ),
    status: 202,
    response: issue.extend({ message: z.string() }),
  }),
}

/** Returns a file of an issue, public for anyone who has its address. */
export const issueFile = defineEndpoint({
  ...reportAddresses.file,
  right: 'public',
  summary: 'Un fichier d’une édition, en PDF ou en classeur XLSX',
  description: 'L’adresse vient de l’édition\u202f; sans elle, le fichier ne se trouve pas.',
  params: z.object({ token: z.string().regex(tokenInAddress, 'Lien invalide') }),
  query: z.object({
    fileFormat: z.enum(['pdf', 'xlsx'], 'Le format est pdf ou xlsx').default('pdf'),
  }),
  media: ['application/pdf', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  response: bytes,
})
