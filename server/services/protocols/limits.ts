/** Protocols whose answers are not limited unless the request says so: the model's window ends them. */
export const unlimitedTokens = 1_048_576;
