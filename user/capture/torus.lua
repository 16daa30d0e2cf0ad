-- SPDX-License-Identifier: GPL-2.0
--
-- Packets of a torus (link type USER0), as torusctl capture writes them: struct torus_wire_head
-- of <linux/torus.h>, coordinates, and what the link carries.
local torus = Proto("torus", "Torus link")

-- Behind the first: in the order in which torusctl explain chooses one of several
local flags = {
	{ "again", "Sent again", 0x01 },
	{ "lost", "Lost: the link is down", 0x08 },
	{ "header_error", "The header's CRC is wrong", 0x02 },
	{ "crc_error", "The packet's CRC is wrong", 0x04 },
	{ "escaped", "Wrong, and no CRC shows it", 0x10 },
	{ "invalid", "Forwarded before it was found wrong", 0x20 },
}
local dims = { "x", "y", "z", "a", "b", "c" }
local head_bytes = 56	-- struct torus_wire_head

local f = {
	arch = ProtoField.string("torus.arch", "Machine"),
	tick = ProtoField.uint64("torus.tick", "Tick"),
	tick_fs = ProtoField.uint32("torus.tick_fs", "Femtoseconds a tick"),
	node = ProtoField.uint32("torus.node", "Sender of the link"),
	peer = ProtoField.uint32("torus.peer", "Receiver of the link"),
	link = ProtoField.string("torus.link", "Link"),
	dir = ProtoField.uint8("torus.dir", "Direction"),
	vc = ProtoField.uint8("torus.vc", "VC"),
	src = ProtoField.uint32("torus.src", "Source"),
	dst = ProtoField.uint32("torus.dst", "Destination"),
	src_coords = ProtoField.string("torus.src.coords", "Source at"),
	dst_coords = ProtoField.string("torus.dst.coords", "Destination at"),
	seq = ProtoField.uint32("torus.seq", "Packet of the source"),
	link_seq = ProtoField.uint16("torus.link_seq", "Sequence number on the link"),
	bytes = ProtoField.uint16("torus.bytes", "Bytes on the link"),
	attempt = ProtoField.uint8("torus.attempt", "Attempt"),
	flags = ProtoField.uint8("torus.flags", "What becomes of it", base.HEX),
	verdict = ProtoField.string("torus.verdict", "Verdict"),
	header = ProtoField.bytes("torus.header", "Header"),
	payload = ProtoField.bytes("torus.payload", "Payload"),
	crc = ProtoField.bytes("torus.crc", "Packet CRC"),
	valid = ProtoField.uint8("torus.valid", "Valid byte", base.HEX),
}
for _, flag in ipairs(flags) do
	f["is_" .. flag[1]] = ProtoField.bool("torus." .. flag[1], flag[2], 8, nil, flag[3])
end
torus.fields = f

local bad = ProtoExpert.new("torus.bad", "Found wrong", expert.group.CHECKSUM,
			    expert.severity.WARN)
local again = ProtoExpert.new("torus.resent", "Sent again", expert.group.SEQUENCE,
			      expert.severity.NOTE)
torus.experts = { bad, again }

local function coords(buffer, from, n)
	local at = {}

	for i = 0, n - 1 do
		at[i + 1] = buffer(from + 2 * i, 2):le_uint()
	end
	return table.concat(at, ",")
end

local function direction(dir)
	return (dims[math.floor(dir / 2) + 1] or "d" .. math.floor(dir / 2)) .. (dir % 2 == 0 and "+" or "-")
end

local function verdict(value)
	for i = 2, #flags do
		if bit.band(value, flags[i][3]) ~= 0 then
			return (flags[i][1]:gsub("_error", ""))
		end
	end
	return "ok"
end

-- What the link carries: header, payload, packet CRC, valid byte, as far as it was captured
local function on_the_link(buffer, from, tree, header, crc, crc_at, bytes)
	local captured = buffer:len() - from
	local tail = crc > 0 and 1 + (crc_at == 0 and crc or 0) or 0

	local function add(field, at, length)
		length = math.min(length, captured - at)
		if length > 0 then
			tree:add(field, buffer(from + at, length))
		end
	end
	add(f.header, 0, header)
	add(f.payload, header, bytes - header - tail)
	if crc > 0 then
		add(f.crc, crc_at > 0 and crc_at or bytes - 1 - crc, crc)
		add(f.valid, bytes - 1, 1)
	end
end

function torus.dissector(buffer, pinfo, tree)
	if buffer:len() < head_bytes or buffer(0, 2):le_uint() ~= 1 then
		return 0
	end
	local head = buffer(2, 2):le_uint()
	local n = math.floor((head - head_bytes) / 6)
	local value = buffer(43, 1):uint()
	local dir, attempt = buffer(40, 1):uint(), buffer(42, 1):uint()
	local at = coords(buffer, head_bytes, n)
	local src = coords(buffer, head_bytes + 2 * n, n)
	local dst = coords(buffer, head_bytes + 4 * n, n)
	local link = at .. " " .. direction(dir)
	local said = verdict(value)
	local top = tree:add(torus, buffer(0, buffer:len()), "Torus link " .. link)

	top:add_le(f.tick_fs, buffer(4, 4))
	top:add_le(f.tick, buffer(8, 8))
	top:add_le(f.node, buffer(16, 4))
	top:add_le(f.peer, buffer(20, 4))
	top:add(f.link, buffer(head_bytes, 2 * n), link)
	top:add_le(f.src, buffer(24, 4))
	top:add(f.src_coords, buffer(head_bytes + 2 * n, 2 * n), src)
	top:add_le(f.dst, buffer(28, 4))
	top:add(f.dst_coords, buffer(head_bytes + 4 * n, 2 * n), dst)
	top:add_le(f.seq, buffer(32, 4))
	top:add_le(f.link_seq, buffer(36, 2))
	top:add_le(f.bytes, buffer(38, 2))
	top:add(f.dir, buffer(40, 1))
	top:add(f.vc, buffer(41, 1))
	top:add(f.attempt, buffer(42, 1))
	local marks = top:add(f.flags, buffer(43, 1))
	for _, flag in ipairs(flags) do
		marks:add(f["is_" .. flag[1]], buffer(43, 1))
	end
	top:add(f.verdict, buffer(43, 1), said)
	top:add(f.arch, buffer(48, 8))
	on_the_link(buffer, head, top, buffer(44, 1):uint(), buffer(45, 1):uint(),
		    buffer(46, 1):uint(), buffer(38, 2):le_uint())
	if said ~= "ok" then
		top:add_proto_expert_info(bad, said)
	end
	if attempt > 1 then
		top:add_proto_expert_info(again)
	end
	pinfo.cols.protocol = "TORUS"
	pinfo.cols.src = src
	pinfo.cols.dst = dst
	pinfo.cols.info = string.format("%s VC %d: packet %d of %s%s%s", link,
		buffer(41, 1):uint(), buffer(32, 4):le_uint(), src,
		attempt > 1 and ", attempt " .. attempt or "", said ~= "ok" and ", " .. said or "")
	return buffer:len()
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, torus)
