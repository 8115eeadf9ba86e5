// What the pages can do beyond links and forms. Everything works without it.

const $ = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const root = document.documentElement;

let saying;
function say(text, { undo, stays } = {}) {
  const toast = $("#toast");
  toast.textContent = text;
  if (undo) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = "Undo";
    button.addEventListener("click", () => { toast.hidden = true; undo(); });
    toast.append(" ", button);
  }
  toast.hidden = false;
  clearTimeout(saying);
  if (!stays) saying = setTimeout(() => { toast.hidden = true; }, undo ? 10000 : 3500);
}

// parse returns the page of an answer.
const parse = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

// replace puts the live parts of a page in the place of those that are shown.
function replace(page, may = () => true) {
  for (const old of all("[data-live]")) {
    const fresh = $(`[data-live="${old.dataset.live}"]`, page);
    if (!fresh || !may(old)) continue;
    prepare(fresh);
    old.replaceWith(fresh);
  }
}

// The live parts of the page are fetched again and replaced, except where somebody is working in one.
let loading, silent, changing = 0;
async function refresh(address) {
  if (changing > 0) return; // its answer would be older than the change
  loading?.abort();
  loading = new AbortController();
  try {
    const answer = await fetch(address, { signal: loading.signal, headers: { Accept: "text/html", "Boardwatch-Live": "1" } });
    if (silent) { silent = false; $("#toast").hidden = true; }
    if (!answer.ok || answer.redirected) return;
    replace(await parse(answer), (old) => !old.contains(document.activeElement) && !$("details[open], [form]:checked", old));
  } catch (e) {
    if (e.name === "AbortError") return;
    silent = true;
    say("boardwatch does not answer: what you see may be old.", { stays: true });
  }
}

// What is changed in place is sent from the page, which stays where it is, with the focus and all that was typed.
const opposite = { star: "unstar", unstar: "star", hide: "show", show: "hide", seen: "unseen" };
async function change(action, fields) {
  const forms = () => all("form[data-in-place]");
  const here = () => forms().find((form) => form.getAttribute("action") === action);
  const form = here(), row = forms().indexOf(form);
  const button = form ? all("button", form).indexOf(document.activeElement) : -1;
  let answer, page;
  loading?.abort();
  changing += 1;
  try {
    answer = await fetch(action, { method: "POST", body: fields, headers: { Accept: "text/html" } });
    page = await parse(answer);
  } catch {
    say("boardwatch does not answer: nothing was changed.");
    return;
  } finally {
    changing -= 1;
  }
  if (!answer.ok) { say($("[role=alert], main p", page)?.textContent ?? "That did not work.", { stays: true }); return; }
  if (new URL(answer.url).pathname !== location.pathname) { location.href = answer.url; return; }
  history.replaceState(null, "", answer.url);
  replace(page);
  const next = here() ?? forms()[Math.min(Math.max(row, 0), forms().length - 1)];
  if (button >= 0) (all("button", next ?? document)[button] ?? $("button", next ?? document)).focus({ preventScroll: true });
  const told = $("[data-flash]", page), back = opposite[fields.get("do")];
  if (!told) return;
  const reverse = new URLSearchParams(fields);
  reverse.set("do", back);
  say(told.textContent, { undo: back && told.classList.contains("good") && (() => change(action, reverse)) });
}

// The days of a chart are told one by one with the arrow keys.
document.addEventListener("focusin", (e) => {
  const hits = e.target.closest("[data-hits]");
  if (hits) point(hits, Number(hits.getAttribute("aria-valuenow")));
});
document.addEventListener("focusout", (e) => { $(".at", e.target.closest("[data-hits]") ?? root)?.classList.remove("at"); });
document.addEventListener("keydown", (e) => {
  const hits = e.target.closest("[data-hits]");
  const at = hits && { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -1000, End: 1000 }[e.key];
  if (!at) return;
  e.preventDefault();
  point(hits, Number(hits.getAttribute("aria-valuenow")) + at);
});
function point(hits, to) {
  const at = Math.min(Math.max(to, 0), hits.children.length - 1), hit = hits.children[at];
  $(".at", hits)?.classList.remove("at");
  hit.classList.add("at");
  hits.setAttribute("aria-valuenow", at);
  hits.setAttribute("aria-valuetext", `${$("b", hit).textContent}: ${hit.textContent.slice($("b", hit).textContent.length)}`);
}
function prepare(page) {
  for (const element of all("[data-scripted]", page)) element.hidden = false;
  for (const hits of all("[data-hits]", page)) {
    const last = hits.children.length - 1;
    for (const [name, value] of Object.entries({
      tabindex: 0, role: "slider", "aria-label": `Values by ${hits.dataset.unit}`, "aria-valuemin": 0, "aria-valuemax": last, "aria-valuenow": last,
      "aria-valuetext": "the last one",
    })) hits.setAttribute(name, value);
  }
}
prepare(document);

// A chart as a picture in points, twice as large as on paper.
document.addEventListener("click", async (e) => {
  const from = e.target.closest("[data-png]");
  if (!from) return;
  const picture = new Image();
  picture.src = from.dataset.png;
  try {
    await picture.decode();
  } catch {
    say("The picture could not be made.");
    return;
  }
  const canvas = Object.assign(document.createElement("canvas"), { width: picture.width * 2, height: picture.height * 2 });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  Object.assign(document.createElement("a"), { href: canvas.toDataURL("image/png"), download: "boardwatch-chart.png" }).click();
});

