/* Hashes, written after the rules were fixed: sums of bytes, and tables that
   keys are found in. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "whole.h"

static uint64_t rotated(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

/* MurmurHash3's last step for 64 bits. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
    return x ^ x >> 33;
}

WHOLE(words_by_fnv)
{
    const uint8_t *text = SLOT(1);
    uint32_t *out = SLOT(0);

    for (int word = 0, at = 0; word < 160; word++) {
        uint32_t hash = 2166136261U;
        int length = 2 + (FRESH(word) & 7);

        for (int i = 0; i < length; i++)
            hash = (hash ^ text[at++]) * 16777619U;
        out[word] = hash;
    }
}

WHOLE(keys_by_murmur)
{
    const uint32_t *words = SLOT(1);
    uint32_t sum = 0;

    for (int key = 0; key < 90; key++) {
        uint32_t hash = sum;

        for (int i = 0; i < 7; i++) {
            uint32_t k = words[key + i] * 0xcc9e2d51U;

            k = (k << 15 | k >> 17) * 0x1b873593U;
            hash ^= k;
            hash = (hash << 13 | hash >> 19) * 5 + 0xe6546b64U;
        }
        hash = (hash ^ hash >> 16 ^ 28) * 0x85ebca6bU;
        hash = (hash ^ hash >> 13) * 0xc2b2ae35U;
        sum += hash ^ hash >> 16;
    }
    USE(sum);
}

static inline void sip_round(uint64_t *v)
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0];
    v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotated(v[1], 17) ^ v[2];
    v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
}

WHOLE(messages_by_siphash)
{
    const uint64_t *words = SLOT(1);
    uint64_t sum = 0, key = (uint64_t)turn;

    for (int message = 0; message < 40; message++) {
        uint64_t v[4] = {key ^ 0x736f6d6570736575, ~key ^ 0x646f72616e646f6d,
                         key ^ 0x6c7967656e657261, ~key ^ 0x7465646279746573};

        for (int i = 0; i < 4; i++) {
            v[3] ^= words[message * 4 + i];
            sip_round(v);
            sip_round(v);
            v[0] ^= words[message * 4 + i];
        }
        v[2] ^= 255;
        for (int i = 0; i < 4; i++)
            sip_round(v);
        sum ^= v[0] ^ v[1] ^ v[2] ^ v[3];
    }
    USE(sum);
}

/* Half a byte at a time, by a table of sixteen. */
WHOLE(bytes_by_crc)
{
    uint32_t table[16], crc = (uint32_t)turn;
    const uint8_t *bytes = SLOT(1);

    for (uint32_t i = 0; i < 16; i++) {
        table[i] = i;
        for (int bit = 0; bit < 4; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320U : 0);
    }
    for (int i = 0; i < 500; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    USE(crc);
}

WHOLE(bytes_by_adler)
{
    const uint8_t *bytes = SLOT(1);
    uint32_t a = 1, b = (uint32_t)turn & 1023;

    for (int block = 0; block < 6; block++) {
        for (int i = 0; i < 256; i++) {
            a += bytes[block * 256 + i];
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    USE(b << 16 | a);
}

/* Open addressing: the next free place of 256. */
WHOLE(places_probed)
{
    uint32_t *keys = SLOT(0);
    long found = 0;

    for (int i = 0; i < 256; i++)
        keys[i] = 0;
    for (int i = 0; i < 100; i++) {
        uint32_t key = (uint32_t)FRESH(i) * 256 + (uint32_t)FRESH(i + 7) + 1;
        uint32_t at = (uint32_t)mixed(key) & 255;

        while (keys[at] != 0 && keys[at] != key)
            at = (at + 1) & 255;
        keys[at] = key;
    }
    for (int i = 50; i < 150; i++) {
        uint32_t key = (uint32_t)FRESH(i) * 256 + (uint32_t)FRESH(i + 7) + 1;
        uint32_t at = (uint32_t)mixed(key) & 255;

        while (keys[at] != 0 && keys[at] != key)
            at = (at + 1) & 255;
        found += keys[at] == key;
    }
    USE(found);
}

/* Chains of names of eight bytes, the newest first. */
struct name {
    struct name *next;
    uint32_t hash;
    int uses;
    char text[8];
};

CALLEE struct name *intern(struct name **chains, struct name **free,
                           const char *text)
{
    uint32_t hash = 5381;
    struct name *at;

    for (const char *c = text; *c != 0; c++)
        hash = hash * 33 + (unsigned char)*c;
    for (at = chains[hash & 31]; at != 0; at = at->next)
        if (at->hash == hash && __builtin_memcmp(at->text, text, 8) == 0)
            return at;
    at = (*free)++;
    *at = (struct name){chains[hash & 31], hash, 0, {0}};
    __builtin_memcpy(at->text, text, 8);
    return chains[hash & 31] = at;
}

WHOLE(names_interned)
{
    struct name *chains[32] = {0}, *free = SLOT(0);

    for (int i = 0; i < 120; i++) {
        char text[8] = "name";
        int n = FRESH(i) & FRESH(i + 1);

        text[4] = (char)('a' + (n & 15));
        text[5] = (char)(n & 16 ? 'x' : 0);
        intern(chains, &free, text)->uses += i;
    }
    USE((char *)free - (char *)SLOT(0));
}

/* A filter of 4,096 bits, of which a key has three. */
WHOLE(bits_of_a_filter)
{
    uint64_t *bits = SLOT(0);
    int maybe = 0;

    for (int i = 0; i < 64; i++)
        bits[i] = 0;
    for (int i = 0; i < 240; i++) {
        uint64_t hash = mixed((uint64_t)(FRESH(i) * 16 + (i & 15)));
        int present = 1;

        for (int k = 0; k < 3; k++, hash >>= 12) {
            uint64_t bit = (uint64_t)1 << (hash & 63);

            present &= (bits[hash >> 6 & 63] & bit) != 0;
            if (i % 3 != 0)
                bits[hash >> 6 & 63] |= bit;
        }
        maybe += present;
    }
    USE(maybe);
}

/* The rounds of SHA-256, on two blocks. */
static inline uint32_t right(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

WHOLE(blocks_by_sha256)
{
    uint32_t *w = SLOT(0), h[8] = {1, 2, 3, 4, 5, 6, 7, (uint32_t)turn};
    const uint32_t *constants = SLOT(1);

    for (int block = 0; block < 2; block++) {
        for (int i = 0; i < 16; i++)
            w[i] = (uint32_t)FRESH(block * 16 + i) * 0x01010101U;
        for (int i = 16; i < 64; i++) {
            uint32_t a = w[i - 15], b = w[i - 2];

            w[i] = w[i - 16] + (right(a, 7) ^ right(a, 18) ^ a >> 3) +
                   w[i - 7] + (right(b, 17) ^ right(b, 19) ^ b >> 10);
        }
        for (int i = 0; i < 64; i++) {
            uint32_t a = h[0], e = h[4];
            uint32_t x = h[7] + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) +
                         ((e & h[5]) ^ (~e & h[6])) + constants[i] + w[i];
            uint32_t y = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) +
                         ((a & h[1]) ^ (a & h[2]) ^ (h[1] & h[2]));

            h[7] = h[6], h[6] = h[5], h[5] = e;
            h[4] = h[3] + x;
            h[3] = h[2], h[2] = h[1], h[1] = a;
            h[0] = x + y;
        }
    }
    USE(h[0] ^ h[4]);
}
