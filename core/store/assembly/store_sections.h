#pragma once

#include "core/store/assembly/store_facts.h"
#include "core/store/file/byte_codec.h"

namespace helio {

// Functions that write and read the sections with a store's facts. The readers accept untrusted bytes and return false if the bytes are not
// a valid section. If they return true, parents, state sets and other indices are in range.

void writeSummary(const StoreFacts& facts, ByteWriter& out);
bool readSummary(ByteReader in, StoreFacts& facts);

/// Writes state sets, link kinds and tracks. The lifetime and number of intervals of a track are not stored, because they follow from the
/// directory of blocks.
void writeTracks(const StoreFacts& facts, ByteWriter& out);
bool readTracks(ByteReader in, StoreFacts& facts);

void writeMergeIndex(const StoreFacts& facts, ByteWriter& out);
bool readMergeIndex(ByteReader in, StoreFacts& facts);

void writeDensity(const StoreFacts& facts, ByteWriter& out);
bool readDensity(ByteReader in, StoreFacts& facts);

void writeLosses(const StoreFacts& facts, ByteWriter& out);
bool readLosses(ByteReader in, StoreFacts& facts);

void writeStrings(const StoreFacts& facts, ByteWriter& out);
bool readStrings(ByteReader in, StoreFacts& facts);

/// Reads 64-bit numbers from the section, which contains the bytes of NumberPool::all() unchanged.
bool readNumbers(ByteReader in, StoreFacts& facts);

} // namespace helio