// Search while typing.
for (const form of all("form[data-search]")) {
  let timer;
  const go = () => {
    const fields = new URLSearchParams(new FormData(form));
    for (const [key, value] of [...fields]) if (!value) fields.delete(key);
    const address = `${location.pathname}${fields.size ? `?${fields}` : ""}`;
    history.replaceState(null, "", address);
    refresh(address);
  };
  form.addEventListener("input", (e) => {
    clearTimeout(timer);
    timer = setTimeout(go, e.target.matches("input") ? 180 : 0);
  });
  form.addEventListener("submit", (e) => { e.preventDefault(); clearTimeout(timer); go(); });
}

// Pages follow what happens: every ten seconds, and every two while a check is under way.
let beat = 0;
setInterval(() => {
  beat += 1;
  if (document.visibilityState === "visible" && ($("[data-live] [data-busy]") || $("main [data-live]") && beat % 5 === 0)) refresh(location.href);
}, 2000);

// Examples of the documentation can be copied.
for (const [i, code] of all(".help pre > code").entries()) {
  code.id = `code-${i}`;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: "Copy" });
  button.dataset.copy = code.id;
  code.after(button);
}

document.addEventListener("click", async (e) => {
  const copy = e.target.closest("[data-copy]");
  if (copy) {
    const field = document.getElementById(copy.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
      say("Copied");
    } catch {
      field.focus();
      field.select?.();
      say("Press Ctrl+C to copy");
    }
  }
  const every = e.target.closest("[data-all]");
  if (every) for (const box of all(`[form=${every.dataset.all}][type=checkbox]`)) box.checked = every.checked;
  if (e.target.closest("[data-help]")) { e.preventDefault(); $("#help")?.showModal(); }
  for (const menu of all("details.menu[open]")) if (!menu.contains(e.target)) menu.open = false;
});

document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape") return;
  for (const menu of all("details.menu[open]")) {
    menu.open = false;
    $("summary", menu).focus();
  }
});

document.addEventListener("submit", (e) => {
  const form = e.target;
  if (form.matches("[data-in-place]")) {
    e.preventDefault();
    $("details.menu[open]")?.removeAttribute("open");
    change(form.getAttribute("action"), new URLSearchParams(new FormData(form, e.submitter)));
  }
  if (form.matches("[data-theme-form]")) {
    e.preventDefault();
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    fetch(form.action, { method: "POST", body: new URLSearchParams({ theme: root.dataset.theme }) });
  }
});

// Passkeys. Their buttons are shown where the browser knows what a passkey is.
const passkeys = window.PublicKeyCredential;
if (passkeys?.parseRequestOptionsFromJSON && passkeys.parseCreationOptionsFromJSON) {
  for (const element of all("[data-passkeys]")) element.hidden = false;
}

async function send(address, body) {
  const answer = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" } });
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.error);
  return result;
}

async function usePasskey(out, address, begin, answer, next) {
  out.textContent = "";
  try {
    const challenge = await send(`${address}/begin`, begin);
    const credential = await answer(challenge.options);
    const done = await send(`${address}/finish`, JSON.stringify({ token: challenge.token, credential: credential.toJSON(), next }));
    location.href = done.next;
  } catch (e) {
    out.textContent = {
      NotAllowedError: "The device did not confirm it is you. Try again.",
      InvalidStateError: "This device has a passkey for your account already.",
      TypeError: "boardwatch did not answer. Try again.",
    }[e.name] ?? e.message;
  }
}

for (const button of all("[data-passkey-signin]")) {
  button.addEventListener("click", () => usePasskey($("output", button.parentElement), "/api/passkeys/signin", "",
    (options) => navigator.credentials.get({ publicKey: passkeys.parseRequestOptionsFromJSON(options) }), button.dataset.next));
}

for (const form of all("[data-passkey-add]")) {
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    usePasskey($("output", form), "/api/passkeys", new URLSearchParams(new FormData(form)),
      (options) => navigator.credentials.create({ publicKey: passkeys.parseCreationOptionsFromJSON(options) }), "");
  });
}

// The time zone of the account, where none was chosen: the browser's.
for (const field of all("[data-zone]")) {
  if (!field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value;
}

// Shortcuts: g and a letter goes somewhere, / searches, a adds, ? explains. They can be switched off in the settings.
if (root.dataset.shortcuts !== "off") {
  const places = { b: "/boards", r: "/roles", c: "/changes", s: "/settings" };
  let went = 0;
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, select, textarea, dialog, [contenteditable]")) return;
    if (e.key === "g") { went = Date.now(); return; }
    if (places[e.key] && Date.now() - went < 1500) { location.href = places[e.key]; return; }
    const field = { "/": "[data-key='/']", a: "[data-key=a]" }[e.key];
    if (field) {
      const found = $(field);
      if (found) { e.preventDefault(); found.focus(); found.select?.(); } else if (e.key === "a") location.href = "/boards#add";
    }
    if (e.key === "?") $("#help")?.showModal();
  });
}
