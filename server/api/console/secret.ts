/** Request header of /console that carries the page's secret beside the session's cookie. */
export const secretHeader = 'x-console-secret';
