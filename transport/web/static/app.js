// What the pages can do beyond links and forms. Everything works without it.

const $ = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const root = document.documentElement;

// say shows a sentence at the edge of the window: for a moment, or longer if it holds a form that takes something back. The toast is
// always there, because screen readers only read what changes in an element that they know.
let saying;
const toast = $("#toast");
function say(text, { form, stays } = {}) {
  if (form || toast.textContent !== text) toast.textContent = text;
  if (form) toast.append(" ", form);
  const over = () => { if (toast.matches(":focus-within, :hover")) saying = setTimeout(over, 3500); else toast.textContent = ""; };
  clearTimeout(saying);
  if (!stays) saying = setTimeout(over, form ? 10000 : 3500);
}

// hear tells a screen reader what is plain to see.
const hear = (text) => { $("#said").textContent = text; };

// statuses are what the page says about itself, without times, which only tick.
const statuses = () => all("main [role=status]").map((e) => all("time", e).reduce((text, time) => text.replace(time.textContent, ""), e.textContent).trim());

// parse returns the page of an answer.
const parse = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

// carried are the elements whose state a person changes. named lists those of a part, each with a name that finds it again in a
// later version of the part.
const carried = "details, summary, a, button, input:not([type=hidden]), select, textarea, [data-hits]";
function named(part) {
  const seen = {};
  return all(carried, part).map((e) => {
    const own = e.form ? [e.form.getAttribute("action"), e.matches("[type=checkbox], [type=radio]") ? e.value : [...e.form.elements].indexOf(e)]
      : [e.getAttribute("href"), e.matches("details, summary") && ($("summary", e) ?? e).textContent.replace(/\d/g, ""), ($("summary", e) ?? e).ariaLabel];
    const name = [e.localName, e.id, ...own].join("|");
    seen[name] = (seen[name] ?? 0) + 1;
    return [`${name}|${seen[name]}`, e];
  });
}

// carry takes over to the fresh version of a part what somebody has opened, chosen or typed in it, except in the form that was
// sent. The focus of a control that is gone goes to the one of its kind in its place. It returns what is left to do once the part
// is on the page.
function carry(old, fresh, sent) {
  const twins = new Map(named(fresh)), kin = (e, part) => all(e.localName, part).filter((other) => other.className === e.className);
  let focus = () => {};
  for (const [name, e] of named(old)) {
    const twin = twins.get(name);
    if (e === document.activeElement && !twin) focus = () => (kin(e, fresh)[kin(e, old).indexOf(e)] ?? kin(e, fresh).at(-1) ?? $("main")).focus({ preventScroll: true });
    if (!twin) continue;
    if (e.matches("details[open]")) twin.open = true;
    if (e.matches("input, select, textarea") && e.form?.getAttribute("action") !== sent) {
      const typed = e.matches("select") ? all("option", e).some((o) => o.selected !== o.defaultSelected)
        : e.checked !== e.defaultChecked || e.value !== e.defaultValue;
      if (typed) { twin.value = e.value; twin.checked = e.checked; }
    }
    if (e !== document.activeElement) continue;
    const at = e.getAttribute("aria-valuenow");
    if (at) twin.setAttribute("aria-valuenow", at);
    focus = () => twin.focus({ preventScroll: true });
  }
  const boxes = all(".scroll", old).map((box) => [box.scrollLeft, box.scrollTop]);
  return () => {
    all(".scroll", fresh).forEach((box, i) => box.scrollTo(...(boxes[i] ?? [0, 0])));
    focus();
  };
}

// replace puts the live parts of a page in the place of those that are shown, all together; the whole content if it has other
// parts. A field in which somebody is typing is replaced only when a form was sent.
function replace(page, sent, searched) {
  const before = statuses();
  const names = (of) => all("main [data-live]", of).map((part) => part.dataset.live).join();
  const parts = all(names(document) === names(page) ? "[data-live]" : "main, header [data-live]");
  for (const old of parts) {
    const fresh = $(old.localName === "main" ? "main" : `[data-live="${old.dataset.live}"]`, page);
    if (!fresh || !sent && $("textarea:focus, input:not([type=checkbox], [type=radio]):focus", old)) continue;
    prepare(fresh);
    if (old.isEqualNode(fresh)) continue;
    const after = carry(old, fresh, sent);
    old.replaceWith(fresh);
    after();
  }
  const told = statuses().filter((text) => !before.includes(text)).join(" ") || searched && "The list has changed.";
  if (told) hear(told);
  if (!$("main [data-busy]") && (performance.now() > 20000 || $("[data-live] .note.bad"))) $("main > [data-flash].good")?.remove(); // it has come true, or not
}

