/* Calls through tables of functions: of structures of handlers, arrays, arrays
   of structures, and virtual tables.  Each function stores to a cell, and each
   of those that it may call loads it; so many are found, as its last comment
   says. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

struct cells {
    long at[4];
};

struct handlers {
    long kind, flags;
    void (*open)(cells *);
    long (*read)(cells *);
    void (*close)(cells *);
};

#define NOINLINE __attribute__((noinline))

static NOINLINE void nothing(cells *)
{
}
static NOINLINE long read_disk(cells *c)
{
    return c->at[0];
}
static NOINLINE long read_net(cells *c)
{
    return c->at[0] + 1;
}
/* What is at another distance is not called. */
static NOINLINE void close_net(cells *c)
{
    c->at[1] = c->at[0];
}
extern const handlers disk = {1, 0, nothing, read_disk, nothing};
extern const handlers net = {2, 1, nothing, read_net, close_net};
extern "C" const handlers *handlers_of(int kind)
{
    return kind == 1 ? &disk : kind == 2 ? &net : nullptr;
}

extern "C" long handled(const handlers *h, cells *c)
{
    c->at[0] = 1;
    return h->read(c); /* handled: read_disk read_net */
}

static NOINLINE long first(cells *c)
{
    return c->at[1];
}
static NOINLINE long second(cells *c)
{
    return c->at[1] - 1;
}
static NOINLINE long third(cells *c)
{
    return c->at[1] - 2;
}
static long (*const elements[])(cells *) = {first, second, third};

extern "C" long chosen(unsigned n, cells *c)
{
    if (n >= 3)
        return 0;
    c->at[1] = 2;
    return elements[n](c); /* chosen: first second third */
}

struct command {
    long name, flags;
    long (*run)(cells *);
    long more;
};

static NOINLINE long add(cells *c)
{
    return c->at[2];
}
static NOINLINE long subtract(cells *c)
{
    return c->at[2] - 1;
}
static NOINLINE long multiply(cells *c)
{
    return c->at[2] * 3;
}
static const command commands[] = {
    {7, 0, add, 0}, {9, 1, subtract, 0}, {4, 2, multiply, 0}};

extern "C" const command *find(long name)
{
    for (const command &c : commands)
        if (c.name == name)
            return &c;
    return nullptr;
}

extern "C" long named(long name, cells *c)
{
    const command *command = find(name);

    c->at[2] = 3;
    if (command == nullptr)
        return 0;
    return command->run(c); /* named: add subtract multiply */
}

struct shape {
    virtual void draw(cells *) const;
    virtual long area(cells *) const = 0;
};

struct circle : shape {
    long area(cells *c) const override;
};

struct square : shape {
    void draw(cells *) const override;
    long area(cells *c) const override;
};

void shape::draw(cells *) const
{
}
void square::draw(cells *) const
{
}
long circle::area(cells *c) const
{
    return c->at[3];
}
long square::area(cells *c) const
{
    return c->at[3] * 2;
}
circle a_circle;
square a_square;

extern "C" long seen(const shape *s, cells *c)
{
    c->at[3] = 4;
    return s->area(c); /* seen: circle::area square::area */
}
