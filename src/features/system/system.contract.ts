import { z } from 'zod'
import { defineEndpoint } from '#shared/contract.ts'
import { instant } from '#shared/fields.ts'

type MeasureWords = {
  readonly title: string
  readonly unit: 'seconds' | 'bytes' | 'count'
  /** Alarm threshold: above it, or below it for a scarce resource. */
  readonly alarm: { readonly above: number } | { readonly below: number }
  /** What to do in case of an alarm. */
  readonly advice: string
}

/**
 * The measures of the platform's state, from which the page, the metrics for programs and the operator's manual derive.
 */
export const systemMeasures = {
  database_seconds: {
    title: 'Réponse de la base de données',
    unit: 'seconds',
    alarm: { above: 0.5 },
    advice:
      'Regardez la charge de la machine de PostgreSQL, son disque, et les requêtes longues dans pg_stat_activity.',
  },
  pool_waiting: {
    title: 'Demandes qui attendent une connexion',
    unit: 'count',
    alarm: { above: 10 },
    advice: 'Ajoutez un processus, ou augmentez DATABASE_POOL si PostgreSQL a du processeur libre.',
  },
  disk_free_bytes: {
    title: 'Place libre pour les fichiers',
    unit: 'bytes',
    alarm: { below: 1e9 },
    advice: 'Agrandissez le disque de DATA_DIR, ou déplacez les anciennes sauvegardes.',
  },
  feed_connected: {
    title: 'Écoute des changements (1 = oui)',
    unit: 'count',
    alarm: { below: 1 },
    advice:
      'PostgreSQL coupe l’écoute ; elle revient seule. Si elle reste à 0, passez par une connexion directe, sans PgBouncer.',
  },
  replica_late_seconds: {
    title: 'Retard du réplica de lecture',
    unit: 'seconds',
    alarm: { above: 30 },
    advice:
      'Les lectures vont au serveur primaire, plus chargé. Regardez le réplica (pg_stat_wal_receiver) et son réseau ; il revient seul.',
  },
  jobs_late_seconds: {
    title: 'Retard des travaux de fond',
    unit: 'seconds',
    alarm: { above: 300 },
    advice: 'Vérifiez qu’un processus a JOBS=on ou JOBS=only, et qu’il tourne.',
  },
  jobs_failing: {
    title: 'Travaux qui échouent',
    unit: 'count',
    alarm: { above: 0 },
    advice: 'Le journal d’audit dit lesquels et pourquoi ; ils sont réessayés seuls.',
  },
  jobs_given_up: {
    title: 'Travaux abandonnés',
    unit: 'count',
    alarm: { above: 0 },
    advice:
      'Douze essais ont échoué : corrigez la cause que dit le journal, puis refaites l’action. Ils sont retirés après 7\u00a0jours.',
  },
  mail_late_seconds: {
    title: 'Retard des e-mails',
    unit: 'seconds',
    alarm: { above: 900 },
    advice: 'Vérifiez SMTP_URL et le serveur de messagerie : rien n’est perdu, tout part à son retour.',
  },
  index_late_seconds: {
    title: 'Retard des indices',
    unit: 'seconds',
    alarm: { above: 3_600 },
    advice:
      'Le calcul suit les écritures ; après un gros import il prend quelques minutes. Au-delà, voyez les travaux de fond.',
  },
  payments_waiting: {
    title: 'Paiements sans réponse depuis 15 min',
    unit: 'count',
    alarm: { above: 5 },
    advice: 'L’opérateur ou le prestataire tarde : la page Paiements dit lesquels, et ce qui est à décider.',
  },
  sign_in_failures: {
    title: 'Connexions refusées en 15 min',
    unit: 'count',
    alarm: { above: 200 },
    advice:
      'Quelqu’un essaie des mots de passe : les comptes se protègent seuls ; bloquez son réseau devant le serveur.',
  },
} as const satisfies Record<string, MeasureWords>

export type SystemMeasureName = keyof typeof systemMeasures
export const systemMeasureNames = Object.keys(systemMeasures) as SystemMeasureName[]

/** Null where it could not be measured. */
export type SystemMeasures = Record<SystemMeasureName, number | null>

export function isAlarming(name: SystemMeasureName, value: number | null): boolean {
  const { alarm }: MeasureWords = systemMeasures[name]
  if (value === null) return true
  return 'above' in alarm ? value > alarm.above : value < alarm.below
}

export const systemState = defineEndpoint({
  method: 'GET',
  path: '/api/system',
  right: 'superadmins.manage',
  summary: 'État du système',
  description: 'Les mesures que lit aussi Prometheus, avec ce qui alarme et ce qu’il faut faire.',
  response: z.object({
    at: instant,
    measures: z.array(
      z.object({
        name: z.enum(systemMeasureNames),
        title: z.string(),
        unit: z.enum(['seconds', 'bytes', 'count']),
        /** Null where it could not be measured. */
        value: z.number().nullable(),
        isAlarming: z.boolean(),
        advice: z.string(),
      }),
    ),
  }),
})
