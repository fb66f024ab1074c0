import { writeDocuments } from '../dist/program/documents.js'

await writeDocuments()
