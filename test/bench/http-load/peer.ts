/** The peer: a bare Fastify with one route a measured operation, answering with the values it was given. */
import Fastify from 'fastify';

const answers: { models: object; moderation: object } = JSON.parse(process.argv[2] ?? '');

const app = Fastify();
app.get('/v1/models', async () => answers.models);
app.post('/v1/moderations', async () => answers.moderation);
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 }));
process.on('SIGTERM', () => void app.close());
