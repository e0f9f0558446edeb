/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <string.h>

#include "text/json.h"

guint64
dice_roll(Dice *dice)
{
    guint64 z = (dice->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

guint
dice_below(Dice *dice, guint limit)
{
    return (guint)(dice_roll(dice) % limit);
}

bool
dice_chance(Dice *dice, guint percent)
{
    return dice_below(dice, 100) < percent;
}

/* ---- making ---------------------------------------------------------------- */

Tree *
tree_new(OcpKind kind)
{
    Tree *tree = g_new0(Tree, 1);
    tree->kind = kind;
    if (kind == OCP_OBJECT || kind == OCP_ARRAY)
        tree->items = g_ptr_array_new();
    if (kind == OCP_OBJECT)
        tree->names = g_ptr_array_new_with_free_func(g_free);
    if (kind == OCP_STRING || kind == OCP_NUMBER)
        tree->text = g_string_new(NULL);
    return tree;
}

Tree *
tree_text(const char *text)
{
    Tree *tree = tree_new(OCP_STRING);
    g_string_assign(tree->text, text);
    return tree;
}

Tree *
tree_number(const char *text)
{
    Tree *tree = tree_new(OCP_NUMBER);
    g_string_assign(tree->text, text);
    return tree;
}

void
tree_free(Tree *tree)
{
    if (tree == NULL)
        return;
    for (guint i = 0; tree->items != NULL && i < tree->items->len; i++)
        tree_free(tree->items->pdata[i]);
    if (tree->items != NULL)
        g_ptr_array_unref(tree->items);
    if (tree->names != NULL)
        g_ptr_array_unref(tree->names);
    if (tree->text != NULL)
        g_string_free(tree->text, TRUE);
    g_free(tree);
}

Tree *
tree_copy(const Tree *tree)
{
    Tree *copy = tree_new(tree->kind);
    if (tree->text != NULL)
        g_string_append_len(copy->text, tree->text->str, (gssize)tree->text->len);
    for (guint i = 0; tree->items != NULL && i < tree->items->len; i++) {
        g_ptr_array_add(copy->items, tree_copy(tree->items->pdata[i]));
        if (tree->names != NULL)
            g_ptr_array_add(copy->names, g_strdup(tree->names->pdata[i]));
    }
    return copy;
}

Tree *
tree_of(const OcpNode *node)
{
    Tree *tree = tree_new((OcpKind)node->kind);
    OcpIter iter = ocp_iter(node);
    const OcpNode *key, *value;
    if (tree->text != NULL) {
        g_autoptr(OcpArena) arena = ocp_arena_new();
        gsize length;
        const char *text = ocp_text(node, arena, &length);
        g_string_append_len(tree->text, text, (gssize)length);
    } else if (node->kind == OCP_ARRAY) {
        while ((value = ocp_iter_element(&iter)) != NULL)
            g_ptr_array_add(tree->items, tree_of(value));
    } else if (node->kind == OCP_OBJECT) {
        while (ocp_iter_member(&iter, &key, &value)) {
            g_ptr_array_add(tree->names, ocp_text_dup(key));
            g_ptr_array_add(tree->items, tree_of(value));
        }
    }
    return tree;
}

Tree *
tree_read(GBytes *bytes)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = NULL;
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    if (!ocp_json_read(bytes, NULL, &limits, report, &document))
        return NULL;
    return tree_of(document->root);
}

void
tree_push(Tree *array, Tree *value)
{
    g_ptr_array_add(array->items, value);
}

static guint
place_of(const Tree *object, const char *name)
{
    for (guint i = 0; i < object->items->len; i++)
        if (strcmp(object->names->pdata[i], name) == 0)
            return i;
    return G_MAXUINT;
}

Tree *
tree_get(const Tree *object, const char *name)
{
    if (!tree_is(object, OCP_OBJECT))
        return NULL;
    guint place = place_of(object, name);
    return place != G_MAXUINT ? object->items->pdata[place] : NULL;
}

void
tree_set(Tree *object, const char *name, Tree *value)
{
    guint place = place_of(object, name);
    if (place == G_MAXUINT) {
        g_ptr_array_add(object->names, g_strdup(name));
        g_ptr_array_add(object->items, value);
        return;
    }
    tree_free(object->items->pdata[place]);
    object->items->pdata[place] = value;
}

void
tree_drop(Tree *object, const char *name)
{
    guint place = place_of(object, name);
    if (place == G_MAXUINT)
        return;
    tree_free(object->items->pdata[place]);
    g_ptr_array_remove_index(object->items, place);
    g_ptr_array_remove_index(object->names, place);
}

Tree *
tree_at(Tree *tree, const char *pointer)
{
    g_auto(GStrv) steps = g_strsplit(pointer, "/", -1);
    for (char **step = steps; tree != NULL && *step != NULL && *++step != NULL;) {
        g_auto(GStrv) slashes = g_strsplit(*step, "~1", -1);
        g_autofree char *half = g_strjoinv("/", slashes);
        g_auto(GStrv) tildes = g_strsplit(half, "~0", -1);
        g_autofree char *name = g_strjoinv("~", tildes);
        if (tree->kind == OCP_ARRAY) {
            guint64 index = g_ascii_strtoull(name, NULL, 10);
            tree = index < tree->items->len ? tree->items->pdata[index] : NULL;
        } else {
            tree = tree_get(tree, name);
        }
    }
    return tree;
}

/* ---- asking ---------------------------------------------------------------- */

bool
tree_is_text(const Tree *tree, const char *text)
{
    return tree_is(tree, OCP_STRING) && strcmp(tree->text->str, text) == 0;
}

bool
tree_equal(const Tree *a, const Tree *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->text != NULL)
        return g_string_equal(a->text, b->text);
    if (a->items == NULL)
        return true;
    if (a->items->len != b->items->len)
        return false;
    for (guint i = 0; i < a->items->len; i++) {
        const Tree *other =
            a->kind == OCP_ARRAY ? b->items->pdata[i] : tree_get(b, a->names->pdata[i]);
        if (other == NULL || !tree_equal(a->items->pdata[i], other))
            return false;
    }
    return true;
}