// The live parts of the page are fetched again. A search that gets no answer hides them, because they answer another one.
let loading, silent, changing = 0;
async function refresh(address, searching) {
  if (changing > 0) return; // its answer would be older than the change
  loading?.abort();
  loading = new AbortController();
  let text = "boardwatch does not answer";
  try {
    const answer = await fetch(address, { signal: loading.signal, headers: { Accept: "text/html", "Boardwatch-Live": "1" } });
    const page = await parse(answer);
    if ($("main [data-live]", page) || !$("main [data-live]")) {
      replace(page, undefined, searching);
      $("#unanswered").hidden = true;
      if (silent) toast.textContent = "";
      silent = false;
      return;
    }
    text = answer.redirected ? "Your sign-in has ended" : $("main h1", page)?.textContent ?? "That did not work";
  } catch (e) {
    if (e.name === "AbortError") return;
  }
  silent = true;
  if (searching || !$("#unanswered").hidden) {
    for (const part of all("main [data-live]")) part.hidden = true;
    $("#unanswered p").textContent = `${text}. Nothing is shown, because what was here belongs to another search.`;
    $("#unanswered").hidden = false;
    toast.textContent = "";
  } else say(`${text}: what you see may be old.`, { stays: true });
}

// follow brings the page up to date, unless it is the answer to a form, which has no address to ask.
const follow = () => { if (!$("main[data-still]")) refresh(location.href); };
addEventListener("offline", () => { silent = true; say("You are offline: what you see may be old.", { stays: true }); });
addEventListener("online", follow);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible" && $("main [data-live]")) follow(); });

// What is changed in place is sent from the page, which stays where it is, with the focus and all that was typed. What can be
// taken back comes with the form for it.
async function change(action, fields) {
  const chosen = [...document.activeElement.form?.elements ?? []].find((e) => e.checked)?.value;
  const undoing = toast.contains(document.activeElement);
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
  replace(page, action);
  const told = $("[data-flash]", page);
  if (told) say($("p", told).firstChild.textContent, { form: $("form", told) });
  if (!undoing && document.activeElement.checkVisibility()) return;
  const back = undoing ? $(`main form[action="${action}"] button`) : all("main [type=checkbox]").find((box) => box.value === chosen);
  (back ?? $("main")).focus({ preventScroll: true });
}

// The days of a chart are told one by one with the arrow keys.
document.addEventListener("focusin", (e) => {
  const hits = e.target.closest("[data-hits]");
  if (hits) point(hits, Number(hits.getAttribute("aria-valuenow")));
  if (e.target.closest(".scroll, .tabs")) e.target.scrollIntoView({ block: "nearest", inline: "center" });
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
let typing;
function search(form) {
  const fields = new URLSearchParams(new FormData(form));
  for (const [key, value] of [...fields]) if (!value) fields.delete(key);
  const address = `${form.getAttribute("action")}${fields.size ? `?${fields}` : ""}`;
  history.replaceState(null, "", address);
  $("main").removeAttribute("data-still");
  refresh(address, true);
}
document.addEventListener("input", (e) => {
  const form = e.target.closest("form[data-search]");
  if (!form) return;
  clearTimeout(typing);
  typing = setTimeout(() => search(form), e.target.matches("input") ? 180 : 0);
});

// Pages follow what happens: every ten seconds, and every two while a check is under way.
let beat = 0;
setInterval(() => {
  beat += 1;
  if (document.visibilityState === "visible" && ($("[data-live] [data-busy]") || $("main [data-live]") && beat % 5 === 0)) follow();
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
  if (e.target.closest("[data-again]")) $("form[data-search]")?.requestSubmit();
  if (e.target.closest("[data-help]")) { e.preventDefault(); $("#help")?.showModal(); }
});

// Who goes elsewhere leaves a menu, and Escape closes it, as it does what a chart says under the pointer.
for (const type of ["click", "focusin"]) document.addEventListener(type, (e) => {
  for (const menu of all("details.menu[open]")) if (!menu.contains(e.target)) menu.open = false;
});
function shut(menu) {
  if (!menu) return;
  menu.open = false;
  $("summary", menu).focus({ preventScroll: true });
}
document.addEventListener("keydown", (e) => {
  if ((e.ctrlKey || e.metaKey) && e.key === "z" && !e.target.closest("input, select, textarea")) $("button", toast)?.click();
  if (e.key !== "Escape") return;
  shut($("details.menu[open]"));
  for (const hits of all("[data-hits]")) {
    $(".at", hits)?.classList.remove("at");
    hits.classList.add("shut");
    hits.addEventListener("pointerleave", () => hits.classList.remove("shut"), { once: true });
  }
});
document.addEventListener("change", (e) => {
  if (e.target.matches("[form=bulk], [data-all]")) hear(`${all("[form=bulk]:checked").length} selected. Actions follow the list.`);
});

document.addEventListener("submit", (e) => {
  const form = e.target;
  if (form.matches("[data-search]")) {
    e.preventDefault();
    clearTimeout(typing);
    search(form);
  }
  if (form.matches("[data-in-place]")) {
    e.preventDefault();
    shut(form.closest("details.menu"));
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

// What a page says when it is opened is read as well.
const flash = $("main > [data-flash] p, .loud h2, main [role=alert]:not([hidden]) p");
if (flash) setTimeout(() => hear(flash.textContent), 500);
