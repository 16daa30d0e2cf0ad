/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays that grow by one element at a time. */
#ifndef TORUS_COMMON_ARRAY_H
#define TORUS_COMMON_ARRAY_H

#include <stdlib.h>

/**
 * torus_array_reserve - reserve space for one more element
 * @array: NULL, or the return value of this function
 * @count: number of elements
 * @size: bytes of an element
 *
 * The capacity is always the smallest power of two that is at least @count, so callers need not
 * store the capacity.
 *
 * Return: the array, or NULL if there is no memory; then @array is still valid.
 */
static inline void *torus_array_reserve(void *array, size_t count, size_t size)
{
	return count & (count - 1) ? array : reallocarray(array, count ? 2 * count : 1, size);
}

/*
 * torus_array_add(&ARRAY, &COUNT): append an element that is not initialized. Evaluates to a
 * pointer to the new element. If there is no memory, evaluates to NULL and changes nothing.
 */
#define torus_array_add(array, count) ({						\
	__typeof__(array) array_ = (array);						\
	__typeof__(count) count_ = (count);						\
	__typeof__(*array_) new_ = torus_array_reserve(*array_, *count_, sizeof(*new_));	\
											\
	if (new_) {									\
		*array_ = new_;								\
		new_ += (*count_)++;							\
	}										\
	new_;										\
})

#endif /* TORUS_COMMON_ARRAY_H */
