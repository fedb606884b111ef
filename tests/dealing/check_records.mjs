// The page's own program on records from a file: what it says of each, as JSON lines.
import { readFileSync } from "node:fs";
import { checkRecord } from "../../src/fifteentwo/web/static/dealing/record.js";

for (const { record, expected } of JSON.parse(readFileSync(process.argv[2], "utf-8"))) {
  const { deals, wrong, deal, seat } = checkRecord(record, expected ?? "");
  console.log(JSON.stringify({ deals, wrong, deal, seat }));
}
