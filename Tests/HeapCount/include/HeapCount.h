// Part of ServiceBox, released under the MIT License.
// Counts the blocks that threads take from the heap.

#include <stddef.h>

/// What was taken from the heap, freed again or not.
typedef struct {
    ptrdiff_t blocks;
    /// As asked for, without what the heap adds.
    ptrdiff_t bytes;
} HeapUse;

/// What the calling thread has taken since it began; always nothing where nothing is counted.
HeapUse heapUse(void);

/// The bytes that are taken from the heap of the process's first thread and not freed; 0 where nothing is counted.
size_t heapBytesInUse(void);
