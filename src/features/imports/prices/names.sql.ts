import { type RawBuilder, sql } from 'kysely'
import { deleteUnused } from '#features/imports/prices/staging.sql.ts'
import type { NameQuestion } from '#features/imports/report.contract.ts'
import type { CatalogueNames } from '#features/mappings/guesses.rules.ts'
import { mappedFields, unspecified } from '#features/mappings/mapped-fields.contract.ts'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import type { Db } from '#server/db/pool.ts'

/** Rows waiting for a user to decide what a name means, with their text. */
type Undecided = { line: number; text: string; subject: NameQuestion['subject']; name: string; close: string }

/**
 * Resolves the names in a mapped table: names that equal ours, or that a user has decided on, get their ids; names that
 * are only similar to ours become questions, and their rows are removed from staging; the others are new.
 */
export async function settleNames(
  tx: Db,
  { markets, products }: Mapping['names'],
): Promise<{ questions: NameQuestion[]; undecided: Undecided[] }> {
  await sql`create temp table name_decided (subject text, key text, id integer) on commit drop`.execute(tx)
  for (const [subject, names] of Object.entries({ market: markets, product: products })) {
    const rows = Object.entries(names).map(([key, choice]) => ({ subject, key, id: choice?.id ?? null }))
    await sql`insert into name_decided
      select subject, fold(key), id from json_populate_recordset(null::name_decided, ${JSON.stringify(rows)})`.execute(
      tx,
    )
  }
  await sql`alter table staged_market add candidates jsonb`.execute(tx)
  await sql`alter table staged_product add candidates jsonb`.execute(tx)
  await settleMarkets(tx)
  await settleProducts(tx)
  const questions = await listQuestions(tx)
  const undecided = await refuseUndecided(tx)
  await fillMissingDetails(tx)
  return { questions, undecided }
}

const marketKey = sql`concat_ws(' · ', staged.name, staged.location)`
const productKey = sql`concat_ws(' · ', staged.name, staged.weight, staged.format)`

// Reduces « Marché de Zando » to « Zando ».
const bare = (name: RawBuilder<unknown>) =>
  sql`trim(regexp_replace(regexp_replace(fold(${name}), '[^a-z0-9]+', ' ', 'g'), '\\m(marche|market|de|du|des|la|le|les|d|l|the|of)\\M *', '', 'g'))`

const isNew = (subject: string, key: RawBuilder<unknown>) =>
  sql`exists (select from name_decided where subject = ${subject} and id is null and key = fold(${key}))`

async function settleMarkets(tx: Db): Promise<void> {
  await sql`update staged_market staged set id = market.id from market
    where staged.id is null
      and fold(market.name) = fold(staged.name) and fold(market.location) = fold(staged.location)`.execute(tx)
  await sql`update staged_market staged set id = decided.id from name_decided decided join market on market.id = decided.id
    where staged.id is null and decided.subject = 'market' and decided.key = fold(${marketKey})`.execute(tx)
  // Without a town, a name matches if exactly one of our markets has it.
  await sql`update staged_market staged set id = single.id from (
      select fold(name) as name, min(id) as id from market group by 1 having count(*) = 1) single
    where staged.id is null and staged.location is null and single.name = fold(staged.name)
      and not ${isNew('market', marketKey)}`.execute(tx)
  await sql`update staged_market staged set candidates = (
      select jsonb_agg(jsonb_build_object('id', id, 'name', name || ' (' || location || ')') order by likeness desc, id)
        from (
          select id, name, location, likeness from (
            select market.*, similarity(${bare(sql`market.name`)}, ${bare(sql`staged.name`)}) as likeness,
                   staged.location is null or fold(market.location) = fold(${unspecified})
                     or similarity(fold(market.location), fold(staged.location)) >= 0.5
                     or fold(coalesce(market.province, '')) in (fold(staged.location), fold(staged.province)) as is_near
              from market) compared
           where likeness >= 0.45 and is_near
           order by likeness desc, id limit 5) closest)
    where staged.id is null and not ${isNew('market', marketKey)}`.execute(tx)
}

