/**
 * Client for boardwatch's REST interface. The types of requests and answers are generated from the OpenAPI description of
 * the service; everything else is here. It needs `fetch`, and no other package.
 */
import type { components, operations } from "./schema.js";

type Schemas = components["schemas"];

export type Board = Schemas["Board"];
export type Job = Schemas["Job"];
export type Status = Schemas["Status"];
export type BoardList = Schemas["BoardList"];
export type JobList = Schemas["JobList"];
export type NewBoard = Schemas["NewBoard"];
export type AddBoardResult = Schemas["AddBoardResult"];
export type FieldError = Schemas["FieldError"];
export type ErrorCode = Schemas["Error"]["error"]["code"];
export type BoardQuery = NonNullable<operations["listBoards"]["parameters"]["query"]>;
export type JobQuery = NonNullable<operations["listJobs"]["parameters"]["query"]>;

/** What a webhook receives. Verify the signature before you believe it. */
export type WebhookEvent = Schemas["WebhookJobEvent"] | Schemas["WebhookBoardFailed"] | Schemas["WebhookPing"];

/** An answer that is not a success. */
export class BoardwatchError extends Error {
  override readonly name = "BoardwatchError";

  constructor(
    /** Of HTTP. */
    readonly status: number,
    /** Stable. Undefined if the answer is not from boardwatch but from something before it. */
    readonly code: ErrorCode | undefined,
    message: string,
    /** With `invalid_request` the wrong fields (`FieldError[]`), with `already_tracked` the board (`{boardId}`). */
    readonly details?: unknown,
    /** With `rate_limited`: after so many seconds, one request fits. */
    readonly retryAfter?: number,
    /** The service's log has a line with it. */
    readonly requestId?: string,
  ) {
    super(message);
  }
}

export interface Options {
  /** The address of the service, such as https://boards.company.example. */
  baseUrl: string;
  /** A key as the app showed it. */
  key: string;
  /** How many seconds one call may go on trying. 120 by default; 0 means one request. */
  patience?: number;
  /** Makes the requests; the platform's own by default. */
  fetch?: typeof fetch;
}

/** Where a poll goes on. It is plain JSON: store it, and a program that was restarted misses nothing. */
export interface Cursor {
  /** The `polledAt` of the last poll that was read to its end. */
  after: string;
  /** Roles that were handed out and may be listed once more. */
  seen: string[];
}

export interface PollOptions extends Pick<JobQuery, "boardId" | "search" | "location"> {
  /** Seconds between two polls, 30 by default. */
  every?: number;
  /** Where to begin. Without it, with what is found from now on. */
  from?: Cursor;
  /** Called after each poll, when the loop has taken all of its roles. */
  save?: (cursor: Cursor) => void | Promise<void>;
  signal?: AbortSignal;
}

const pageSize = 100;
const requestTimeout = 30_000;
const longestPause = 60;

/** Makes requests with one key, one at a time: while it waits for the rate limit, others would only be refused, and count. */
export class Client {
  readonly #base: string;
  readonly #key: string;
  readonly #patience: number;
  readonly #fetch: typeof fetch;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    const base = new URL(options.baseUrl);
    if (!/^https?:$/.test(base.protocol) || base.username || base.password || base.search || base.hash) {
      throw new TypeError("baseUrl must be like https://boards.company.example");
    }
    if (!/^[!-~]+$/.test(options.key)) {
      throw new TypeError("key is empty or contains blanks; copy it from the app as it is");
    }
    this.#base = base.href.replace(/\/+$/, "");
    this.#key = options.key;
    this.#patience = options.patience ?? 120;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** Says who is asking and what is left of the rate limit. */
  status(signal?: AbortSignal): Promise<Status> {
    return this.#call<Status>("GET", "/v1/status", undefined, signal);
  }

  /** Lists the boards in the order in which they were added. */
  boards(query: BoardQuery = {}, signal?: AbortSignal): Promise<BoardList> {
    return this.#call<BoardList>("GET", "/v1/boards" + search(query), undefined, signal);
  }

  /** Puts a board on the list. One that is there already is a `BoardwatchError` with the code `already_tracked`. */
  addBoard(board: NewBoard, signal?: AbortSignal): Promise<AddBoardResult> {
    return this.#call<AddBoardResult>("POST", "/v1/boards", board, signal);
  }

  /** Takes a board off the list. The board and its history stay. */
  async deleteBoard(id: string, signal?: AbortSignal): Promise<void> {
    await this.#call<unknown>("DELETE", "/v1/boards/" + encodeURIComponent(id), undefined, signal);
  }

  /** Asks for one page of roles, newest first. `allJobs` goes through whole lists, and `poll` finds what is new. */
  jobs(query: JobQuery = {}, signal?: AbortSignal): Promise<JobList> {
    return this.#call<JobList>("GET", "/v1/jobs" + search(query), undefined, signal);
  }

  /** Goes through all roles that match, newest first, each once. */
  async *allJobs(query: Omit<JobQuery, "limit" | "skip"> = {}, signal?: AbortSignal): AsyncGenerator<Job, void, undefined> {
    yield* this.#walk(query, signal);
  }

