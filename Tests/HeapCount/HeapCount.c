// Part of ServiceBox, released under the MIT License.
// Stands in for the C library's allocation functions, counts, and hands on.

#include "HeapCount.h"
#include <errno.h>
#include <stdlib.h>

// Initial exec: the first access comes from an allocation, so it must not allocate.
static _Thread_local __attribute__((tls_model("initial-exec"))) HeapUse use;

HeapUse heapUse(void) { return use; }

// The definitions of a program take precedence over those of every library it loads. A sanitizer brings its own.
#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#include <malloc.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static size_t counted(size_t size) {
    use.blocks += 1;
    use.bytes += size;
    return size;
}

void *malloc(size_t size) { return __libc_malloc(counted(size)); }

void *calloc(size_t number, size_t size) {
    counted(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) { return __libc_realloc(block, counted(size)); }

void *aligned_alloc(size_t alignment, size_t size) { return __libc_memalign(alignment, counted(size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *block = __libc_memalign(alignment, counted(size));
    if (!block) return ENOMEM;
    *result = block;
    return 0;
}

size_t heapBytesInUse(void) { return mallinfo2().uordblks; }
#else
size_t heapBytesInUse(void) { return 0; }
#endif