void
tree_pointer_push(GString *pointer, const char *name)
{
    g_string_append_c(pointer, '/');
    for (; *name != '\0'; name++) {
        if (*name == '~')
            g_string_append(pointer, "~0");
        else if (*name == '/')
            g_string_append(pointer, "~1");
        else
            g_string_append_c(pointer, *name);
    }
}

static void
visit_leaves(const Tree *tree, GString *pointer, TreeVisit visit, gpointer data)
{
    if (tree_is_leaf(tree)) {
        visit(tree, pointer->str, data);
        return;
    }
    gsize length = pointer->len;
    for (guint i = 0; i < tree->items->len; i++) {
        if (tree->names != NULL)
            tree_pointer_push(pointer, tree->names->pdata[i]);
        else
            g_string_append_printf(pointer, "/%u", i);
        visit_leaves(tree->items->pdata[i], pointer, visit, data);
        g_string_truncate(pointer, length);
    }
}

void
tree_each_leaf(const Tree *tree, TreeVisit visit, gpointer data)
{
    g_autoptr(GString) pointer = g_string_new(NULL);
    visit_leaves(tree, pointer, visit, data);
}

/* ---- writing --------------------------------------------------------------- */

typedef struct {
    GString *out;
    bool compact;
    bool loud;
    Dice dice;
} Writer;

static void
loud_string(Writer *writer, const char *text, gsize length)
{
    g_string_append_c(writer->out, '"');
    for (const char *at = text; at < text + length;) {
        gunichar c = g_utf8_get_char(at);
        bool spell =
            c < 0x20 || c == '"' || c == '\\' || dice_chance(&writer->dice, 10);
        if (!spell)
            g_string_append_unichar(writer->out, c);
        else if (c == '/')
            g_string_append(writer->out, "\\/");
        else if (c > 0xffff)
            g_string_append_printf(writer->out, "\\u%04X\\u%04x",
                                   0xd800 + ((c - 0x10000) >> 10),
                                   0xdc00 + ((c - 0x10000) & 0x3ff));
        else
            g_string_append_printf(writer->out, "\\u%04x", c);
        at += c == 0 ? 1 : g_utf8_skip[(guchar)*at];
    }
    g_string_append_c(writer->out, '"');
}

static void
put_string(Writer *writer, const char *text, gsize length)
{
    if (writer->loud)
        loud_string(writer, text, length);
    else
        ocp_json_write_string(text, length, writer->out);
}

static void
put_blank(Writer *writer, guint depth)
{
    static const char *const blanks[] = {"", " ", "\n", "\t", "\r\n  "};
    if (writer->loud) {
        g_string_append(writer->out,
                        blanks[dice_below(&writer->dice, G_N_ELEMENTS(blanks))]);
    } else if (!writer->compact) {
        g_string_append_c(writer->out, '\n');
        for (guint i = 0; i < depth; i++)
            g_string_append(writer->out, "  ");
    }
}

static void
put(Writer *writer, const Tree *tree, guint depth)
{
    static const char *const words[] = {"null", "false", "true"};
    if (tree->kind <= OCP_TRUE) {
        g_string_append(writer->out, words[tree->kind]);
    } else if (tree->kind == OCP_NUMBER) {
        g_string_append(writer->out, tree->text->str);
    } else if (tree->kind == OCP_STRING) {
        put_string(writer, tree->text->str, tree->text->len);
    } else {
        g_string_append_c(writer->out, tree->kind == OCP_ARRAY ? '[' : '{');
        for (guint i = 0; i < tree->items->len; i++) {
            if (i > 0)
                g_string_append_c(writer->out, ',');
            put_blank(writer, depth + 1);
            if (tree->names != NULL) {
                const char *name = tree->names->pdata[i];
                put_string(writer, name, strlen(name));
                g_string_append(writer->out, writer->compact ? ":" : ": ");
            }
            put(writer, tree->items->pdata[i], depth + 1);
        }
        if (tree->items->len > 0)
            put_blank(writer, depth);
        g_string_append_c(writer->out, tree->kind == OCP_ARRAY ? ']' : '}');
    }
}

GBytes *
tree_write(const Tree *tree, guint64 loud)
{
    Writer writer = {.out = g_string_new(NULL), .loud = loud != 0, .dice = {loud}};
    put(&writer, tree, 0);
    g_string_append_c(writer.out, '\n');
    return g_string_free_to_bytes(writer.out);
}

char *
tree_compact(const Tree *tree)
{
    Writer writer = {.out = g_string_new(NULL), .compact = true};
    put(&writer, tree, 0);
    return g_string_free(writer.out, FALSE);
}
