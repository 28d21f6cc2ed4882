// Google Sheets, Extensions > Apps Script. La clé est une propriété du script, NTALO_KEY.
function importerPrix() {
  const cle = PropertiesService.getScriptProperties().getProperty('NTALO_KEY')
  const adresse = 'https://ntalo.example/api/prices/export?fileFormat=csv-machine&startDate=2026-11-01'
  const reponse = UrlFetchApp.fetch(adresse, {
    headers: { Authorization: 'Bearer ' + cle },
    muteHttpExceptions: true,
  })
  if (reponse.getResponseCode() !== 200) throw new Error(JSON.parse(reponse.getContentText()).message)
  const lignes = Utilities.parseCsv(reponse.getContentText())
  // Une feuille en français ne lit pas « 1100.50 » comme un nombre.
  const prix = lignes[0].indexOf('price')
  for (const ligne of lignes.slice(1)) ligne[prix] = Number(ligne[prix])
  const feuille = SpreadsheetApp.getActiveSheet()
  feuille.clearContents()
  feuille.getRange(1, 1, lignes.length, lignes[0].length).setValues(lignes)
}
