// Reads Specmatic's report and fails when an answer was not to be expected:
//
//   node verdict.mjs FOLDER LEAST    at least so many requests must have been made
//
// Two kinds of answers are right although Specmatic cannot know it. Not every text is an address: one that is none is
// refused with 400. And a board that nobody knows is answered with 202, never with 201.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, least] = process.argv.slice(2)
const text = readdirSync(folder).filter((f) => f.endsWith('.xml')).map((f) => readFileSync(join(folder, f), 'utf8')).join('\n')
const cases = [...text.matchAll(/<testcase\b[^>]*?(\/>|>[\s\S]*?<\/testcase>)/g)].map((m) => m[0])
const failed = cases.filter((c) => /<(failure|error)\b/.test(c))
const expected = (c) => /POST \/v1\/boards/.test(c) && /expected status 20[12] but response contained status (400|202)/.test(c)
const unexpected = failed.filter((c) => !expected(c))
for (const c of unexpected.slice(0, 20)) console.log(c.replace(/&#10;|&#xA;/g, '\n').slice(0, 2000))
console.log(`${cases.length} requests, ${failed.length - unexpected.length} answers that only Specmatic did not expect, ${unexpected.length} unexpected ones`)
process.exit(unexpected.length > 0 || cases.length < Number(least) ? 1 : 0)