async function settleProducts(tx: Db): Promise<void> {
  await sql`update staged_product staged set id = decided.id
      from name_decided decided join product on product.id = decided.id
    where decided.subject = 'product' and decided.key = fold(${productKey})`.execute(tx)
  // Missing fields match any value, so a product matches only if it is the only one.
  await sql`update staged_product staged set id = found.id from (
      select staged.key, min(product.id) as id
        from staged_product staged
        join product on fold(product.name) = fold(staged.name)
         and fold(product.weight) = coalesce(fold(staged.weight), fold(product.weight))
         and fold(product.format) = coalesce(fold(staged.format), fold(product.format))
       group by 1 having count(*) = 1) found
    where staged.id is null and found.key = staged.key and not ${isNew('product', productKey)}`.execute(tx)
  await sql`update staged_product staged set candidates = (
      select jsonb_agg(jsonb_build_object('id', id, 'name', concat_ws(' · ', name, brand, weight, format))
                       order by likeness desc, unit desc, id)
        from (
          select product.id, product.name, brand.name as brand, weight, format,
                 similarity(fold(product.name), fold(staged.name)) as likeness,
                 similarity(fold(weight), fold(coalesce(staged.weight, ''))) as unit
            from product left join brand on brand.id = brand_id
           where fold(staged.name) <% folded
             and (similarity(fold(product.name), fold(staged.name)) >= 0.4
                  or word_similarity(fold(staged.name), fold(product.name)) >= 0.8)
           order by likeness desc, unit desc, product.id limit 5) closest)
    where staged.id is null and not ${isNew('product', productKey)}`.execute(tx)
}

const mostQuestions = 200

async function listQuestions(tx: Db): Promise<NameQuestion[]> {
  const { rows } = await sql<NameQuestion>`
    select subject, (array_agg(name order by line))[1] as name, candidates, count(*)::int as rows from (
      select 'market' as subject, ${marketKey} as name, candidates, price.line
        from staged_market staged join staged_price price on price.market = staged.key where candidates is not null
      union all
      select 'product', ${productKey}, candidates, price.line
        from staged_product staged join staged_price price on price.product = staged.key where candidates is not null) asked
     group by subject, fold(name), candidates order by subject, min(line) limit ${mostQuestions}`.execute(tx)
  return rows
}

async function refuseUndecided(tx: Db): Promise<Undecided[]> {
  // By its own names: a line of a table with a column for each product holds other prices too.
  const { rows } = await sql<Undecided>`
    delete from staged_price price using staged_market market, staged_product product
     where market.key = price.market and product.key = price.product
       and (market.candidates is not null or product.candidates is not null)
    returning price.line, coalesce(price.text, '') as text,
              case when market.candidates is null then 'product' else 'market' end as subject,
              case when market.candidates is null then product.name else market.name end as name,
              coalesce(market.candidates, product.candidates) -> 0 ->> 'name' as close`.execute(tx)
  await deleteUnused(tx)
  return rows.toSorted((a, b) => a.line - b.line)
}

const otherwise = (key: string) => {
  const field = mappedFields.find((each) => each.key === key)
  return field && 'otherwise' in field ? field.otherwise : ''
}

/** Fills what a file leaves out of its markets and new products with the values that stand for it. */
async function fillMissingDetails(tx: Db): Promise<void> {
  await sql`update staged_market set location = coalesce(location, province, ${otherwise('location')})
    where location is null`.execute(tx)
  const ofType = sql`select category.name from product_type type join category on category.id = type.category_id
                      where fold(type.name) = fold(staged.type) order by type.id limit 1`
  await sql`update staged_product staged set weight = coalesce(weight, ${otherwise('unit')}),
           format = coalesce(format, ${otherwise('format')}),
           category = coalesce(category, (${ofType}), ${otherwise('category')})
    where id is null`.execute(tx)
}

/**
 * Returns, for each column, the share of its cells that are names of our markets, products, towns and categories, from
 * 0 to 1.
 */
export async function shareOfCatalogueNames(
  db: Db,
  columns: readonly (readonly string[])[],
): Promise<CatalogueNames[]> {
  const { rows } = await sql<CatalogueNames>`
    select coalesce(avg((exists (select from market where fold(name) = cell))::int), 0)::float8 as market,
           coalesce(avg((exists (select from product where fold(name) = cell))::int), 0)::float8 as product,
           coalesce(avg((exists (select from market where fold(location) = cell))::int), 0)::float8 as location,
           coalesce(avg((exists (select from category where fold(name) = cell))::int), 0)::float8 as category
      from jsonb_array_elements(${JSON.stringify(columns)}::jsonb) with ordinality as listed (cells, place)
      left join lateral (
        select fold(trim(cell)) as cell from jsonb_array_elements_text(cells) cell where trim(cell) <> '') named on true
     group by place order by place`.execute(db)
  return rows
}
