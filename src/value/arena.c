/* SPDX-License-Identifier: Apache-2.0 */
#include "value/arena.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

enum {
    ARENA_ALIGN = 16,
    ARENA_FIRST = 4096,       /* a small document costs one small block */
    ARENA_BLOCK = 1024 * 1024 /* where blocks stop growing */
};

typedef struct Block Block;
struct Block {
    Block *older;
    gsize size; /* bytes with the header */
    bool mapped;
};

struct OcpArena {
    Block *newest;
    char *next;
    gsize left;
    gsize grow;
};

#define BLOCK_HEADER ((sizeof(Block) + ARENA_ALIGN - 1) & ~(gsize)(ARENA_ALIGN - 1))

OcpArena *
ocp_arena_new(void)
{
    OcpArena *arena = g_new0(OcpArena, 1);
    arena->grow = ARENA_FIRST;
    return arena;
}

void
ocp_arena_free(OcpArena *arena)
{
    if (arena == NULL)
        return;
    for (Block *block = arena->newest; block != NULL;) {
        Block *older = block->older;
        if (block->mapped)
            (void)munmap(block, block->size);
        else
            g_free(block);
        block = older;
    }
    g_free(arena);
}

/* Blocks of full size come from the system itself and go back to it at once: an
 * allocator keeps what lies between blocks of other documents, and so all trees of a
 * large one. */
static Block *
arena_add_block(OcpArena *arena, gsize room)
{
    gsize size = BLOCK_HEADER + room;
    Block *block = MAP_FAILED;
    if (size >= ARENA_BLOCK)
        block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                     -1, 0);
    bool mapped = block != MAP_FAILED;
    if (!mapped)
        block = g_malloc(size);
    block->mapped = mapped;
    block->size = size;
    block->older = arena->newest;
    arena->newest = block;
    return block;
}

/* Large pieces get a block of their own, behind the one being filled. */
static void *
arena_take_large(OcpArena *arena, gsize size)
{
    Block *filling = arena->newest;
    Block *block = arena_add_block(arena, size);
    if (filling != NULL) {
        block->older = filling->older;
        filling->older = block;
        arena->newest = filling;
    }
    return (char *)block + BLOCK_HEADER;
}

void *
ocp_arena_take(OcpArena *arena, gsize size)
{
    size = (size + ARENA_ALIGN - 1) & ~(gsize)(ARENA_ALIGN - 1);
    if (size > arena->left) {
        if (size > arena->grow / 4)
            return arena_take_large(arena, size);
        Block *block = arena_add_block(arena, arena->grow);
        arena->next = (char *)block + BLOCK_HEADER;
        arena->left = arena->grow;
        arena->grow = MIN(arena->grow * 2, ARENA_BLOCK - BLOCK_HEADER);
    }
    void *piece = arena->next;
    arena->next += size;
    arena->left -= size;
    return piece;
}

char *
ocp_arena_copy(OcpArena *arena, const char *text, gsize length)
{
    char *copy = ocp_arena_take(arena, length + 1);
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