  /**
   * Hands out roles as the service finds them, until the loop breaks or an error comes. A role is new when the service
   * first saw it, also if it has closed by now.
   */
  async *poll(options: PollOptions = {}): AsyncGenerator<Job, void, undefined> {
    const { every = 30, from, save, signal, ...query } = options;
    let cursor = from;
    if (cursor === undefined) {
      const { polledAt } = await this.jobs({ status: "all", limit: 1 }, signal);
      cursor = { after: polledAt, seen: [] };
      await save?.(cursor);
    }
    for (;;) {
      const given = new Set(cursor.seen);
      const listed: Job[] = [];
      const walk = this.#walk({ ...query, status: "all", addedAfter: cursor.after }, signal);
      let step = await walk.next();
      for (; !step.done; step = await walk.next()) {
        listed.push(step.value);
        if (!given.has(step.value.id)) {
          yield step.value;
        }
      }
      const after = step.value;
      const late = listed.filter((job) => job.firstSeenAt !== null && Date.parse(job.firstSeenAt) > Date.parse(after));
      cursor = { after, seen: late.map((job) => job.id) };
      await save?.(cursor);
      await pause(every, signal);
    }
  }

  /**
   * Yields every role that matches, once, and returns the `polledAt` of the page that it began with. Pages overlap by one
   * role, which has to come again, on the next page or on one behind it. If the list ends without it, roles have left the
   * list, and the walk begins again, so that none is passed over.
   */
  async *#walk(query: Omit<JobQuery, "limit" | "skip">, signal?: AbortSignal): AsyncGenerator<Job, string, undefined> {
    const seen = new Set<string>();
    let polledAt = "";
    for (let skip = 0, last = ""; ; ) {
      const page = await this.jobs({ ...query, limit: pageSize, ...(skip > 0 ? { skip } : {}) }, signal);
      if (skip === 0) {
        polledAt = page.polledAt;
      }
      for (const job of page.jobs) {
        if (!seen.has(job.id)) {
          seen.add(job.id);
          yield job;
        }
      }
      const more = page.jobs.length === pageSize;
      const joined = last === "" || page.jobs.some((job) => job.id === last);
      if (joined && !more) {
        return polledAt;
      }
      if (!joined && !more) {
        skip = 0;
        last = "";
        continue;
      }
      if (joined) {
        last = page.jobs.at(-1)?.id ?? "";
      }
      skip += pageSize - 1;
    }
  }

  /** Waits for its turn, and makes the request again while that is worth it and the patience lasts. */
  #call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const made = this.#turn.then(async () => {
      let left = this.#patience;
      for (let growing = 1; ; growing = Math.min(2 * growing, longestPause)) {
        try {
          return (await this.#try(method, path, body, signal)) as T;
        } catch (error) {
          const delay = delayAfter(method, error, growing);
          if (delay === undefined || delay > left || signal?.aborted) {
            throw error;
          }
          left -= delay;
          await pause(delay, signal);
        }
      }
    });
    this.#turn = made.catch(() => undefined);
    return made;
  }

  async #try(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
    const timeout = AbortSignal.timeout(requestTimeout);
    const response = await this.#fetch(this.#base + path, {
      method,
      headers: {
        Accept: "application/json",
        Authorization: "Bearer " + this.#key,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual", // a redirect would take the key along
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const text = await response.text();
    if (response.status === 204) {
      return undefined;
    }
    const answer = parse(text);
    if (response.ok && answer !== undefined) {
      return answer;
    }
    throw refusal(response, answer);
  }
}

/**
 * How many seconds to wait before a request is made again, or undefined if it is not. The interface promises that it is
 * worth it after two codes. Where an answer was lost, the service may have done what it was asked, so only a request that
 * changes nothing is made again.
 */
function delayAfter(method: string, error: unknown, growing: number): number | undefined {
  if (!(error instanceof BoardwatchError)) {
    return method === "GET" ? growing : undefined;
  }
  if (error.status === 429) {
    return error.retryAfter ?? growing;
  }
  if (error.code === undefined) {
    return error.status >= 500 && method === "GET" ? growing : undefined;
  }
  return error.status === 500 ? growing : undefined;
}

function refusal(response: Response, answer: unknown): BoardwatchError {
  const requestId = response.headers.get("X-Request-Id") ?? undefined;
  const error = (answer as Schemas["Error"] | undefined)?.error;
  if (typeof error?.code !== "string") {
    const message = `the answer with status ${response.status} is not boardwatch's; check the address`;
    return new BoardwatchError(response.status, undefined, message, undefined, undefined, requestId);
  }
  return new BoardwatchError(response.status, error.code, error.message, error.details, error.retryAfter, requestId);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The query of an address. The service refuses empty parameters, so what is undefined or empty is left out. */
function search(query: BoardQuery | JobQuery): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") {
      values.set(name, String(value));
    }
  }
  const text = values.toString();
  return text === "" ? "" : "?" + text;
}

function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) {
      stop();
    } else {
      signal?.addEventListener("abort", stop, { once: true });
    }
  });
}
