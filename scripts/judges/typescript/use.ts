// How a program in TypeScript uses the package: it is compiled, and fails to if the types do not fit.
import { BoardwatchError, Client, type Cursor, type ErrorCode, type Job, type WebhookEvent } from "boardwatch-client";

export async function titles(client: Client, boardId: string): Promise<string[]> {
  const found: string[] = [];
  for await (const job of client.allJobs({ boardId, status: "all" })) {
    found.push(job.title);
  }
  return found;
}

export async function firstNew(client: Client, from: Cursor): Promise<Job | undefined> {
  for await (const job of client.poll({ from })) {
    return job;
  }
  return undefined;
}

export function code(error: unknown): ErrorCode | undefined {
  return error instanceof BoardwatchError ? error.code : undefined;
}

export function count(event: WebhookEvent): number {
  return event.type === "job.found" || event.type === "job.archived" ? event.jobs.length + (event.truncated ?? 0) : 0;
}

// @ts-expect-error there is no such status
export const wrong = (client: Client) => client.jobs({ status: "pending" });
