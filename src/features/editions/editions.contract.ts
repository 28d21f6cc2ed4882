import { z } from 'zod'
import { settledDays } from '#features/editions/editions.rules.ts'
import { acknowledgement, bytes, defineEndpoint } from '#shared/contract.ts'
import { idParams, instant, optionalChoice } from '#shared/fields.ts'

const says = (description: string, ...examples: unknown[]) => ({ description, examples })
const sha256 = '3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b'
const formats = ['csv', 'parquet', 'datapackage'] as const

const edition = z
  .object({
    number: z.int().meta(says('Numéro de l’édition.', 3)),
    month: z.string().meta(says('Mois de l’édition, aaaa-mm.', '2026-10')),
    day: z
      .string()
      .meta(says('Le dernier jour du mois\u00a0: aucun relevé n’est plus récent.', '2026-10-31')),
    lastDay: z.string().meta(says('Le même jour que `day`.', '2026-10-31')),
    rows: z.int().meta(says('Nombre de relevés.', 302_118)),
    sha256: z.string().meta(says('SHA-256 du fichier Parquet, que porte la citation.', sha256)),
    method: z.string().meta(says('Édition de la méthode.', 'troisième édition')),
    createdAt: instant.meta(says('Quand elle a paru.', '2026-11-03T02:10:00.000Z')),
    supersededBy: z
      .int()
      .nullable()
      .meta(says('Numéro de l’édition corrigée du même mois, null sans elle.', null)),
    files: z
      .array(
        z.object({
          format: z.enum(formats).meta(says('Format du fichier.', 'parquet')),
          url: z
            .string()
            .meta(
              says(
                'Où le fichier se télécharge, avec une clé ou une session.',
                'https://ntalo.cd/api/editions/3/file?format=parquet',
              ),
            ),
          name: z.string().meta(says('Nom du fichier.', 'ntalo-prix-2026-10-edition-3.parquet')),
          bytes: z.int().meta(says('Taille, en octets.', 1_902_114)),
          sha256: z.string().meta(says('SHA-256 du fichier, en hexadécimal.', sha256)),
        }),
      )
      .meta(says('Les fichiers de l’édition.', [])),
    citation: z
      .object({
        text: z.string().meta(says('En toutes lettres.', 'Ntalo (2026). Prix des marchés de la RD Congo…')),
        bibtex: z.string().meta(says('Pour BibTeX.', '@misc{ntalo-3, …}')),
        csl: z.record(z.string(), z.unknown()).meta(says('En CSL-JSON, que lit Zotero.', { id: 'ntalo-3' })),
      })
      .meta(
        says('Comment la citer.', {
          text: 'Ntalo (2026)…',
          bibtex: '@misc{ntalo-3, …}',
          csl: { id: 'ntalo-3' },
        }),
      ),
  })
  .meta({ id: 'Edition' })
export type Edition = z.infer<typeof edition>

/** The monthly editions: all prices up to the end of a month, as files that never change. */
export const editions = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/editions',
    right: 'prices.read',
    summary: 'Les éditions mensuelles des données',
    description:
      'Chaque mois, tous les relevés jusqu’à son dernier jour, dans des fichiers qui ne changent jamais\u202f; une correction est une édition nouvelle du même mois. La plus récente d’abord.',
    response: z.object({ data: z.array(edition).meta(says('Les éditions.', [])) }),
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/editions/{id}/file',
    right: 'prices.read',
    summary: 'Un fichier d’une édition',
    description:
      'CSV comprimé par gzip, dont la deuxième ligne porte les étiquettes HXL, Parquet comprimé par zstd, ou `datapackage.json` qui les décrit. Mêmes relevés, mêmes octets.',
    params: idParams,
    query: z.object({
      format: optionalChoice(
        z
          .enum(formats, `Le format est l’un de\u00a0: ${formats.join(', ')}`)
          .meta(says('Format du fichier.', 'parquet')),
        'csv',
      ),
    }),
    media: ['application/gzip', 'application/vnd.apache.parquet', 'application/json'],
    response: bytes,
  }),
  publish: defineEndpoint({
    method: 'POST',
    path: '/api/editions',
    right: 'prices.import',
    summary: 'Publier l’édition d’un mois, ou la corriger',
    description: `Elle se prépare en arrière-plan. Rien de nouveau ne paraît si les fichiers seraient les mêmes. Sans \`month\`, le dernier mois fini depuis ${settledDays} jours.`,
    body: z
      .object({
        month: z
          .string('Un mois est attendu')
          .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'Un mois est attendu\u00a0: aaaa-mm')
          .nullish()
          .meta(says('Mois à publier, aaaa-mm.', '2026-10')),
      })
      .meta({ id: 'EditionBody' }),
    response: acknowledgement,
  }),
}

/** The name of the storage of the files of editions. */
export const editionFiles = 'editions'
