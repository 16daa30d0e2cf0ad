// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's DMA operations of a device: dma_map_single() and its relatives call these. A device
 * has a DMA address space of 32 bits of its own (dma_space.c).
 *
 * With the module parameter bounce=1 the device accesses copies of streaming mappings, as if the
 * processor's cache was not coherent with it. A driver that forgets a dma_sync_single_for_..() then
 * sees old bytes.
 */
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/scatterlist.h>

#include "compat/dma_ops.h"
#include "dma_ops.h"
#include "node.h"

static bool torus_host_bounce;
module_param_named(bounce, torus_host_bounce, bool, 0444);
MODULE_PARM_DESC(bounce, "Devices see only memory that their drivers have synchronized");

static struct torus_dma_space *torus_host_dma_space(struct device *dev)
{
	return &to_torus_host_node(to_torus_device(dev))->dma;
}

static dma_addr_t torus_host_dma_map(struct device *dev, struct page *page, unsigned long offset,
				     size_t bytes, enum dma_data_direction direction,
				     unsigned long attrs)
{
	struct torus_dma_request request = {
		.bytes = bytes,
		.direction = direction,
		.bounce = torus_host_bounce,
		.copy = !(attrs & DMA_ATTR_SKIP_CPU_SYNC),
	};

	/* The device copies in any context: it accesses only memory that is always mapped. */
	if (PageHighMem(page))
		return DMA_MAPPING_ERROR;
	request.memory = page_address(page) + offset;
	return torus_dma_map(torus_host_dma_space(dev), &request);
}

static void torus_host_dma_unmap(struct device *dev, dma_addr_t address, size_t bytes,
				 enum dma_data_direction direction, unsigned long attrs)
{
	torus_dma_unmap(torus_host_dma_space(dev), dev, address, bytes,
			!(attrs & DMA_ATTR_SKIP_CPU_SYNC));
}

static void torus_host_dma_unmap_list(struct device *dev, struct scatterlist *list, int entries,
				      enum dma_data_direction direction, unsigned long attrs)
{
	struct scatterlist *entry;
	int i;

	for_each_sg(list, entry, entries, i)
		torus_host_dma_unmap(dev, sg_dma_address(entry), sg_dma_len(entry), direction,
				     attrs);
}

static int torus_host_dma_map_list(struct device *dev, struct scatterlist *list, int entries,
				   enum dma_data_direction direction, unsigned long attrs)
{
	struct scatterlist *entry;
	dma_addr_t address;
	int i;

	for_each_sg(list, entry, entries, i) {
		address = torus_host_dma_map(dev, sg_page(entry), entry->offset, entry->length,
					     direction, attrs);
		if (address == DMA_MAPPING_ERROR) {
			torus_host_dma_unmap_list(dev, list, i, direction,
						  attrs | DMA_ATTR_SKIP_CPU_SYNC);
			return -ENOMEM;
		}
		sg_dma_address(entry) = address;
		sg_dma_len(entry) = entry->length;
	}
	return entries;
}

static void torus_host_dma_sync_for_cpu(struct device *dev, dma_addr_t address, size_t bytes,
					enum dma_data_direction direction)
{
	torus_dma_sync(torus_host_dma_space(dev), dev, address, bytes, true);
}

static void torus_host_dma_sync_for_device(struct device *dev, dma_addr_t address, size_t bytes,
					   enum dma_data_direction direction)
{
	torus_dma_sync(torus_host_dma_space(dev), dev, address, bytes, false);
}

static void torus_host_dma_sync_list_for_cpu(struct device *dev, struct scatterlist *list,
					     int entries, enum dma_data_direction direction)
{
	struct scatterlist *entry;
	int i;

	for_each_sg(list, entry, entries, i)
		torus_host_dma_sync_for_cpu(dev, sg_dma_address(entry), sg_dma_len(entry),
					    direction);
}

static void torus_host_dma_sync_list_for_device(struct device *dev, struct scatterlist *list,
						int entries, enum dma_data_direction direction)
{
	struct scatterlist *entry;
	int i;

	for_each_sg(list, entry, entries, i)
		torus_host_dma_sync_for_device(dev, sg_dma_address(entry), sg_dma_len(entry),
					       direction);
}

/* Memory and address are aligned to a power of two, as dma_alloc_coherent() promises. */
static void *torus_host_dma_alloc(struct device *dev, size_t bytes, dma_addr_t *address,
				  gfp_t gfp, unsigned long attrs)
{
	struct torus_dma_request request = {
		.bytes = bytes,
		.align = roundup_pow_of_two(max_t(size_t, bytes, PAGE_SIZE)),
		.direction = DMA_BIDIRECTIONAL,
	};

	gfp &= ~(__GFP_DMA | __GFP_DMA32 | __GFP_HIGHMEM | __GFP_COMP);
	request.memory = alloc_pages_exact(bytes, gfp | __GFP_ZERO);
	if (!request.memory)
		return NULL;
	*address = torus_dma_map(torus_host_dma_space(dev), &request);
	if (*address != DMA_MAPPING_ERROR)
		return request.memory;
	free_pages_exact(request.memory, bytes);
	return NULL;
}

static void torus_host_dma_free(struct device *dev, size_t bytes, void *memory,
				dma_addr_t address, unsigned long attrs)
{
	torus_dma_unmap(torus_host_dma_space(dev), dev, address, bytes, false);
	free_pages_exact(memory, bytes);
}

static int torus_host_dma_supported(struct device *dev, u64 mask)
{
	return mask >= DMA_BIT_MASK(32);
}

static const struct dma_map_ops torus_host_dma_ops = {
	.alloc = torus_host_dma_alloc,
	.free = torus_host_dma_free,
	.map_page = torus_host_dma_map,
	.unmap_page = torus_host_dma_unmap,
	.map_sg = torus_host_dma_map_list,
	.unmap_sg = torus_host_dma_unmap_list,
	.sync_single_for_cpu = torus_host_dma_sync_for_cpu,
	.sync_single_for_device = torus_host_dma_sync_for_device,
	.sync_sg_for_cpu = torus_host_dma_sync_list_for_cpu,
	.sync_sg_for_device = torus_host_dma_sync_list_for_device,
	.dma_supported = torus_host_dma_supported,
};

/**
 * torus_host_dma_bind() - let the driver of a device map memory
 * @node: the device, to which a driver is being bound
 *
 * Without DMA operations in the kernel the device gets no mask, so the driver can map nothing.
 */
void torus_host_dma_bind(struct torus_host_node *node)
{
	struct device *dev = &node->td.dev;

	if (!TORUS_HAS_DMA_OPS)
		return;
	/* At each bind: the driver core may remove the operations when a driver is unbound. */
	dev->dma_mask = &dev->coherent_dma_mask;
	dev->coherent_dma_mask = DMA_BIT_MASK(32);
	set_dma_ops(dev, &torus_host_dma_ops);
	torus_dma_space_open(&node->dma);
}

/**
 * torus_host_dma_unbind() - undo torus_host_dma_bind()
 * @node: the device; its port is detached
 */
void torus_host_dma_unbind(struct torus_host_node *node)
{
	torus_dma_space_close(&node->dma, &node->td.dev);
}
