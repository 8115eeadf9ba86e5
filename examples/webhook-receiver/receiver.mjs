// Takes boardwatch's webhooks and prints what changed. Node 18 or later, nothing else:
//
//   WEBHOOK_SECRET=whsec_… node receiver.mjs 127.0.0.1:4000
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const MAX_BODY = 4 * 1024 * 1024;
const TOLERANCE = 5 * 60; // seconds
const seen = new Set(); // of ids taken; a program that must not act twice keeps them in its database

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error("WEBHOOK_SECRET is missing");

// verify reports whether the header signs the raw bytes and is not too old.
function verify(body, header) {
  const parts = (header ?? "").split(",").map((part) => part.trim().split("="));
  const time = parts.filter(([name]) => name === "t").map(([, value]) => value);
  if (time.length !== 1 || !/^\d{1,15}$/.test(time[0])) return false;
  if (Date.now() / 1000 - Number(time[0]) > TOLERANCE) return false;
  const expected = createHmac("sha256", secret).update(`${time[0]}.`).update(body).digest();
  return parts.some(([name, value]) => {
    if (name !== "v1" || !/^[0-9a-f]{64}$/.test(value)) return false;
    return timingSafeEqual(Buffer.from(value, "hex"), expected);
  });
}

// take acts on one event. When it throws, the sender will try again.
function take(event) {
  switch (event.type) {
    case "job.found":
      for (const job of event.jobs) console.log(["found", event.board.company, job.title].join("\t"));
      break;
    case "job.archived":
      for (const job of event.jobs) console.log(["closed", event.board.company, job.title].join("\t"));
      break;
    case "board.failed":
      console.log(["failed", event.board.company, event.error].join("\t"));
      break;
    case "ping":
      console.log(["ping", event.webhook.id].join("\t"));
  }
}

// read collects the raw bytes: what is signed is what was sent, not what JSON.parse makes of it.
async function read(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function handle(request) {
  if (request.url !== "/hook") return 404;
  if (request.method !== "POST") return 405;
  const body = await read(request);
  if (body === null) return 413;
  if (!verify(body, request.headers["x-boardwatch-signature"])) return 401;
  const event = JSON.parse(body);
  if (seen.has(event.id)) return 204; // taken before
  take(event);
  seen.add(event.id);
  return 204;
}

const server = createServer({ requestTimeout: 10_000 }, async (request, response) => {
  let status = 500;
  try {
    status = await handle(request);
  } catch (error) {
    console.error(error);
  }
  response.writeHead(status, status === 413 ? { Connection: "close" } : {}).end();
});
const [host, port] = process.argv[2].split(":");
server.listen(Number(port), host, () => {
  console.error(`listening on http://${host}:${server.address().port}/hook`);
});
