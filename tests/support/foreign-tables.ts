import { sql } from 'kysely'
import { beforeEach, expect } from 'vitest'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import { archive, workbookParts } from './archives.ts'
import { checkedImport } from './imports.ts'
import { testServer } from './server.ts'

/** Price tables as other organisations publish or collect them; none has one of our layouts. */
export const fewsNet = [
  'country,market,latitude,longitude,cpcv2,product,source_document,period_date,price_type,product_source,unit,unit_type,currency,value,admin_1',
  'Congo (DRC),Goma Virunga,-1.67,29.23,R0112,Maize Grain (White),FEWS NET,2026-01-31,Retail,Local,kg,Weight,CDF,1450.5,Nord-Kivu',
  'Congo (DRC),Goma Virunga,-1.67,29.23,R0112,Maize Grain (White),FEWS NET,2026-02-28,Retail,Local,kg,Weight,CDF,1500,Nord-Kivu',
  'Congo (DRC),Goma Virunga,-1.67,29.23,R0112,Maize Grain (White),FEWS NET,2026-02-28,Wholesale,Local,kg,Weight,CDF,,Nord-Kivu',
].join('\n')

export const kobo = [
  '"start";"end";"Nom de l\'enquêteur";"Date du relevé";"groupe_lieu/Marché";"groupe_lieu/Ville";"article/Produit";"article/Unité";"article/Prix (FC)";"_id";"_submission_time"',
  '"2026-03-02T09:12:33.120+01:00";"2026-03-02T09:20:00.000+01:00";"Amina Kasongo";"02/03/2026";"Zando";"Kinshasa";"Haricot";"kg";"3 500";"1";"2026-03-02T08:21:00"',
  '"2026-03-13T09:12:33.120+01:00";"2026-03-13T09:20:00.000+01:00";"Amina Kasongo";"13/03/2026";"Zando";"Kinshasa";"Haricot";"kg";"3 600,50 FC";"2";"2026-03-13T08:21:00"',
].join('\r\n')

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const number = (value: number) => `<c><v>${value}</v></c>`
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
export const ministry = archive(
  workbookParts(
    [
      row(text('REPUBLIQUE DEMOCRATIQUE DU CONGO')),
      row(text('Ministère de l’Économie nationale')),
      row(),
      row(
        text('N°'),
        text('Désignation'),
        text('Conditionnement'),
        text('Marché'),
        text('Jour'),
        text('Prix'),
        text('Prix'),
      ),
      row(
        number(1),
        text('Ciment gris'),
        text('Sac 50 kg'),
        text('Gambela'),
        text('3 mars 2026'),
        number(38500),
        number(13.5),
      ),
      row(
        number(2),
        text('Sucre'),
        text('kg'),
        text('Gambela'),
        number(46084),
        text('4.200,00'),
        number(1.5),
      ),
      row(text('Total')),
    ].join(''),
  ),
)

/** A workbook whose column titles are months, stored as spreadsheets store dates. */
export const across = archive(
  workbookParts(
    [
      row(text('Bulletin mensuel des prix')),
      row(text('Produit'), text('Marché'), ...['2026-01-01', '2026-02-01', '2026-03-01'].map(text)),
      row(text('Riz'), text('Zando'), number(3500), number(3600.5), number(3700)),
    ].join(''),
  ),
)

/** Starts a server that imports; each test begins without prices, catalogue or mappings. */
export async function importingServer() {
  const server = await testServer({ hasJobs: true })
  const { db } = server
  const admin = await server.as('admin')
  beforeEach(async () => {
    for (const table of ['price', 'product', 'market', 'product_type', 'category', 'import_mapping']) {
      await sql`delete from ${sql.table(table)}`.execute(db)
    }
  })
  return {
    ...server,
    admin,
    /** Returns how an unknown table is described, and the mapping that is proposed for it. */
    async described(content: string | Uint8Array) {
      const found = await checkedImport(admin, content)
      expect([found.state, found.failure]).toEqual(['unmapped', null])
      if (!found.table) throw new Error('no table')
      return { id: found.id, ...found.table }
    },
    async prices(): Promise<object[]> {
      const { rows } = await sql<object>`
        select market.name as market, location, product.name as product, weight, price_value as value,
               price.currency, observed_on as day, collector_name as collector
          from price join market on market.id = market_id join product on product.id = product_id
         order by observed_on, price.id`.execute(db)
      return rows
    },
  }
}

/** Returns the source of each field: its column, one value for all rows, or the titles. */
export function columnsOf({ fields }: Mapping) {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      'column' in field ? field.column : 'value' in field ? `= ${field.value}` : '(titles)',
    ]),
  )
}
