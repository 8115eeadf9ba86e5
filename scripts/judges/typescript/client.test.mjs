// The packed client against a running service: node client.test.mjs SERVICE KEY SECOND_KEY
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { test } from "node:test";
import { BoardwatchError, Client } from "boardwatch-client";

const [baseUrl, key, otherKey] = [process.env.SERVICE, process.env.KEY, process.env.OTHER_KEY];
const client = new Client({ baseUrl, key });

// A careers page that grows.
const roles = ["Optical Engineer", "Mechanical Engineer", "Lens Polisher", "Accountant"];
const site = createServer((request, response) => {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  const items = roles.map((title, i) => `<li><a href="/careers/${i + 1}">${title}</a> <span class="location">Bergen</span></li>`);
  response.end(`<!doctype html><html lang="en"><head><title>Careers at Northwind Optics</title></head>
<body><h1>Careers at Northwind Optics</h1><h2>Open positions</h2><ul class="jobs">${items.join("")}</ul></body></html>`);
});
site.listen(0, "127.0.0.1");
await once(site, "listening");
test.after(() => site.close());

const code = (wanted) => (error) => error instanceof BoardwatchError && error.code === wanted;

test("it says who is asking", async () => {
  const status = await client.status();
  assert.equal(status.status, "ok");
  assert.equal(status.account.plan, "ultra");
  assert.ok(Date.parse(status.polledAt) > 0);
});

test("a board is added, read, polled and taken off", async () => {
  const url = `http://127.0.0.1:${site.address().port}/careers`;
  const added = await client.addBoard({ url, companyName: "Northwind Optics" });
  assert.equal(added.locked, false);
  await assert.rejects(client.addBoard({ url }), (error) => code("already_tracked")(error) && error.details.boardId === added.board.id);

  const found = new Set();
  const cursors = [];
  const stop = new AbortController();
  const polling = client.poll({ from: { after: "1970-01-01T00:00:00.000Z", seen: [] }, every: 2, save: (c) => cursors.push(c), signal: stop.signal });
  for await (const job of polling) {
    assert.ok(!found.has(job.title), "a role came twice");
    found.add(job.title);
    if (found.size === roles.length) {
      if (roles.includes("Harbour Pilot")) {
        break;
      }
      roles.push("Harbour Pilot"); // it is found by the next check
    }
  }
  assert.deepEqual([...found].sort(), [...roles].sort());
  assert.ok(cursors.length > 0);

  // After a restart it goes on at the last cursor, and misses nothing.
  roles.push("Boatbuilder");
  for await (const job of client.poll({ from: JSON.parse(JSON.stringify(cursors.at(-1))), every: 2 })) {
    if (job.title === "Boatbuilder") {
      break;
    }
  }

  const all = [];
  for await (const job of client.allJobs({ boardId: added.board.id })) {
    all.push(job.title);
  }
  assert.deepEqual(all.sort(), [...roles].sort());
  assert.equal((await client.boards({ status: "ready" })).total, 1);
  await client.deleteBoard(added.board.id);
  await assert.rejects(client.deleteBoard(added.board.id), code("not_found"));
  assert.equal((await client.boards()).total, 0);
});

test("errors have their codes", async () => {
  await assert.rejects(client.jobs({ limit: 101 }), (error) => code("invalid_request")(error) && error.details[0].field === "limit");
  const stranger = new Client({ baseUrl, key: "bw_" + "x".repeat(40) });
  await assert.rejects(stranger.status(), (error) => code("unauthorized")(error) && error.status === 401 && error.requestId.length === 24);
  const lost = new Client({ baseUrl: `http://127.0.0.1:${site.address().port}`, key });
  await assert.rejects(lost.status(), /not boardwatch's/);
  assert.throws(() => new Client({ baseUrl: "boards.example", key }), TypeError);
  assert.throws(() => new Client({ baseUrl, key: "" }), TypeError);
});

test("the rate limit is told, or waited for", async () => {
  const hasty = new Client({ baseUrl, key: otherKey, patience: 0 });
  let refused;
  for (let i = 0; i < 61 && refused === undefined; i++) {
    await hasty.status().catch((error) => (refused = error));
  }
  assert.equal(refused?.code, "rate_limited");
  assert.ok(refused.retryAfter > 0 && refused.retryAfter <= 60);
  const began = Date.now();
  await new Client({ baseUrl, key: otherKey }).status();
  assert.ok(Date.now() - began > 100, "it waited");
});

test("a fault is tried again, a change whose answer is lost is not", async () => {
  const asked = [];
  const flaky = createServer((request, response) => {
    asked.push(request.method);
    if (asked.length === 1) {
      response.writeHead(500, { "Content-Type": "application/json" });
      response.end('{"error":{"code":"internal_error","message":"a fault"}}');
    } else if (request.method === "POST") {
      request.socket.destroy();
    } else {
      response.end('{"boards":[],"total":0}');
    }
  });
  flaky.listen(0, "127.0.0.1");
  await once(flaky, "listening");
  const patient = new Client({ baseUrl: `http://127.0.0.1:${flaky.address().port}`, key });
  assert.equal((await patient.boards()).total, 0);
  await assert.rejects(patient.addBoard({ url: "https://a.example" }));
  assert.deepEqual(asked, ["GET", "GET", "POST"]);
  flaky.close();
});
