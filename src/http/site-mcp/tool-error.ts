/** Why a tool has no result, for the agent. */
export class ToolError extends Error {}
