/** A small description with what descriptions hold: references, cycles, alternatives, security, examples. */
export const SHOP = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '2.1', description: 'Sells *things*. See [orders](#tag/Orders).' },
  servers: [{ url: 'https://{region}.shop.example/v2', variables: { region: { default: 'eu' } } }],
  security: [{ token: [] }],
  tags: [{ name: 'Orders', description: '# About orders\n\nAn order is final.' }],
  paths: {
    '/orders/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        operationId: 'getOrder',
        summary: 'Get an order',
        description: 'Returns one. Not [all](#operation/listOrders), costs $5.\n\n:::note\nnot a container\n',
        tags: ['Orders'],
        responses: {
          200: {
            description: 'The order.',
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Order' },
                example: { id: 'ord_1', total: 20 },
              },
            },
          },
          404: { $ref: '#/components/responses/Missing' },
        },
      },
      delete: {
        operationId: 'delete_order',
        deprecated: true,
        tags: ['Orders'],
        responses: { 204: { description: 'Gone.' }, 404: { $ref: '#/components/responses/Missing' } },
      },
    },
    '/orders': {
      get: {
        operationId: 'listOrders',
        summary: 'List orders',
        tags: ['Orders'],
        parameters: [
          {
            name: 'filter[status]',
            in: 'query',
            required: true,
            schema: { type: 'string', enum: ['open', 'paid'] },
          },
        ],
        responses: { 200: { description: 'All of them.' } },
      },
      post: {
        operationId: 'createOrder',
        summary: 'Create an order',
        tags: ['Orders'],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
        },
        responses: { 201: { description: 'Created.' } },
      },
    },
    '/ping': { get: { security: [], responses: { 200: { description: 'Alive.' } } } },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    parameters: {
      Id: { name: 'id', in: 'path', required: true, description: 'Its id.', schema: { type: 'string' } },
    },
    responses: {
      Missing: {
        description: 'There is no such order.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
    schemas: {
      Problem: { type: 'object', properties: { message: { type: 'string' } } },
      Order: {
        allOf: [
          { type: 'object', required: ['id'], properties: { id: { type: 'string', readOnly: true } } },
          {
            type: 'object',
            required: ['payment'],
            properties: {
              total: { type: 'number', minimum: 0, description: 'In euros.' },
              payment: {
                oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Invoice' }],
              },
              replaces: { $ref: '#/components/schemas/Order' },
              items: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
            },
          },
        ],
      },
      Item: { type: 'object', properties: { name: { type: 'string', default: 'thing' } } },
      Card: { type: 'object', properties: { number: { type: 'string', writeOnly: true } } },
      Invoice: { type: 'object', nullable: true, properties: { address: { type: 'string' } } },
    },
  },
}
